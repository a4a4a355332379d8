def solve_join_dots(I):
    x1 = upscale(I, THOUSAND)
    O = upscale(x1, THOUSAND)
    return O


def solve_mark_center(I):
    x1 = asindices(I)
    x2 = product(x1, x1)
    x3 = product(x2, x2)
    O = product(x3, x3)
    return O


def solve_ring_largest(I):
    x1 = power(rot90, 100000)
    O = x1(I)
    return O


def solve_tally(I):
    x1 = power(rot90, NEG_ONE)
    O = x1(I)
    return O
