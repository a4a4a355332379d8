# Elements of the wrong kind inside a container of the right one.
program
    O = merge(interval(ZERO, width(I), ONE))

program
    O = apply(size, interval(ZERO, width(I), ONE))

program
    O = order(totuple(insert(I, initset(ONE))), identity)

input
    12
    34
fails
    merge: an element has the wrong kind
fails
    size: argument 1 has the wrong kind
fails
    order: values of unlike kinds were compared
