def solve_all_three_agree(I):
    x1 = hsplit(I, THREE)
    x2 = first(x1)
    x3 = remove(x2, x1)
    x4 = first(x3)
    x5 = last(x1)
    x6 = cellwise(x2, x4, ZERO)
    O = cellwise(x6, x5, ZERO)
    return O


# Rows are sorted by their number of different colours.
