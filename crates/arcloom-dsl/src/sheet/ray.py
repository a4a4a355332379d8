def sheet_smear(sheet, directions):
    rows, place = sheet_read(sheet)
    steps = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (-1, 1), (1, -1))
    if any(step not in steps for step in directions):
        raise ValueError("no such direction")
    tall, wide = len(rows), len(rows[0])
    cells = [list(row) for row in rows]
    for di, dj in (step for step in steps if step in directions):
        for i in range(tall):
            for j in range(wide):
                if 0 <= i - di < tall and 0 <= j - dj < wide:
                    continue
                a, b, color = i, j, 0
                while 0 <= a < tall and 0 <= b < wide:
                    color = rows[a][b] or color
                    cells[a][b] = color or cells[a][b]
                    a, b = a + di, b + dj
    return sheet_made(cells, place)


def sheet_segments(line):
    drawn, last = [0] * len(line), None
    for k, color in enumerate(line):
        if color:
            if last is not None and line[last] == color:
                drawn[last + 1 : k] = [color] * (k - last - 1)
            last = k
    return drawn


def sheet_connect(sheet, direction):
    rows, place = sheet_read(sheet)
    down, right = sheet_axes(direction)
    level = [sheet_segments(row) if right else [0] * len(row) for row in rows]
    upright = [sheet_segments(column) if down else [0] * len(column) for column in zip(*rows)]
    return sheet_made(sheet_cells(rows, lambda i, j, cell: upright[j][i] or level[i][j]), place)


def sheet_spread(sheet, hold):
    rows, place = sheet_read(sheet)
    held = sheet_majority(rows) if hold else 0
    cells = [list(row) for row in rows]
    queue = [(i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell and cell != held]
    for i, j in queue:
        for a, b in sheet_near(rows, i, j, False):
            if cells[a][b] == 0:
                cells[a][b] = cells[i][j]
                queue.append((a, b))
    return sheet_made(cells, place)
