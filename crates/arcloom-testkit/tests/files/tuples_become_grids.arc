# Rows put together by a program are a grid again.
program
    x1 = apply(lambda row: combine(row, row), I)
    O = hmirror(x1)

program
    O = repeat(interval(ZERO, width(I), ONE), TWO)

program
    O = ((ONE, TWO), (THREE, FOUR))

program
    O = papply(pair, first(I), last(I))

input
    12
    34
