# Background by colour count; ties go to the value that the order of colours says.
program
    O = mostcolor(I)

program
    O = leastcolor(I)

program
    O = numcolors(I)

program
    O = fgpartition(I)

program
    O = partition(I)

input
    12
    21
value
    1
value
    1
value
    2
value
    frozenset({frozenset({(2, (0, 1)), (2, (1, 0))})})
value
    frozenset({frozenset({(1, (0, 0)), (1, (1, 1))}), frozenset({(2, (0, 1)), (2, (1, 0))})})

input
    110
value
    1
value
    0
value
    2
value
    frozenset({frozenset({(0, (0, 2))})})
value
    frozenset({frozenset({(0, (0, 2))}), frozenset({(1, (0, 0)), (1, (0, 1))})})

input
    7
value
    7
value
    7
value
    1
value
    frozenset()
value
    frozenset({frozenset({(7, (0, 0))})})
