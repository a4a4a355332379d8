def solve_ring_largest(I):
    O = vmiror(I)
    return O
