# A value of the wrong kind fails in the function that cannot use it.
program
    O = objects(width(I), T, F, T)

program
    O = hconcat(I, THREE)

program
    O = add(I, ONE)

program
    O = upscale(I, I)

input
    12
    34
