def sheet_window(rows, i, j):
    return tuple(rows[i + k // 3][j + k % 3] for k in range(9))


def sheet_mend_patches(sheet):
    rows, place = sheet_read(sheet)
    tall, wide = len(rows), len(rows[0])
    counts = {}
    for turn in (identity, rot90, rot180, rot270, vmirror, hmirror, dmirror, cmirror):
        turned = turn(rows)
        for i in range(len(turned) - 2):
            for j in range(len(turned[0]) - 2):
                window = sheet_window(turned, i, j)
                if 0 not in window:
                    counts[window] = counts.get(window, 0) + 1
    patches = [window for _, window in sorted(((n, window) for window, n in counts.items()), reverse=True)]
    if not patches:
        raise ValueError("nothing to mend from")
    cells = [list(row) for row in rows]
    sure = [[1000000 if cell else 0 for cell in row] for row in rows]
    next_sure = 1000000
    queue = {(i, j): sum(sheet_window(sure, i, j)) for i in range(tall - 2) for j in range(wide - 2)}
    weights = dict(queue)
    while queue:
        i, j = max(queue, key=lambda at: (queue[at], at[1], at[0]))
        del queue[(i, j)]
        known = sheet_window(sure, i, j)
        if all(known) and weights[(i, j)] >= 9000000:
            continue
        window = sheet_window(cells, i, j)
        patch = next(p for p in patches if all(not known[k] or window[k] == p[k] for k in range(9)))
        changed = False
        for k in range(9):
            if not known[k]:
                cells[i + k // 3][j + k % 3] = patch[k]
                sure[i + k // 3][j + k % 3] = next_sure
                next_sure = max(next_sure - 1, 1)
                changed = True
        if not changed:
            continue
        for a in range(max(i - 2, 0), min(i + 3, tall - 2)):
            for b in range(max(j - 2, 0), min(j + 3, wide - 2)):
                weight = sum(sheet_window(sure, a, b))
                if weight != weights[(a, b)]:
                    weights[(a, b)] = queue[(a, b)] = weight
    return sheet_made(cells, place)


def sheet_period_tile(rows, tall, wide):
    found = {}
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            if cell and found.setdefault((i % tall, j % wide), cell) != cell:
                return None
    return found if len(found) == tall * wide else None


def sheet_mend_period(sheet):
    rows, place = sheet_read(sheet)
    all_tall, all_wide = len(rows), len(rows[0])
    best = None
    for tall in range(1, all_tall + 1):
        for wide in range(1, all_wide + 1):
            smaller = best is None or tall * wide < best[0] * best[1]
            if smaller and tall * wide * 2 <= all_tall * all_wide and sheet_period_tile(rows, tall, wide):
                best = (tall, wide)
    tall, wide = best
    found = sheet_period_tile(rows, tall, wide)
    return sheet_made(sheet_cells(rows, lambda i, j, cell: found[(i % tall, j % wide)]), place)


def sheet_mend_symmetry(sheet):
    rows, place = sheet_read(sheet)
    tall, wide = len(rows), len(rows[0])
    get = lambda i, j: rows[i][j] if 0 <= i < tall and 0 <= j < wide else 0
    turned = lambda i, j: (j, i)
    countered = lambda i, j: (wide - 1 - j, tall - 1 - i)

    def agreeing(image):
        pairs = [((i, j), image(i, j)) for i in range(tall) for j in range(wide)]
        pairs = [(rows[a][b], get(*at)) for (a, b), at in pairs if rows[a][b] and get(*at) and at != (a, b)]
        return len(pairs) if all(a == b for a, b in pairs) else 0

    def axis(length, across):
        totals = range(length // 2, length + length // 2)
        images = [(lambda i, j, t=t: (i, t - j)) if across else (lambda i, j, t=t: (t - i, j)) for t in totals]
        agree = [agreeing(image) for image in images]
        best = max(agree, default=0)
        return totals[agree.index(best)] if best and best * 4 >= tall * wide else None

    down, across = axis(tall, False), axis(wide, True)
    corners = [turned, countered] if tall == wide else [turned]
    corners = [image for image in corners if agreeing(image) and agreeing(image) * 4 >= tall * wide]
    if down is None and across is None and not corners:
        raise ValueError("no axis")

    def mended(i, j, cell):
        straight = [(i, j)]
        if down is not None:
            straight.append((down - i, j))
        if across is not None:
            straight.append((i, across - j))
        if down is not None and across is not None:
            straight.append((down - i, across - j))
        images = straight + [image(*at) for image in corners for at in straight]
        return next((get(*at) for at in images if get(*at)), 0)

    return sheet_made(sheet_cells(rows, mended), place)


def sheet_mend_shifts(sheet):
    rows, place = sheet_read(sheet)
    cells = [(i, j, cell) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell]
    for period in range(2, max(len(rows), len(rows[0])) // 2 + 1):
        for shift in range(1, period):
            colors = {(j + i * shift) % period: cell for i, j, cell in cells}
            if len(colors) == period and all(colors[(j + i * shift) % period] == cell for i, j, cell in cells):
                return sheet_made(sheet_cells(rows, lambda i, j, _: colors[(j + i * shift) % period]), place)
    raise ValueError("rows are not shifted")


def sheet_heal(mask, picture, function, whole):
    rows, place = sheet_read(picture)
    shown, _ = sheet_under(picture, mask)
    frame = sheet_trim((shown, place))
    known = {cell for row, over in zip(rows, shown) for cell, cover in zip(row, over) if not cover}
    free = next(color for color in range(1, 10) if color not in known) if 0 in known else 0
    torn = sheet_cells(rows, lambda i, j, cell: 0 if shown[i][j] else cell or free)
    mended, at = sheet_read(function(sheet_made(torn, place)))
    if (at, len(mended), len(mended[0])) != (place, len(rows), len(rows[0])):
        raise ValueError("mended to another size")
    healed = sheet_made(sheet_cells(mended, lambda i, j, cell: 0 if cell == free else cell), place)
    return healed if whole else sheet_under(frame, healed)
