# What a sheet encloses, and how many holes it has.
program
    O = sheet_grid(sheet_lay(as_sheet(I), sheet_dye(sheet_holes(as_sheet(I)), FOUR)))

program
    O = sheet_numholes(as_sheet(I))

input
    1111
    1001
    1111
output
    1111
    1441
    1111
value
    2

input
    1110
    1010
    1110
output
    1110
    1410
    1110
value
    1

input
    000
    000
output
    000
    000
value
    0
