# Where an object occurs, and its periods.
program
    x1 = asobject(crop(I, ORIGIN, TWO_BY_TWO))
    O = occurrences(I, x1)

program
    O = hperiod(asobject(I))

program
    O = vperiod(asobject(I))

program
    O = frontiers(I)

input
    1212
    3434
    1212
value
    frozenset({(0, 0), (0, 2)})
value
    2
value
    2
value
    frozenset()

input
    1111
    0101
value
    frozenset({(0, 0), (0, 2)})
value
    2
value
    2
value
    frozenset({frozenset({(1, (0, 0)), (1, (0, 1)), (1, (0, 2)), (1, (0, 3))}), frozenset({(1, (0, 1)), (1, (1, 1))}), frozenset({(1, (0, 3)), (1, (1, 3))})})
