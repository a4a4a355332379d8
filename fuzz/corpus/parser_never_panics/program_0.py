def solve_half_count_square(I):
    x1 = leastcolor(I)
    x2 = colorcount(I, x1)
    x3 = halve(x2)
    x4 = astuple(x3, x3)
    O = canvas(x1, x4)
    return O


# The grid goes to the middle of a black one with sides twice as long.
