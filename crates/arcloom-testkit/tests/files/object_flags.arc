# The three switches of `objects`: one colour only, diagonals, without the background.
program
    O = size(objects(I, T, F, T))

program
    O = size(objects(I, T, T, T))

program
    O = size(objects(I, F, F, T))

program
    O = size(objects(I, F, T, F))

program
    O = objects(I, T, T, T)

input
    120
    012
    300
value
    5
value
    3
value
    2
value
    1
value
    frozenset({frozenset({(1, (0, 0)), (1, (1, 1))}), frozenset({(2, (0, 1)), (2, (1, 2))}), frozenset({(3, (2, 0))})})

input
    000
    000
value
    0
value
    0
value
    0
value
    1
value
    frozenset()

input
    7
value
    0
value
    0
value
    0
value
    1
value
    frozenset()
