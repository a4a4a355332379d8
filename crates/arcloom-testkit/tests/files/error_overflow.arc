# Integers are 64 bits wide; what does not fit fails.
program
    x1 = power(double, 62)
    O = x1(height(I))

program
    x1 = power(double, 70)
    O = x1(height(I))

input
    1
value
    4611686018427387904
fails
    double: integer overflow

input
    1
    1
fails
    double: integer overflow
fails
    double: integer overflow
