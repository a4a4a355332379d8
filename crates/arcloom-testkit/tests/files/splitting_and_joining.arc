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

input
    123
    123
    456
