def sheet_keep(sheet, color):
    color = sheet_color(color)
    return sheet_recolored(sheet, lambda cell: cell if cell == color else 0)


def sheet_erase(sheet, color):
    color = sheet_color(color)
    return sheet_recolored(sheet, lambda cell: 0 if cell == color else cell)


def sheet_dye(sheet, color):
    color = sheet_color(color)
    return sheet_recolored(sheet, lambda cell: color if cell else 0)


def sheet_invert(sheet):
    counts = sheet_counts(sheet_read(sheet)[0])
    fresh = next((c for c in range(1, 10) if not counts[c]), 1)
    return sheet_recolored(sheet, lambda cell: 0 if cell else fresh)


def sheet_keep_most(sheet):
    return sheet_keep(sheet, sheet_majority(sheet_read(sheet)[0]))


def sheet_keep_least(sheet):
    counts = sheet_counts(sheet_read(sheet)[0])
    return sheet_keep(sheet, min((c for c in range(1, 10) if counts[c]), key=lambda c: counts[c]))


def sheet_erase_most(sheet):
    return sheet_erase(sheet, sheet_majority(sheet_read(sheet)[0]))


def sheet_swap_ground(sheet):
    counts = sheet_counts(sheet_read(sheet)[0])
    ground = max(range(10), key=lambda c: counts[c])
    if ground == 0:
        raise ValueError("the ground is transparent already")
    return sheet_recolored(sheet, lambda cell: {ground: 0, 0: ground}.get(cell, cell))
