# What the demo pairs say about all inputs: `S` is walked once for a task.
program
    x1 = apply(first, S)
    x2 = merge(apply(palette, x1))
    O = x2

program
    O = first(first(S))

program
    x1 = apply(last, S)
    x2 = mapply(palette, x1)
    O = replace(I, ZERO, maximum(x2))

program
    O = size(S)

demo
    12
    21
    ->
    34
    43

demo
    11
    10
    ->
    55
    50

input
    010
    000
value
    (1, 2, 0, 1)
output
    12
    21
output
    515
    555
value
    2
