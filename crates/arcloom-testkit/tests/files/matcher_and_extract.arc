# `matcher` compares with a value; `extract` gives the first element that a condition holds for,
# and fails where there is none.
program
    x1 = objects(I, T, F, T)
    x2 = matcher(size, TWO)
    x3 = extract(x1, x2)
    O = toindices(x3)

input
    0110
    0000
    0333

input
    0100

input
    000
    000
