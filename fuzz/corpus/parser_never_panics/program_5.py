def solve_colors_left_to_right(I):
    x1 = objects(I, T, F, T)
    x2 = order(x1, leftmost)
    x3 = apply(color, x2)
    O = repeat(x3, ONE)
    return O


# Every colour becomes the one after it.
