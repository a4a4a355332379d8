def solve_flip_long_way(I):
    x1 = portrait(I)
    x2 = hmirror(I)
    x3 = vmirror(I)
    O = branch(x1, x2, x3)
    return O


# Cells alike in all three panels stay, the others turn black.
