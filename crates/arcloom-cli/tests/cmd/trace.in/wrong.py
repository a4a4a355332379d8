def solve_anti_diagonal(I):
    x1 = cmirror(I)
    O = fill(x1, NINE, initset(ORIGIN))
    return O
