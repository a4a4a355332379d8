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
fails
    divide: division by zero
fails
    downscale: division by zero
fails
    vsplit: division by zero
fails
    interval: argument 3 is outside its range of meaning
