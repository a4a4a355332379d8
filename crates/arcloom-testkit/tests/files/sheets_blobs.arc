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

input
    22
    22

input
    000
    000
