# Arithmetic on numbers, pairs and a mixture of them.
program
    O = add(shape(I), UNITY)

program
    O = multiply(shape(I), TWO)

program
    O = subtract(height(I), shape(I))

program
    O = divide(shape(I), NEG_TWO)

program
    O = (sign((-4, 3)), crement((-1, 0)), halve((-3, 3)), invert(UNITY))

program
    O = (even(height(I)), positive(ZERO), greater(height(I), width(I)))

input
    123
    456
    789
    123
    000
value
    (6, 4)
value
    (10, 6)
value
    (0, 2)
value
    (-3, -2)
value
    ((-1, 1), (-2, 0), (-2, 1), (-1, -1))
value
    (0, 0, 1)
