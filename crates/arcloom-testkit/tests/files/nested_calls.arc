# Calls within calls, written on one line, with values used twice.
program
    O = fill(I, add(mostcolor(I), ONE), corners(ofcolor(I, leastcolor(I))))

input
    1111
    1221
    1111
output
    1111
    1221
    1111

input
    7
output
    8
