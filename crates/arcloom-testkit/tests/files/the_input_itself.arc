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
output
    12
    34
value
    3
value
    ((((1,),), ((2,),)),)
value
    identity

input
    7
output
    7
value
    3
value
    ((((1,),), ((2,),)),)
value
    identity
