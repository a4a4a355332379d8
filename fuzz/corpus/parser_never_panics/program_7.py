def solve_row_majority(I):
    x1 = fork(repeat, mostcommon, size)
    O = apply(x1, I)
    return O


# Every object takes on the colour numbered by its height.
