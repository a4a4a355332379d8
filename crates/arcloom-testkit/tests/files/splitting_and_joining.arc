# Grids cut apart, compared cell by cell and put together.
program
    x1 = lefthalf(I)
    x2 = righthalf(I)
    O = cellwise(x1, x2, ZERO)

program
    x1 = hsplit(I, TWO)
    O = apply(leastcolor, x1)

program
    O = vconcat(tophalf(I), bottomhalf(I))

program
    O = compress(I)

program
    O = dmirror(hconcat(I, I))

input
    1213
    1414
output
    10
    14
value
    (2, 3)
output
    1213
    1414
output
    23
    44
output
    11
    24
    11
    34
    11
    24
    11
    34

input
    123
    123
    456
output
    0
    0
    0
value
    (4, 6)
output
    123
    456
output
    123
    123
    456
output
    114
    225
    336
    114
    225
    336
