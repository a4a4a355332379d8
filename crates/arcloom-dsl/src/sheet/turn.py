def sheet_turn(sheet, function):
    rows, place = sheet_read(sheet)
    return sheet_read((function(rows), place))


def sheet_balance(sheet):
    rows, place = sheet_read(sheet)
    seen = [(i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell]
    across = abs(2 * sum(j for _, j in seen) - (len(rows[0]) - 1) * len(seen))
    down = abs(2 * sum(i for i, _ in seen) - (len(rows) - 1) * len(seen))
    return sheet_made([row[::-1] for row in rows] if across >= down else rows[::-1], place)
