# Functions over two containers: `papply` in parallel, `prapply` over all pairs, `mpapply` merged.
program
    x1 = interval(ZERO, THREE, ONE)
    x2 = interval(THREE, ZERO, NEG_ONE)
    O = papply(multiply, x1, x2)

program
    x1 = palette(I)
    O = prapply(add, x1, x1)

program
    x1 = totuple(ofcolor(I, ONE))
    x2 = repeat(DOWN, size(x1))
    x3 = mpapply(connect, x1, papply(add, x1, x2))
    O = fill(I, FOUR, x3)

input
    100
    010
    000
value
    (0, 2, 2)
value
    frozenset({0, 1, 2})
output
    400
    440
    040

input
    22
value
    (0, 2, 2)
value
    frozenset({4})
output
    22
