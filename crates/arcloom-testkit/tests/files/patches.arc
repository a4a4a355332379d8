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
output
    22222
    21012
    20002
    21002
    22222
output
    00000
    01210
    02220
    01220
    00000
output
    00000
    01310
    03330
    01330
    00000
output
    00000
    01010
    00400
    01000
    00000
output
    11
    22

input
    1
output
    1
output
    1
output
    3
output
    1
output
    00
    00
