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
fails
    called a value that is not a function
fails
    hmirror: function called with 2 arguments
fails
    fill: function called with 1 arguments
