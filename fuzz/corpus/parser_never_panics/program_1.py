def solve_center_in_double(I):
    x1 = shape(I)
    x2 = double(x1)
    x3 = canvas(ZERO, x2)
    x4 = halve(x1)
    x5 = asobject(I)
    x6 = shift(x5, x4)
    O = paint(x3, x6)
    return O


# A tall grid is turned upside down, a wide one mirrored left to right.
