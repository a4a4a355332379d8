def solve_one(I):
    return vmirror(I)
