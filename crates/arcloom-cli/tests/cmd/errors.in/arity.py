def solve_ring_largest(I):
    O = hconcat(I)
    return O
