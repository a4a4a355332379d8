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
    22200
output
    00000
    10000
    22200

input
    10001
    00000
    22200
output
    00001
    10000
    22200

input
    10
    02
output
    10
    20

input
    1
fails
    argmax: there is no such element: the container is empty or nothing matches
