def solve(S, I, C):
    x1 = c_iz_n(S, p_g, first)
    O = fill(I, x1, frozenset({(0, 0), (1, -1)}))
    return O
