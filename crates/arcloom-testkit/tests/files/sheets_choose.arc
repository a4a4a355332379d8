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
fails
    split_cut: there is no such element: the container is empty or nothing matches
value
    3
value
    1
output
    110

input
    11511
    10511
fails
    pick_odd: there is no such element: the container is empty or nothing matches
value
    5
value
    1
fails
    pick_usual: there is no such element: the container is empty or nothing matches

input
    115115115
    115105115
output
    11
    10
value
    9
value
    2
fails
    pick_usual: there is no such element: the container is empty or nothing matches
