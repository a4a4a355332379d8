# `power` applies a function that many times.
program
    x1 = power(rot90, THREE)
    O = x1(I)

program
    x1 = power(double, TEN)
    O = x1(height(I))

program
    x1 = power(trim, TWO)
    O = x1(I)

input
    123
    456

input
    7

input
    11111
    12221
    12321
    12221
    11111
