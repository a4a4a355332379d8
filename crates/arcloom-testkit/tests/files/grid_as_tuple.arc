# A grid is a tuple of rows: it has a first row, a size and an order.
program
    O = first(I)

program
    O = size(I)

program
    O = order(I, maximum)

program
    O = dedupe(I)

program
    O = repeat(last(I), TWO)

program
    O = apply(size, I)

input
    31
    12
    31
value
    (3, 1)
value
    3
output
    12
    31
    31
output
    31
    12
output
    31
    31
value
    (2, 2, 2)

input
    7
value
    (7,)
value
    1
output
    7
output
    7
output
    7
    7
value
    (1,)
