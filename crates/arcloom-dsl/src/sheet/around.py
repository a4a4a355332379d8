def sheet_around(sheet, mirrored, turned):
    rows, (top, left) = sheet_read(sheet)
    tall, wide = len(rows), len(rows[0])
    cells = {(i, j): cell for i, row in enumerate(rows) for j, cell in enumerate(row) if cell}
    if len(cells) > 150:
        raise ValueError("too many cells")

    def images(down, across, i, j):
        y, x = (down + 2 * j - across) // 2, (across + 2 * i - down) // 2
        found = [(down - i, across - j)]
        if mirrored:
            found += [(down - i, j), (i, across - j)]
        if turned:
            found += [(down - y, x), (y, across - x)]
        if mirrored and turned:
            found += [(y, x), (down - y, across - x)]
        return found

    best, point = max(4, -(-len(cells) // 3)) - 1, None
    for down in range(2 * tall - 1):
        for across in range(2 * wide - 1):
            if turned and (down + across) % 2:
                continue
            there = [[cells.get(at, 0) == c or -cells.get(at, 0) for at in images(down, across, i, j)] for (i, j), c in cells.items()]
            complete = sum(all(one is True for one in ones) for ones in there)
            if complete > best and all(one is True or one == 0 for ones in there for one in ones):
                best, point = complete, (down, across)
    if point is None:
        raise ValueError("no point")
    laid = {at: c for (i, j), c in cells.items() for at in images(*point, i, j)}
    laid.update(cells)
    north, west = min(0, *(i for i, _ in laid)), min(0, *(j for _, j in laid))
    south, east = max(tall - 1, *(i for i, _ in laid)), max(wide - 1, *(j for _, j in laid))
    whole = [[laid.get((i, j), 0) for j in range(west, east + 1)] for i in range(north, south + 1)]
    return sheet_made(whole, (top + north, left + west))
