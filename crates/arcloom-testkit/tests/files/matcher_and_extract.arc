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
value
    frozenset({(0, 1), (0, 2)})

input
    0100
fails
    extract: there is no such element: the container is empty or nothing matches

input
    000
    000
fails
    extract: there is no such element: the container is empty or nothing matches
