def sheet_separator(rows):
    tall, wide = len(rows), len(rows[0])
    counts = sheet_counts(rows)
    columns = list(zip(*rows))
    best, found = None, None
    for color in range(10):
        level = color in columns[0] and color in columns[-1]
        if not counts[color] or not (level or color in rows[0] and color in rows[-1]):
            continue
        lines = sheet_groups(rows, lambda cell: cell == color, lambda a, b: True, True)
        on_rim = lambda i, j: i in (0, tall - 1) or j in (0, wide - 1)
        edge = {at for line in lines if any(on_rim(i, j) for i, j in line) for at in line}
        parts = sheet_groups(rows, lambda cell: cell != color, lambda a, b: True, True)
        opens = lambda part: any(near in edge for i, j in part for near in sheet_near(rows, i, j, True))
        if len(parts) >= 2 and all(opens(part) for part in parts):
            smallest = min(len(part) for part in parts)
            if best is None or smallest > best:
                best, found = smallest, color
    return found


def split_cut(sheet):
    rows, place = sheet_read(sheet)
    color = sheet_separator(rows)
    if color is None:
        raise ValueError("nothing separates")
    parts = sheet_groups(rows, lambda cell: cell != color, lambda a, b: True, True)
    return sheet_nonempty([sheet_gathered(rows, place, part) for part in parts])


def split_colors(sheet):
    counts = sheet_counts(sheet_read(sheet)[0])
    return sheet_nonempty([sheet_keep(sheet, c) for c in range(1, 10) if counts[c]])


def split_blobs(sheet):
    rows, place = sheet_read(sheet)
    parts = sheet_groups(rows, bool, lambda a, b: a == b, False)
    return sheet_nonempty([sheet_gathered(rows, place, part) for part in parts])


def split_things(sheet):
    rows, place = sheet_read(sheet)
    parts = sheet_groups(rows, bool, lambda a, b: True, True)
    return sheet_nonempty([sheet_gathered(rows, place, part) for part in parts])


def split_rows(sheet):
    rows, (top, left) = sheet_read(sheet)
    return tuple(sheet_made([row], (top + i, left)) for i, row in enumerate(rows))


def split_columns(sheet):
    rows, (top, left) = sheet_read(sheet)
    return tuple(sheet_made([[cell] for cell in column], (top, left + j)) for j, column in enumerate(zip(*rows)))


def split_marked(sheet):
    rows, (top, left) = sheet_read(sheet)
    tall, wide = len(rows), len(rows[0])
    found = []

    def angle(i, j, at, color):
        return all((rows[i + d // 2][j + d % 2] == color) == (d != 3 - at) for d in range(4))

    for i in range(tall - 1):
        for j in range(wide - 1):
            color = rows[i][j]
            if not color or not angle(i, j, 0, color):
                continue
            for right in range(j + 2, wide - 1):
                if not angle(i, right, 1, color):
                    continue
                for low in range(i + 2, tall - 1):
                    if angle(low, j, 2, color) and angle(low, right, 3, color):
                        inside = [[cell or 2 for cell in row[j + 1 : right + 1]] for row in rows[i + 1 : low + 1]]
                        found.append(sheet_made(inside, (top + i + 1, left + j + 1)))
    return sheet_nonempty(found)


def split_fallen(sheet, direction):
    rows, (top, left) = sheet_read(sheet)
    keys = {
        (0, 1): lambda s: -(s[1][1] + len(s[0][0])),
        (0, -1): lambda s: s[1][1],
        (1, 0): lambda s: -(s[1][0] + len(s[0])),
        (-1, 0): lambda s: s[1][0],
    }
    taken, found = set(), []
    for cells, (a, b) in sorted(split_blobs(sheet), key=keys[direction]):
        def lies(y, x):
            return [(i + y - top, j + x - left) for i, row in enumerate(cells) for j, cell in enumerate(row) if cell]

        def free(places):
            return all(0 <= i < len(rows) and 0 <= j < len(rows[0]) and (i, j) not in taken for i, j in places)

        while free(lies(a + direction[0], b + direction[1])):
            a, b = a + direction[0], b + direction[1]
        taken.update(lies(a, b))
        found.append(sheet_made(cells, (a, b)))
    return sheet_nonempty(found)
