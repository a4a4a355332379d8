def solve_anti_diagonal(I):
    O = vmiror(I)
    return O
