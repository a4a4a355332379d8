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

input
    5

input
    000
    000
