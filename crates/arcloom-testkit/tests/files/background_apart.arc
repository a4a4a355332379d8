# Background by colour count; ties go to the value that the order of colours says.
program
    O = mostcolor(I)

program
    O = leastcolor(I)

program
    O = numcolors(I)

program
    O = fgpartition(I)

program
    O = partition(I)

input
    12
    21

input
    110

input
    7
