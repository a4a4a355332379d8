def solve_ring_largest(I):
    O = rot90(TWO)
    return O
