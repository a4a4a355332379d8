# The odd one, the usual one, and the largest of several sheets.
program
    O = sheet_grid(pick_odd(split_cut(as_sheet(I))))

program
    O = size(split_columns(as_sheet(I)))

program
    O = size(keep_most_by(split_blobs(as_sheet(I)), sheet_area))

program
    O = sheet_grid(pick_usual(split_rows(as_sheet(I))))

input
    110
    110
    020

input
    11511
    10511
