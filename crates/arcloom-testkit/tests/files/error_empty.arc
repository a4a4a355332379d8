# Asking an empty container for something.
program
    x1 = ofcolor(I, NINE)
    O = first(x1)

program
    x1 = ofcolor(I, NINE)
    O = ulcorner(x1)

program
    O = maximum(difference(palette(I), palette(I)))

program
    O = argmin(objects(I, T, F, T), size)

program
    O = mostcommon(())

input
    11
    11

input
    19
