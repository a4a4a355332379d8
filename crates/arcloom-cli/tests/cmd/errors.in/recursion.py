def helper(x):
    return helper(x)

def solve_ring_largest(I):
    O = helper(I)
    return O
