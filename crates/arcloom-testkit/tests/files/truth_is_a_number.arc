# True and 1 are one value, as in Python.
program
    O = equality(T, ONE)

program
    O = add(T, T)

program
    O = branch(height(I), hmirror(I), I)

program
    O = contained(T, palette(I))

program
    O = initset(T)

input
    10
    02
value
    1
value
    2
output
    02
    10
value
    1
value
    frozenset({1})
