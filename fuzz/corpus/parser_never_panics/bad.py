def solve_c(I):
    O = rot90(rot90(I
    return O


X = (1, (2, 3), {4, 5})
