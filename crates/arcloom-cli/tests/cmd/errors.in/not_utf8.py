def solve_x(I):
    O = rot90(I)  # éÿ
    return O
