# A failure inside a closure names the function that failed, not the one that called it.
program
    x1 = compose(first, rbind(sizefilter, NINE))
    O = x1(objects(I, T, F, T))

program
    O = mapply(lambda o: crop(I, ulcorner(o), ulcorner(o)), objects(I, T, F, T))

input
    010
fails
    first: there is no such element: the container is empty or nothing matches
value
    frozenset()

input
    000
fails
    first: there is no such element: the container is empty or nothing matches
value
    frozenset()
