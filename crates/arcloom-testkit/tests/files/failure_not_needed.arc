# A failing call whose value nobody needs fails all the same only where it is on the way to `O`.
program
    x1 = first(ofcolor(I, NINE))
    O = hmirror(I)

program
    x1 = first(ofcolor(I, NINE))
    O = branch(T, I, x1)

input
    12
    34
