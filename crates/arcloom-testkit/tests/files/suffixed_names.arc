# Names with a suffix mean the primitive without it.
program
    O = vmirror_t(hmirror_t(I))

program
    O = toindices_o(argmax_f(objects(I, T, F, T), height_f))

program
    O = apply_t(first_t, I)

program
    O = size_f(remove_f(ZERO, palette(I)))

program
    O = upscale_t(I, TWO)

input
    12
    30
output
    03
    21
value
    frozenset({(0, 0)})
value
    (1, 3)
value
    3
output
    1122
    1122
    3300
    3300
