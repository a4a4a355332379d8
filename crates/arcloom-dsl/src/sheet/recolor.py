def sheet_things_recolored(found, values, table):
    if not isinstance(table, tuple):
        raise TypeError("a table is needed")
    colors = {}
    for value, color in table:
        if not -1 <= color <= 9:
            raise ValueError("no such colour")
        colors.setdefault(value, color)
    changes = [(thing, colors[value]) for thing, value in zip(found, values)]
    return overlay(sheet_nonempty([thing if color < 0 else sheet_dye(thing, color) for thing, color in changes if color]))


def recolor_by(sheets, measure, table):
    found = sheet_list(sheets)
    return sheet_things_recolored(found, [measure(value) for value in found], table)


def recolor_by_rank(sheets, measure, table):
    found = sheet_list(sheets)
    values = [measure(value) for value in found]
    falling = sorted(set(values), reverse=True)
    return sheet_things_recolored(found, [falling.index(value) for value in values], table)
