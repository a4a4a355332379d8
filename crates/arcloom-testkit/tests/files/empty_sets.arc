# Sets without elements: filters of them, unions with them, painting them.
program
    x1 = ofcolor(I, NINE)
    O = fill(I, ONE, x1)

program
    x1 = ofcolor(I, NINE)
    O = combine(x1, x1)

program
    x1 = objects(I, T, F, T)
    O = paint(I, merge(x1))

program
    x1 = frozenset()
    O = size(x1)

program
    O = apply(first, ofcolor(I, NINE))

program
    O = sfilter(ofcolor(I, NINE), flip)

input
    000
    000
output
    000
    000
value
    frozenset()
output
    000
    000
value
    0
value
    frozenset()
value
    frozenset()

input
    12
output
    12
value
    frozenset()
output
    12
value
    0
value
    frozenset()
value
    frozenset()
