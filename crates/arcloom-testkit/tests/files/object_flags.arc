# The three switches of `objects`: one colour only, diagonals, without the background.
program
    O = size(objects(I, T, F, T))

program
    O = size(objects(I, T, T, T))

program
    O = size(objects(I, F, F, T))

program
    O = size(objects(I, F, T, F))

program
    O = objects(I, T, T, T)

input
    120
    012
    300

input
    000
    000

input
    7
