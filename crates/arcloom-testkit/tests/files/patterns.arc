# Where an object occurs, and its periods.
program
    x1 = asobject(crop(I, ORIGIN, TWO_BY_TWO))
    O = occurrences(I, x1)

program
    O = hperiod(asobject(I))

program
    O = vperiod(asobject(I))

program
    O = frontiers(I)

input
    1212
    3434
    1212

input
    1111
    0101
