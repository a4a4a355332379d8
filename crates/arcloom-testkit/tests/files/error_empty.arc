# Asking an empty container for something. Corners and extremes of nothing have a value, as in arc-dsl.
program
    x1 = ofcolor(I, NINE)
    O = first(x1)

program
    x1 = ofcolor(I, NINE)
    O = ulcorner(x1)

program
    O = maximum(difference(palette(I), palette(I)))

program
    O = argmin(objects(I, T, F, T), size)

program
    O = mostcommon(())

input
    11
    11
fails
    first: there is no such element: the container is empty or nothing matches
value
    ()
value
    0
fails
    argmin: there is no such element: the container is empty or nothing matches
fails
    mostcommon: there is no such element: the container is empty or nothing matches

input
    19
value
    (0, 1)
value
    (0, 1)
value
    0
value
    frozenset({(9, (0, 1))})
fails
    mostcommon: there is no such element: the container is empty or nothing matches
