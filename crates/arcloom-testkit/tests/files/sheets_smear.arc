# Smeared to a side, and what stays of it within a mask.
program
    x1 = as_sheet(I)
    O = sheet_grid(sheet_smear(x1, initset(DOWN)))

program
    x1 = as_sheet(I)
    O = sheet_grid(sheet_mask_out(sheet_smear(x1, astuple(LEFT, RIGHT)), x1))

input
    0100
    0000
    2000
output
    0100
    0100
    2100
output
    1011
    0000
    0222

input
    000
    000
output
    000
    000
output
    000
    000
