# A call may cost this much and no more; the same call on a smaller grid is within.
program
    O = objects(I, T, F, T)

program
    O = hmirror(I)

program
    O = apply(lambda a: apply(lambda b: add(a, b), interval(ZERO, TEN, ONE)), interval(ZERO, multiply(TEN, width(I)), ONE))

budget
    60

input
    1

input
    101010101010
    010101010101
    101010101010
    010101010101
