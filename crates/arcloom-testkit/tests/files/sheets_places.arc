# A sheet keeps its place: trimmed, put back, embedded, its top and left.
program
    x1 = sheet_trim(as_sheet(I))
    O = astuple(sheet_top(x1), sheet_left(x1))

program
    x1 = sheet_trim(as_sheet(I))
    O = sheet_grid(x1)

program
    x1 = sheet_trim(as_sheet(I))
    x2 = sheet_turn(x1, vmirror)
    O = sheet_grid(sheet_embed(x2, shape(I)))

input
    0000
    0012
    0030
value
    (1, 2)
output
    12
    30
output
    0000
    0021
    0003

input
    5
value
    (0, 0)
output
    5
output
    5

input
    000
    000
fails
    sheet_trim: there is no such element: the container is empty or nothing matches
fails
    sheet_trim: there is no such element: the container is empty or nothing matches
fails
    sheet_trim: there is no such element: the container is empty or nothing matches
