def solve_rows_by_variety(I):
    x1 = compose(size, dedupe)
    O = order(I, x1)
    return O


# The colours of the objects in a row, as they follow from left to right.
