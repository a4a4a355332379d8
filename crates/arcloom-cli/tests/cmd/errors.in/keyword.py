def solve_ring_largest(I):
    O = hconcat(a=I, c=I)
    return O
