# Calling what is no function, and functions with too many arguments.
program
    x1 = identity(width(I))
    O = x1(I)

program
    x1 = identity(hmirror)
    O = x1(I, I)

program
    O = apply(fill, palette(I))

input
    12
    34
