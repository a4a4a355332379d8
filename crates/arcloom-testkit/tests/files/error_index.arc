# Outside the container, and outside the grid where that is a failure.
program
    O = crop(I, ORIGIN, TEN_BY_TEN)

program
    x1 = astuple(FIVE, FIVE)
    O = crop(I, x1, UNITY)

program
    O = hsplit(I, FIVE)

program
    x1 = astuple(FIVE, FIVE)
    O = index(I, x1)

input
    12
    34
