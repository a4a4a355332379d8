# Painting outside the grid is skipped; colours beyond 9 are numbers like others.
program
    x1 = shift(asobject(I), UNITY)
    O = paint(I, x1)

program
    x1 = neighbors(ORIGIN)
    O = fill(I, FIVE, x1)

program
    O = canvas(TEN, UNITY)

program
    x1 = shoot(ORIGIN, NEG_UNITY)
    O = size(x1)

input
    12
    34
output
    12
    31
output
    15
    55
value
    ((10,),)
value
    43
