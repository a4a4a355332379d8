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

input
    7
