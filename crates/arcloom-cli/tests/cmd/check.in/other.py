def solve_unheard_of(I):
    return cmirror(I)
