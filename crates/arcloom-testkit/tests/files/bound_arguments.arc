# `lbind` fixes the first argument and `rbind` the last, also of functions of three.
program
    x1 = rbind(subtract, ONE)
    x2 = lbind(subtract, TEN)
    O = astuple(x1(width(I)), x2(width(I)))

program
    x1 = lbind(fill, I)
    x2 = rbind(x1, ofcolor(I, ONE))
    O = x2(THREE)

program
    x1 = rbind(replace, NINE)
    x2 = rbind(x1, ONE)
    O = x2(I)

input
    101
    110
value
    (2, 7)
output
    303
    330
output
    909
    990

input
    000
    000
value
    (2, 7)
output
    000
    000
output
    000
    000
