def solve_runaway(I):
    x1 = asindices(I)
    x2 = product(x1, x1)
    x3 = product(x2, x2)
    O = apply(first, x3)
    return O


def solve_never(I):
    x1 = first(frozenset())
    O = hconcat(I, x1)
    return O


def solve_tally(I):
    x1 = objects(I, T, T, T)
    x2 = size(x1)
    x3 = astuple(x2, ONE)
    O = canvas(FOUR, x3)
    return O
