def order_key(value):
    if value is None:
        return (0,)
    if isinstance(value, int):
        return (1, int(value))
    if isinstance(value, tuple):
        return (2, tuple(order_key(v) for v in value))
    if isinstance(value, frozenset):
        return (3, tuple(sorted(order_key(v) for v in value)))
    return (4, getattr(value, "__name__", ""))


def in_order(container):
    return container if isinstance(container, tuple) else tuple(sorted(container, key=order_key))


def ranked(values, rank):
    if not -len(values) <= rank < len(values):
        raise IndexError("no such rank")
    return values[rank]


def commonest(values, rank):
    distinct = tuple(dict.fromkeys(values))
    return ranked(sorted(distinct, key=values.count, reverse=True), rank)


def second(container):
    return ranked(in_order(container), 1)


def get_nth_t(container, rank):
    if not isinstance(container, tuple):
        raise TypeError("a tuple is needed")
    return ranked(container, rank)


def get_nth_f(container, rank):
    return ranked(in_order(container), rank)


def get_nth_by_key_t(container, rank, key):
    return ranked(sorted(in_order(container), key=key), rank)


def get_nth_by_key_f(container, rank, key):
    return ranked(sorted(in_order(container), key=key), rank)


def get_color_rank_t(grid, rank):
    return commonest([v for row in grid for v in row], rank)


def get_color_rank_f(obj, rank):
    return commonest([v for v, _ in in_order(obj)], rank)


def get_rank(container, rank):
    if len(container) == 0:
        return 0
    return ranked(sorted(in_order(container), reverse=True), rank)


def get_arg_rank(container, compfunc, rank):
    return ranked(sorted(in_order(container), key=compfunc, reverse=True), rank)


def get_val_rank(container, compfunc, rank):
    if len(container) == 0:
        return compfunc(0)
    return compfunc(get_arg_rank(container, compfunc, rank))


def get_common_rank(container, rank):
    return commonest(sorted(container, key=order_key), rank)


def o_g(grid, type):
    if not 0 <= type < 8:
        raise ValueError("no such notion of objects")
    return objects(grid, bool(type & 4), bool(type & 2), bool(type & 1))


def o_g_t(grid, type):
    if not 0 <= type < 8:
        raise ValueError("no such notion of objects")
    return objects_t(grid, bool(type & 4), bool(type & 2), bool(type & 1))


def objects_t(grid, univalued, diagonal, without_bg):
    found = objects(grid, univalued, diagonal, without_bg)
    return tuple(sorted(found, key=lambda obj: min(place for _, place in obj)))


def mir_rot_t(grid, type):
    turns = {0: hmirror, 1: dmirror, 2: vmirror, 3: cmirror, 4: rot90, 5: rot180, 6: rot270}
    return turns.get(type, identity)(grid)


def mir_rot_f(patch, type):
    return {0: hmirror, 1: dmirror, 2: vmirror, 3: cmirror}.get(type, identity)(patch)


def corner(patch, type):
    return {1: urcorner, 2: llcorner, 3: lrcorner}.get(type, ulcorner)(patch)


def col_row(patch, type):
    return {0: lowermost, 1: uppermost, 2: leftmost, 3: rightmost}[type](patch)


def p_g(grid):
    if not isinstance(grid, tuple):
        raise TypeError("a grid is needed")
    return in_order(palette(grid))


def p_o(obj):
    return in_order(palette(obj))


def ascell(ij, c):
    return (c, (ij[0], ij[1]))


def astriple(i, j, c):
    return (c, (i, j))


def toij(c):
    _, place = c
    return place if isinstance(place, tuple) else c


def celltuple(a, b):
    return tuple((color, (i, j)) for (i, j), color in zip(in_order(a), in_order(b)))


def sizefilter_t(container, n):
    return tuple(item for item in in_order(container) if len(item) == n)


def colorfilter_t(objs, color):
    return tuple(obj for obj in in_order(objs) if in_order(obj)[0][0] == color)


def mfilter_t(container, function):
    return frozenset(item for item in container if function(item))


def is_no_grid(x):
    if not isinstance(x, tuple):
        return True
    rows = all(isinstance(row, tuple) for row in x)
    return not (rows and all(isinstance(v, int) for row in x for v in row))


def dedupe_pair_tuple(S):
    return tuple((given, wanted) for given, wanted in S if given != wanted)


def found_in(S, function, side):
    return tuple(dict.fromkeys(v for pair in S for v in in_order(function(pair[side]))))


def c_iz(S, function):
    outputs = found_in(S, function, 1)
    return tuple(v for v in found_in(S, function, 0) if v not in outputs)


def c_zo(S, function):
    inputs = found_in(S, function, 0)
    return tuple(v for v in found_in(S, function, 1) if v not in inputs)


def c_iz_n(S, function, pick):
    return pick(c_iz(S, function))


def c_zo_n(S, function, pick):
    return pick(c_zo(S, function))


def a_mr(S):
    return next(a for a in range(8) if all(mir_rot_t(given, a) == wanted for given, wanted in S))
