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
output
    36
    25
    14
value
    2048
value
    ()

input
    7
output
    7
value
    1024
value
    ()

input
    11111
    12221
    12321
    12221
    11111
output
    11111
    12221
    12321
    12221
    11111
value
    5120
output
    3
