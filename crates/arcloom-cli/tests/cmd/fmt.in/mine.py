# One right, one wrong, one that fails, one that does not load.


def solve_anti_diagonal(I):
    return cmirror(I)


def solve_ring_largest(I):
    x1 = objects(I, T, F, T)
    x2 = argmin(x1, size)
    x3 = outbox(x2)
    O = fill(I, THREE, x3)
    return O


def solve_tally(I):
    x1 = first(frozenset())
    return x1


def solve_join_dots(I):
    return vmiror(I)
