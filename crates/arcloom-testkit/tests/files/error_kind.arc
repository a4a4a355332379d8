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
fails
    objects: argument 1 has the wrong kind
fails
    hconcat: argument 2 has the wrong kind
fails
    add: an element has the wrong kind
fails
    upscale: argument 2 has the wrong kind
