# Lambdas with what they capture, within one another, and as arguments of functions.
program
    x1 = mostcolor(I)
    x2 = sfilter(asobject(I), lambda cell: flip(equality(first(cell), x1)))
    O = size(x2)

program
    x1 = lambda a: lambda b: add(a, b)
    x2 = x1(THREE)
    O = x2(height(I))

program
    O = apply(lambda n: astuple(n, double(n)), interval(ZERO, width(I), ONE))

input
    1121
    3111
value
    2
value
    5
output
    00
    12
    24
    36

input
    7
value
    0
value
    4
output
    00
