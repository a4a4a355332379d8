def solve_ring_largest(I):
    O = rot90(x1)
    x1 = I
    return O
