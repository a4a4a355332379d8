def solve(S, I, C):
    return rot180(I)
