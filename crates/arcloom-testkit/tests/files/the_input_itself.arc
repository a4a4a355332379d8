# Programs without a call: the input, a constant, the pairs.
program
    O = I

program
    O = THREE

program
    O = S

program
    O = identity

demo
    1
    ->
    2

input
    12
    34

input
    7
