# Tuples of tuples of different lengths are values like others, and no grids.
program
    x1 = ((ONE, TWO), (THREE,))
    O = x1

program
    x1 = ((ONE, TWO), (THREE,))
    O = hmirror(x1)

program
    x1 = ((ONE, TWO), (THREE,))
    O = apply(size, x1)

program
    x1 = ((ONE, TWO), (THREE,))
    O = vconcat(x1, x1)

program
    x1 = ((ONE, TWO), (THREE,))
    O = merge(x1)

input
    1
value
    ((1, 2), (3,))
value
    ((3,), (1, 2))
value
    (2, 1)
value
    ((1, 2), (3,), (1, 2), (3,))
value
    (1, 2, 3)
