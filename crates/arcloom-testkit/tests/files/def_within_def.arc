# A file may call its own helpers; they are inlined.
program
    def both_mirrors(grid):
        x1 = hmirror(grid)
        O = vmirror(x1)
        return O


    def solve_turned(I):
        x1 = both_mirrors(I)
        O = hconcat(I, x1)
        return O

input
    12
    34
output
    1243
    3421

input
    7
output
    77
