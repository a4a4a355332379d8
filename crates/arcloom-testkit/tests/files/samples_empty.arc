# Without demo pairs `S` is the empty tuple: its size is 0 and it has no first pair.
program
    O = size(S)

program
    O = first(S)

program
    O = apply(first, S)

input
    7
value
    0
fails
    first: there is no such element: the container is empty or nothing matches
value
    ()
