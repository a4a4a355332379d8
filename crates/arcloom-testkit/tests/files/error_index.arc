# Outside the container and outside the grid. What is cut out is cut off there, as in Python; a place
# that is not there is None; a ranked element that is not there fails.
program
    O = crop(I, ORIGIN, (TEN, TEN))

program
    x1 = astuple(FIVE, FIVE)
    O = crop(I, x1, UNITY)

program
    O = hsplit(I, FIVE)

program
    x1 = astuple(FIVE, FIVE)
    O = index(I, x1)

program
    O = get_nth_t(I, FIVE)

input
    12
    34
output
    12
    34
value
    ()
value
    (((), ()), ((), ()), ((), ()), ((), ()), ((), ()))
value
    None
fails
    get_nth_t: index out of range
