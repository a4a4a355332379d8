# Sheets: split into blobs, the outline of each dyed, laid over one another.
program
    x1 = as_sheet(I)
    x2 = split_blobs(x1)
    x3 = map_sheets(x2, sheet_outline)
    x4 = overlay(x3)
    O = sheet_grid(sheet_lay(x1, sheet_dye(x4, THREE)))

input
    00000
    01110
    01110
    01110
    00000
output
    00000
    03330
    03130
    03330
    00000

input
    22
    22
output
    33
    33

input
    000
    000
fails
    split_blobs: there is no such element: the container is empty or nothing matches
