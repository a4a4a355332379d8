# Findings over pairs: colours that outputs have and inputs lack, and the other way round.
program
    O = c_zo_n(S, palette, first)

program
    O = c_iz(S, palette)

program
    O = fill(I, c_zo_n(S, palette, first), ofcolor(I, ZERO))

demo
    0110
    ->
    4114

demo
    1000
    ->
    1444

input
    0110
value
    4
value
    (0,)
output
    4114

input
    7
value
    4
value
    (0,)
output
    7
