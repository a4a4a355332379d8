# A function bound to a colour, applied to every object, and the results painted together.
program
    x1 = objects(I, T, F, T)
    x2 = lbind(recolor, EIGHT)
    x3 = mapply(x2, x1)
    O = paint(I, x3)

input
    001100
    001000
    000000
    222002
    022000
output
    008800
    008000
    000000
    888008
    088000

input
    000
    000
output
    000
    000
