def solve_anti_diagonal(I):
    O = cmirror(I)
    return O


def solve_ring_largest(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = outbox(x2)
    O = fill(I, TWO, x3)
    return O
