# Places and objects: boxes, backdrops, what is inside and outside.
program
    x1 = ofcolor(I, ONE)
    O = fill(I, TWO, outbox(x1))

program
    x1 = ofcolor(I, ONE)
    O = fill(I, TWO, delta(x1))

program
    x1 = ofcolor(I, ONE)
    O = underfill(I, THREE, backdrop(x1))

program
    x1 = ofcolor(I, ONE)
    O = fill(I, FOUR, inbox(x1))

program
    x1 = ofcolor(I, ONE)
    O = astuple(centerofmass(x1), center(x1))

input
    00000
    01010
    00000
    01000
    00000

input
    1
