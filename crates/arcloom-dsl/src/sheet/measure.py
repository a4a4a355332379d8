def sheet_area(sheet):
    return sum(cell != 0 for row in sheet_read(sheet)[0] for cell in row)


def sheet_frame_area(sheet):
    return sheet_height(sheet) * sheet_width(sheet)


def sheet_numcolors(sheet):
    return sum(n > 0 for n in sheet_counts(sheet_read(sheet)[0])[1:])


def sheet_numpieces(sheet):
    return len(sheet_groups(sheet_read(sheet)[0], bool, lambda a, b: True, True))


def sheet_numgaps(sheet):
    if sheet_area(sheet) == 0:
        return 0
    trimmed = sheet_trim(sheet)
    return sheet_frame_area(trimmed) - sheet_area(trimmed)


def sheet_numholes(sheet):
    return sheet_area(sheet_holes(sheet))


def sheet_top(sheet):
    return sheet_read(sheet)[1][0]


def sheet_left(sheet):
    return sheet_read(sheet)[1][1]


def sheet_symmetry(sheet):
    rows, _ = sheet_read(sheet)
    return int(rows == rows[::-1]) + int(all(row == row[::-1] for row in rows))


def sheet_height(sheet):
    return len(sheet_read(sheet)[0])


def sheet_width(sheet):
    return len(sheet_read(sheet)[0][0])


def sheet_bar(sheet, measure, direction):
    rows, _ = sheet_read(sheet)
    down, right = sheet_axes(direction)
    length = measure(sheet)
    color = sheet_majority(rows)
    return sheet_made([[color] * (length if right else 1)] * (length if down else 1), (0, 0))
