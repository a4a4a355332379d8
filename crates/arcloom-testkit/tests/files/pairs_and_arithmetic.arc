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
