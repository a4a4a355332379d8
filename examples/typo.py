def solve_anti_diagonal(I):
    O = cmirror(I)
    return O


def solve_mark_center(I):
    O = vmiror(I)
    return O
