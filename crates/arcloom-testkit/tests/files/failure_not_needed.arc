# A call that fails matters only where its value is on the way to `O`, taken or not.
program
    x1 = first(ofcolor(I, NINE))
    O = hmirror(I)

program
    x1 = first(ofcolor(I, NINE))
    O = branch(T, I, x1)

input
    12
    34
output
    34
    12
fails
    first: there is no such element: the container is empty or nothing matches
