def lookup_cells(sheets, table):
    found = sheet_list(sheets)
    if not isinstance(table, tuple):
        raise TypeError("a table is needed")
    colors = {}
    for key, color in table:
        colors.setdefault(tuple(sheet_color(c) for c in key), sheet_color(color))
    rows, place = found[0]
    if any((len(other), len(other[0])) != (len(rows), len(rows[0])) for other, _ in found):
        raise ValueError("sheets of one size are needed")
    return sheet_made(sheet_cells(rows, lambda i, j, cell: colors[tuple(other[i][j] for other, _ in found)]), place)
