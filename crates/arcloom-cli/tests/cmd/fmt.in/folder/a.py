def solve(S, I, C):
    return rot90(I)
