# Names for numbers, pairs and truth.
program
    O = (T, F, ZERO, TEN, NEG_ONE, NEG_TWO)

program
    O = (ORIGIN, UNITY, UP, DOWN, LEFT, RIGHT, NEG_UNITY, UP_RIGHT, DOWN_LEFT)

program
    O = canvas(NINE, TWO_BY_TWO)

program
    O = -3

program
    O = (ZERO_BY_TWO, TWO_BY_ZERO, THREE_BY_THREE)

input
    1
value
    (1, 0, 0, 10, -1, -2)
value
    ((0, 0), (1, 1), (-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1))
output
    99
    99
value
    -3
output
    02
    20
    33
