# Dividing by nothing.
program
    O = divide(width(I), subtract(height(I), height(I)))

program
    O = downscale(I, ZERO)

program
    O = vsplit(I, ZERO)

program
    O = interval(ZERO, width(I), ZERO)

input
    12
    34
