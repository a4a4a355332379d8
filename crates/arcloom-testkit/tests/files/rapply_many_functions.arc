# A set of functions applied to one value.
program
    x1 = insert(vmirror, initset(hmirror))
    x2 = rapply(x1, I)
    O = merge(totuple(x2))

program
    x1 = astuple(height, width)
    O = rapply(x1, I)

input
    12
    34
output
    21
    43
    34
    12
value
    (2, 2)

input
    7
output
    7
value
    (1, 1)
