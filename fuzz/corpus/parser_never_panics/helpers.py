def helper(x, y):
    z = add(x, y)
    return multiply(z, z)


def solve_a(I):
    O = helper(ONE, y=TWO)
    return O
