# Moving until something is touched.
program
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = other(x1, x2)
    x4 = gravitate(x3, x2)
    O = move(I, x3, x4)

input
    10000
    00000
    00222

input
    10
    02

input
    1
