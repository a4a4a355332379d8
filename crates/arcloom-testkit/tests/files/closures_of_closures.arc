# Closures that hold closures: compose, chain and fork within each other.
program
    x1 = compose(size, palette)
    x2 = fork(multiply, x1, height)
    x3 = compose(double, x2)
    O = x3(I)

program
    x1 = chain(increment, size, palette)
    x2 = compose(flip, even)
    x3 = compose(x2, x1)
    O = branch(x3(I), hmirror(I), I)

program
    x1 = fork(hconcat, identity, vmirror)
    x2 = fork(vconcat, x1, compose(hmirror, x1))
    O = x2(I)

input
    12
    34
value
    16
output
    34
    12
output
    1221
    3443
    3443
    1221

input
    7
value
    2
output
    7
output
    77
    77
