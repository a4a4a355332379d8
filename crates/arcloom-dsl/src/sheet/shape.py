def sheet_outside(rows, diagonal):
    tall, wide = len(rows), len(rows[0])
    members = [
        (i, j)
        for i in range(tall)
        for j in range(wide)
        if rows[i][j] == 0 and (i in (0, tall - 1) or j in (0, wide - 1))
    ]
    seen = set(members)
    for i, j in members:
        for a, b in sheet_near(rows, i, j, diagonal):
            if rows[a][b] == 0 and (a, b) not in seen:
                seen.add((a, b))
                members.append((a, b))
    return seen


def sheet_filled(sheet):
    rows, place = sheet_read(sheet)
    seen, color = sheet_outside(rows, False), sheet_majority(rows)
    return sheet_made(sheet_cells(rows, lambda i, j, cell: 0 if (i, j) in seen else color), place)


def sheet_holes(sheet):
    rows, place = sheet_read(sheet)
    seen, color = sheet_outside(rows, False), sheet_majority(rows)
    return sheet_made(sheet_cells(rows, lambda i, j, cell: 0 if cell or (i, j) in seen else color), place)


def sheet_edge(rows):
    seen = sheet_outside(rows, True)
    tall, wide = len(rows), len(rows[0])

    def edge(i, j):
        on_rim = i in (0, tall - 1) or j in (0, wide - 1)
        return on_rim or any(near in seen for near in sheet_near(rows, i, j, True))

    return edge


def sheet_outline(sheet):
    rows, place = sheet_read(sheet)
    edge = sheet_edge(rows)
    return sheet_made(sheet_cells(rows, lambda i, j, cell: cell if cell and edge(i, j) else 0), place)


def sheet_core(sheet):
    rows, place = sheet_read(sheet)
    edge = sheet_edge(rows)
    return sheet_made(sheet_cells(rows, lambda i, j, cell: 0 if cell and edge(i, j) else cell), place)


def sheet_halo(sheet):
    rows, place = sheet_read(sheet)
    near = lambda i, j: any(rows[a][b] for a, b in sheet_near(rows, i, j, True))
    return sheet_made(sheet_cells(rows, lambda i, j, cell: 1 if not cell and near(i, j) else 0), place)


def sheet_framed(sheet, color):
    rows, (top, left) = sheet_read(sheet)
    color = sheet_color(color) or sheet_majority(rows)
    line = [color] * (len(rows[0]) + 2)
    return sheet_made([line] + [[color, *row, color] for row in rows] + [line], (top - 1, left - 1))


def sheet_blocks(sheet, side):
    rows, place = sheet_read(sheet)
    if not 1 <= side <= 100:
        raise ValueError("a side from 1 to 100 is needed")
    kept = set()
    for i in range(len(rows) - side + 1):
        for j in range(len(rows[0]) - side + 1):
            square = [(a, b) for a in range(i, i + side) for b in range(j, j + side)]
            if all(rows[a][b] for a, b in square):
                kept.update(square)
    return sheet_made(sheet_cells(rows, lambda i, j, cell: cell if (i, j) in kept else 0), place)


def sheet_room(sheet):
    rows, place = sheet_read(sheet)
    tall, found = [0] * len(rows[0]), []
    for bottom, row in enumerate(rows):
        tall = [height + 1 if cell else 0 for height, cell in zip(tall, row)]
        for left in range(len(row)):
            for right in range(left, len(row)):
                height = min(tall[left:right + 1])
                if height:
                    found.append((-height * (right + 1 - left), bottom + 1 - height, left, height))
    area, top, left, height = min(found)
    wide = -area // height
    inside = lambda i, j: top <= i < top + height and left <= j < left + wide
    return sheet_made(sheet_cells(rows, lambda i, j, cell: cell if inside(i, j) else 0), place)
