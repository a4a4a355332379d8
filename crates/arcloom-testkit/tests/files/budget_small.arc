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
value
    frozenset()
output
    1
fails
    apply: over budget

input
    101010101010
    010101010101
    101010101010
    010101010101
value
    frozenset({frozenset({(1, (0, 0))}), frozenset({(1, (0, 2))}), frozenset({(1, (0, 4))}), frozenset({(1, (0, 6))}), frozenset({(1, (0, 8))}), frozenset({(1, (0, 10))}), frozenset({(1, (1, 1))}), frozenset({(1, (1, 3))}), frozenset({(1, (1, 5))}), frozenset({(1, (1, 7))}), frozenset({(1, (1, 9))}), frozenset({(1, (1, 11))}), frozenset({(1, (2, 0))}), frozenset({(1, (2, 2))}), frozenset({(1, (2, 4))}), frozenset({(1, (2, 6))}), frozenset({(1, (2, 8))}), frozenset({(1, (2, 10))}), frozenset({(1, (3, 1))}), frozenset({(1, (3, 3))}), frozenset({(1, (3, 5))}), frozenset({(1, (3, 7))}), frozenset({(1, (3, 9))}), frozenset({(1, (3, 11))})})
output
    010101010101
    101010101010
    010101010101
    101010101010
fails
    interval: over budget
