# Integers are 64 bits wide; what does not fit fails.
program
    x1 = power(double, 62)
    O = x1(height(I))

program
    x1 = power(double, 70)
    O = x1(height(I))

input
    1

input
    1
    1
