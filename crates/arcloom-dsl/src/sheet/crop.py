def sheet_trim(sheet):
    rows, place = sheet_read(sheet)
    return sheet_gathered(rows, place, [(i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell])


def sheet_squeeze(sheet):
    rows, _ = sheet_read(sheet)
    kept = [j for j in range(len(rows[0])) if any(row[j] for row in rows)]
    return sheet_made([[row[j] for j in kept] for row in rows if any(row)], (0, 0))


def sheet_merge_runs(sheet):
    rows, _ = sheet_read(sheet)
    columns = list(zip(*rows))
    kept = [j for j in range(len(columns)) if j == 0 or columns[j] != columns[j - 1]]
    runs = [i for i in range(len(rows)) if i == 0 or rows[i] != rows[i - 1]]
    return sheet_made([[rows[i][j] for j in kept] for i in runs], (0, 0))


def sheet_half(sheet, direction):
    rows, (top, left) = sheet_read(sheet)
    tall, wide = len(rows), len(rows[0])
    cut = {
        (0, -1): (0, 0, tall, wide // 2),
        (0, 1): (0, wide - wide // 2, tall, wide),
        (-1, 0): (0, 0, tall // 2, wide),
        (1, 0): (tall - tall // 2, 0, tall, wide),
    }
    a, b, c, d = cut[direction]
    return sheet_made([row[b:d] for row in rows[a:c]], (top + a, left + b))


def sheet_inner(sheet):
    rows, (top, left) = sheet_read(sheet)
    return sheet_made([row[1:-1] for row in rows[1:-1]], (top + 1, left + 1))


def sheet_under(sheet, picture):
    rows, (top, left) = sheet_read(sheet)
    below, (a, b) = sheet_read(picture)

    def seen(i, j, cell):
        y, x = i + top - a, j + left - b
        return below[y][x] if 0 <= y < len(below) and 0 <= x < len(below[0]) else 0

    return sheet_made(sheet_cells(rows, seen), (top, left))


def sheet_home(sheet):
    return sheet_made(sheet_read(sheet)[0], (0, 0))


def sheet_spot(sheet):
    rows, place = sheet_read(sheet)
    return sheet_made([[sheet_majority(rows)]], place)


def sheet_blank(sheet):
    return sheet_recolored(sheet, lambda cell: 0)


def sheet_solid(sheet):
    color = sheet_majority(sheet_read(sheet)[0])
    return sheet_recolored(sheet, lambda cell: color)


def sheet_middle(sheet):
    rows, (top, left) = sheet_read(sheet)
    tall, wide = 2 - len(rows) % 2, 2 - len(rows[0]) % 2
    return sheet_made([[1] * wide] * tall, (top + (len(rows) - tall) // 2, left + (len(rows[0]) - wide) // 2))
