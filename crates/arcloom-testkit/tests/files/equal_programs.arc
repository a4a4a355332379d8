# Equal programs, and programs equal after rewriting, share their nodes and keep their names.
program
    O = hmirror(hmirror(I))

program
    O = I

program
    O = rot90(rot90(I))

program
    O = rot180(I)

program
    x1 = rot90(I)
    O = rot90(x1)

input
    12
    34
output
    12
    34
output
    12
    34
output
    43
    21
output
    43
    21
output
    43
    21

input
    1
output
    1
output
    1
output
    1
output
    1
output
    1
