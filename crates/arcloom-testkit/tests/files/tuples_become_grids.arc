# Rows put together by a program are a grid again.
program
    x1 = apply(lambda row: combine(row, row), I)
    O = hmirror(x1)

program
    O = repeat(interval(ZERO, width(I), ONE), TWO)

program
    O = ((ONE, TWO), (THREE, FOUR))

program
    O = papply(astuple, first(I), last(I))

input
    12
    34
output
    3434
    1212
output
    01
    01
output
    12
    34
output
    13
    24
