# Ranked access: the n-th by a key, by value and by how common it is.
program
    x1 = objects(I, T, F, T)
    O = get_arg_rank(x1, size, 1)

program
    x1 = objects(I, T, F, T)
    O = get_val_rank_f(x1, size, -1)

program
    O = get_common_rank_t(first(I), 0)

program
    O = get_nth_t(I, 5)

program
    O = get_nth_f(palette(I), 0)

input
    1102
    0000
    3330
value
    frozenset({(1, (0, 0)), (1, (0, 1))})
value
    1
value
    1
fails
    get_nth_t: index out of range
value
    0

input
    000
    000
fails
    get_arg_rank: there is no such element: the container is empty or nothing matches
fails
    size: argument 1 has the wrong kind
value
    0
fails
    get_nth_t: index out of range
value
    0
