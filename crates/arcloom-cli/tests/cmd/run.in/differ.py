def differ_height(S, I, C):
    x1 = equality(height(I), height(C))
    O = branch(x1, 1000, 0)
    return O


def differ_fails(S, I, C):
    O = hconcat(height(I), 7)
    return O


def differ_grid(S, I, C):
    return C
