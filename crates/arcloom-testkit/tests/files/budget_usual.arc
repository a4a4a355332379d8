# What grows without bound is stopped by the usual budget.
program
    x1 = power(fork(hconcat, identity, identity), TEN)
    O = width(x1(I))

program
    x1 = interval(ZERO, 100000, ONE)
    O = size(product(x1, x1))

input
    12
value
    2048
fails
    product: over budget
