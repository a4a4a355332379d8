def sheet_made(rows, place):
    rows = tuple(tuple(row) for row in rows)
    tall, wide = len(rows), len(rows[0]) if rows else 0
    if not (1 <= tall <= 100 and 1 <= wide <= 100 and tall * wide <= 4096):
        raise ValueError("no such size of a sheet")
    return (rows, (place[0], place[1]))


def sheet_read(value):
    if not isinstance(value, tuple) or len(value) != 2:
        raise TypeError("a sheet is needed")
    rows, (top, left) = value
    rows, place = sheet_made(rows, (top, left))
    if any(len(row) != len(rows[0]) for row in rows):
        raise TypeError("a rectangle is needed")
    if any(not 0 <= cell <= 9 for row in rows for cell in row) or abs(top) > 2**20 or abs(left) > 2**20:
        raise ValueError("no such sheet")
    return rows, place


def sheet_list(values):
    if not isinstance(values, tuple):
        raise TypeError("a list of sheets is needed")
    return [sheet_read(value) for value in values]


def sheet_counts(rows):
    counts = [0] * 10
    for row in rows:
        for cell in row:
            counts[cell] += 1
    return counts


def sheet_majority(rows):
    counts = sheet_counts(rows)
    best = max(range(1, 10), key=lambda c: counts[c])
    return best if counts[best] else 0


def sheet_cells(rows, change):
    return [[change(i, j, cell) for j, cell in enumerate(row)] for i, row in enumerate(rows)]


def sheet_recolored(value, change):
    rows, place = sheet_read(value)
    return sheet_made(sheet_cells(rows, lambda i, j, cell: change(cell)), place)


def sheet_color(color):
    if not 0 <= color <= 9:
        raise ValueError("no such colour")
    return color


def sheet_near(rows, i, j, diagonal):
    steps = ((-1, 0), (1, 0), (0, -1), (0, 1))
    if diagonal:
        steps += ((-1, -1), (-1, 1), (1, -1), (1, 1))
    places = ((i + di, j + dj) for di, dj in steps)
    return [(a, b) for a, b in places if 0 <= a < len(rows) and 0 <= b < len(rows[0])]


def sheet_groups(rows, starts, joins, diagonal):
    found, done = [], set()
    for i in range(len(rows)):
        for j in range(len(rows[0])):
            if (i, j) in done or not starts(rows[i][j]):
                continue
            members = [(i, j)]
            done.add((i, j))
            for a, b in members:
                for c, d in sheet_near(rows, a, b, diagonal):
                    if (c, d) not in done and starts(rows[c][d]) and joins(rows[a][b], rows[c][d]):
                        done.add((c, d))
                        members.append((c, d))
            found.append(members)
    return found


def sheet_gathered(rows, place, members):
    top, left = min(i for i, _ in members), min(j for _, j in members)
    bottom, right = max(i for i, _ in members), max(j for _, j in members)
    inside = set(members)
    cells = [[rows[i][j] if (i, j) in inside else 0 for j in range(left, right + 1)] for i in range(top, bottom + 1)]
    return sheet_made(cells, (place[0] + top, place[1] + left))


def sheet_nonempty(found):
    if not found:
        raise ValueError("nothing is left")
    return tuple(found)


def sheet_size(pair):
    tall, wide = pair
    return sheet_made([[0] * wide for _ in range(tall)], (0, 0))[0]


def as_sheet(grid):
    return sheet_read((grid, (0, 0)))


def sheet_grid(sheet):
    return sheet_read(sheet)[0]


def sheet_turn(sheet, function):
    rows, place = sheet_read(sheet)
    return sheet_read((function(rows), place))


def sheet_balance(sheet):
    rows, place = sheet_read(sheet)
    seen = [(i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell]
    across = abs(2 * sum(j for _, j in seen) - (len(rows[0]) - 1) * len(seen))
    down = abs(2 * sum(i for i, _ in seen) - (len(rows) - 1) * len(seen))
    return sheet_made([row[::-1] for row in rows] if across >= down else rows[::-1], place)


def sheet_keep(sheet, color):
    color = sheet_color(color)
    return sheet_recolored(sheet, lambda cell: cell if cell == color else 0)


def sheet_erase(sheet, color):
    color = sheet_color(color)
    return sheet_recolored(sheet, lambda cell: 0 if cell == color else cell)


def sheet_dye(sheet, color):
    color = sheet_color(color)
    return sheet_recolored(sheet, lambda cell: color if cell else 0)


def sheet_invert(sheet):
    counts = sheet_counts(sheet_read(sheet)[0])
    fresh = next((c for c in range(1, 10) if not counts[c]), 1)
    return sheet_recolored(sheet, lambda cell: 0 if cell else fresh)


def sheet_keep_most(sheet):
    return sheet_keep(sheet, sheet_majority(sheet_read(sheet)[0]))


def sheet_keep_least(sheet):
    counts = sheet_counts(sheet_read(sheet)[0])
    return sheet_keep(sheet, min((c for c in range(1, 10) if counts[c]), key=lambda c: counts[c]))


def sheet_erase_most(sheet):
    return sheet_erase(sheet, sheet_majority(sheet_read(sheet)[0]))


def sheet_swap_ground(sheet):
    counts = sheet_counts(sheet_read(sheet)[0])
    ground = max(range(10), key=lambda c: counts[c])
    if ground == 0:
        raise ValueError("the ground is see-through already")
    return sheet_recolored(sheet, lambda cell: {ground: 0, 0: ground}.get(cell, cell))


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


def sheet_axes(direction):
    down, right = direction
    if down == 0 and right == 0:
        raise ValueError("no such direction")
    return down != 0, right != 0


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


def sheet_images(rows):
    images = []
    for scale in (1, 2, 3):
        for turn in (identity, rot90, rot180, rot270, vmirror, hmirror, dmirror, cmirror):
            image = [[cell for cell in row for _ in range(scale)] for row in turn(rows) for _ in range(scale)]
            fits = max(len(image), len(image[0])) <= 100 and len(image) * len(image[0]) <= 4096
            if fits and all(image != other for other, _, _ in images):
                images.append((image, scale * scale, turn is not identity))
    return images


def sheet_stamp(sheet):
    rows, place = sheet_read(sheet)
    things = sheet_groups(rows, bool, lambda a, b: True, True)
    owner = {at: n for n, thing in enumerate(things) for at in thing}
    patterns = [n for n, thing in enumerate(things) if len({rows[i][j] for i, j in thing}) > 1]
    copies = []
    for pattern in sorted(patterns, key=lambda n: -len(things[n]))[:8]:
        for image, least, is_turned in sheet_images(sheet_gathered(rows, place, things[pattern])[0]):
            cells = [(i, j, cell) for i, row in enumerate(image) for j, cell in enumerate(row) if cell]
            for part, thing in enumerate(things):
                if part == pattern:
                    continue
                first = min(thing)
                for i, j, cell in cells:
                    if cell != rows[first[0]][first[1]]:
                        continue
                    laid = {(first[0] - i + a, first[1] - j + b): c for a, b, c in cells}
                    found = [at for at in laid if at in owner]
                    parts = {owner[at] for at in found}
                    if pattern in parts or any(rows[at[0]][at[1]] != laid[at] for at in found):
                        continue
                    colors = {laid[at] for at in found}
                    of_colors = sum(c in colors for c in laid.values())
                    whole = sum(len(things[n]) for n in parts) == len(found)
                    enough = len(found) < len(laid) and (len(found) == of_colors or 2 * len(found) >= len(laid))
                    if whole and enough and (len(found) > least or not is_turned):
                        copies.append((len(found), parts, laid))
    explained, out = set(), {}
    for _, parts, laid in sorted(copies, key=lambda copy: -copy[0]):
        if not parts & explained:
            explained |= parts
            out.update(laid)
    if not explained:
        raise ValueError("no copies")
    return sheet_made(sheet_cells(rows, lambda i, j, cell: out.get((i, j), 0)), place)


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


def sheet_lay(under, over):
    rows, (top, left) = sheet_read(under)
    above, (a, b) = sheet_read(over)

    def laid(i, j, cell):
        y, x = i + top - a, j + left - b
        return (above[y][x] if 0 <= y < len(above) and 0 <= x < len(above[0]) else 0) or cell

    return sheet_made(sheet_cells(rows, laid), (top, left))


def sheet_masked(sheet, mask, within):
    rows, (top, left) = sheet_read(sheet)
    shown, (a, b) = sheet_read(mask)

    def masked(i, j, cell):
        y, x = i + top - a, j + left - b
        shows = 0 <= y < len(shown) and 0 <= x < len(shown[0]) and shown[y][x] != 0
        return cell if shows == within else 0

    return sheet_made(sheet_cells(rows, masked), (top, left))


def sheet_mask(sheet, mask):
    return sheet_masked(sheet, mask, True)


def sheet_mask_out(sheet, mask):
    return sheet_masked(sheet, mask, False)


def sheet_embed(sheet, size):
    return sheet_lay((sheet_size(size), (0, 0)), sheet)


def sheet_wrap(sheet, size):
    rows, _ = sheet_read(sheet)
    cells = [list(row) for row in sheet_size(size)]
    tall, wide = len(cells), len(cells[0])
    for i, row in enumerate(rows):
        for j, cell in enumerate(row):
            a, b = i % tall, j + i // tall * len(row)
            a, b = a + b // wide * len(rows), b % wide
            if a < tall:
                cells[a][b] = cell
    return sheet_made(cells, (0, 0))


def sheet_stretch(sheet, size):
    rows, _ = sheet_read(sheet)
    blank = sheet_size(size)
    tall, wide, h, w = len(blank), len(blank[0]), len(rows), len(rows[0])
    totals = sheet_counts(rows)

    def stretched(i, j, cell):
        if tall % h == 0 and wide % w == 0:
            return rows[i * h // tall][j * w // wide]
        cover = [0] * 10
        for y in range(i * h // tall, -(-(i + 1) * h // tall)):
            high = min((y + 1) * tall, (i + 1) * h) - max(y * tall, i * h)
            for x in range(j * w // wide, -(-(j + 1) * w // wide)):
                broad = min((x + 1) * wide, (j + 1) * w) - max(x * wide, j * w)
                cover[rows[y][x]] += high * broad
        return max(range(10), key=lambda c: (cover[c], totals[c] if cover[c] else 0))

    return sheet_made(sheet_cells(blank, stretched), (0, 0))


def sheet_gap(gap):
    if not 0 <= gap <= 100:
        raise ValueError("no such gap")
    return gap


def sheet_tile(sheet, size, gap):
    rows, (top, left) = sheet_read(sheet)
    tall, wide = len(rows) + sheet_gap(gap), len(rows[0]) + gap

    def tiled(i, j, cell):
        a, b = (i - top) % tall, (j - left) % wide
        return rows[a][b] if a < len(rows) and b < len(rows[0]) else 0

    return sheet_made(sheet_cells(sheet_size(size), tiled), (0, 0))


def sheet_mirror(sheet, size, gap):
    rows, (top, left) = sheet_read(sheet)
    gap = sheet_gap(gap)

    def fold(k, side):
        k = k % (2 * (side + gap))
        return k if k < side else 2 * side + gap - 1 - k if side + gap <= k < 2 * side + gap else None

    def mirrored(i, j, cell):
        a, b = fold(i - top, len(rows)), fold(j - left, len(rows[0]))
        return 0 if a is None or b is None else rows[a][b]

    return sheet_made(sheet_cells(sheet_size(size), mirrored), (0, 0))


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


def map_sheets(sheets, function):
    if not isinstance(sheets, tuple):
        raise TypeError("a list of sheets is needed")
    found = []
    for value in sheets:
        try:
            found.append(function(value))
        except Exception:
            pass
    return tuple(found)


def sheet_sifted(values, measure, extreme, others):
    if not isinstance(values, tuple):
        raise TypeError("a tuple is needed")
    measures = [measure(value) for value in values]
    wanted = extreme(measures)
    return tuple(value for value, n in zip(values, measures) if (n == wanted) != others)


def keep_most_by(list, measure):
    return sheet_sifted(list, measure, max, False)


def keep_least_by(list, measure):
    return sheet_sifted(list, measure, min, False)


def drop_most_by(list, measure):
    return sheet_sifted(list, measure, max, True)


def drop_least_by(list, measure):
    return sheet_sifted(list, measure, min, True)


def sheet_only(found):
    if len(found) != 1:
        raise ValueError("not exactly one")
    return found[0]


def pick_unique_color(sheets):
    found = sheet_list(sheets)
    colors = [{cell for row in rows for cell in row} for rows, _ in found]
    own = lambda k: any(sum(c in other for other in colors) == 1 for c in colors[k])
    return sheet_only([found[k] for k in range(len(found)) if own(k)])


def sheet_odd(found, look):
    looks = [look(rows) for rows, _ in found]
    if len(found) > 64:
        raise ValueError("too many")
    return sheet_only([found[k] for k in range(len(found)) if looks.count(looks[k]) == 1])


def pick_odd(sheets):
    return sheet_odd(sheet_list(sheets), lambda rows: rows)


def pick_odd_form(sheets):
    return sheet_odd(sheet_list(sheets), lambda rows: [[cell != 0 for cell in row] for row in rows])


def pick_usual(sheets):
    found = sheet_list(sheets)
    looks = [rows for rows, _ in found]
    best = max(range(len(found)), key=lambda k: looks.count(looks[k]))
    if len(found) > 64 or looks.count(looks[best]) < 2:
        raise ValueError("none occurs twice")
    return found[best]


def overlay(sheets):
    found = sheet_list(sheets)
    if not found:
        return (((0,),), (0, 0))
    top, left = min(at[0] for _, at in found), min(at[1] for _, at in found)
    bottom = max(at[0] + len(rows) for rows, at in found)
    right = max(at[1] + len(rows[0]) for rows, at in found)
    under = (sheet_size((bottom - top, right - left)), (top, left))
    for _, k in sorted(((sheet_area(value), k) for k, value in enumerate(found)), reverse=True):
        under = sheet_lay(under, found[k])
    return under


def sheet_joined(found, down):
    wide, tall = max(len(rows[0]) for rows, _ in found), max(len(rows) for rows, _ in found)
    if down:
        lines = [list(row) + [0] * (wide - len(row)) for rows, _ in found for row in rows]
    else:
        padded = [list(rows) + [[0] * len(rows[0])] * (tall - len(rows)) for rows, _ in found]
        lines = [[cell for rows in padded for cell in rows[i]] for i in range(tall)]
    return sheet_made(lines, found[0][1])


def line_up(sheets, direction):
    down, right = sheet_axes(direction)
    if down and right:
        raise ValueError("no such direction")
    return sheet_joined(sorted(sheet_list(sheets), key=sheet_frame_area), down)


def line_up_in_order(sheets):
    found = sheet_list(sheets)

    def step(axis):
        at = sorted(place[axis] for _, place in found)
        return min((b - a for a, b in zip(at, at[1:])), default=0)

    down = step(1) < step(0)
    return sheet_joined(sorted(found, key=lambda value: value[1][0 if down else 1]), down)


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


def sheet_frame(value):
    rows, (top, left) = value
    return top, left, top + len(rows), left + len(rows[0])


def sheet_seen(value):
    rows, (top, left) = value
    return {(top + i, left + j) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell}


def sheet_form(value):
    return tuple(tuple(cell != 0 for cell in row) for row in value[0])


def sheet_within(one, other):
    a, b = sheet_frame(one), sheet_frame(other)
    smaller = (a[2] - a[0], a[3] - a[1]) != (b[2] - b[0], b[3] - b[1])
    return smaller and b[0] <= a[0] and b[1] <= a[1] and a[2] <= b[2] and a[3] <= b[3]


def sheet_apart(one, other):
    a, b = sheet_frame(one), sheet_frame(other)
    return tuple(max(b[k] - a[k + 2] + 1, a[k] - b[k + 2] + 1, 0) for k in (0, 1))


def sheet_contact(one, other, corners):
    seen = sheet_seen(other)
    steps = [(0, 1), (0, -1), (1, 0), (-1, 0)] + ([(1, 1), (1, -1), (-1, 1), (-1, -1)] if corners else [])
    return sum((i + di, j + dj) in seen for i, j in sheet_seen(one) for di, dj in steps)


def sheet_forms(value):
    form, found = sheet_form(value), set()
    for _ in range(4):
        found |= {form, form[::-1]}
        form = tuple(zip(*form[::-1]))
    return found


def sheet_property(found, number, size):
    others = lambda holds: [sum(k != m and holds(a, b) for m, b in enumerate(found)) for k, a in enumerate(found)]
    color = lambda value: sheet_majority(value[0])
    tall, wide = lambda value: len(value[0]), lambda value: len(value[0][0])
    hole_parts = lambda value: len(sheet_groups(sheet_holes(value)[0], bool, lambda a, b: True, False))

    def border(value):
        top, left, bottom, right = sheet_frame(value)
        return (top <= 0) + (left <= 0) + (bottom >= size[0]) + (right >= size[1])

    own = [
        sheet_area,
        sheet_frame_area,
        sheet_numcolors,
        sheet_numpieces,
        sheet_numgaps,
        sheet_numholes,
        sheet_top,
        sheet_left,
        sheet_symmetry,
        sheet_height,
        sheet_width,
        color,
        border,
        lambda value: int(tall(value) == wide(value)),
        lambda value: sheet_area(value) % 2,
        lambda value: min(tall(value), wide(value)) % 2,
        lambda value: max(tall(value), wide(value)),
        lambda value: (tall(value) > wide(value)) - (tall(value) < wide(value)) + 1,
        hole_parts,
    ]
    if number < len(own):
        return [own[number](value) for value in found]
    among = [
        lambda a, b: sheet_form(a) == sheet_form(b),
        lambda a, b: sheet_form(b) in sheet_forms(a),
        lambda a, b: color(a) == color(b),
        lambda a, b: color(a) != color(b) and sheet_form(a) == sheet_form(b),
        lambda a, b: sheet_contact(a, b, True) > 0,
        sheet_within,
        lambda a, b: sheet_within(b, a),
    ]
    return others(among[number - len(own)])


def sheet_kin(found, number):
    own = [sheet_majority(rows) for rows, _ in found]

    def best(score):
        taken = []
        for k, a in enumerate(found):
            near = [(score(a, b), own[m]) for m, b in enumerate(found) if own[m] not in (0, own[k])]
            near = [(n, color) for n, color in near if n is not None]
            taken.append(max(near, key=lambda pair: pair[0])[1] if near else 0)
        return taken

    def least(rows):
        counts = sheet_counts(rows)
        return min((c for c in range(1, 10) if counts[c]), key=lambda c: counts[c], default=0)

    def along(axis):
        def score(a, b):
            apart = sheet_apart(a, b)
            return -apart[1 - axis] if apart[axis] == 0 else None

        return score

    if number == 0:
        return own
    if number == 1:
        return [least(rows) for rows, _ in found]
    if number > 8:
        areas = [sheet_area(value) for value in found]
        return [own[areas.index((max if number == 9 else min)(areas))]] * len(found)
    scores = [
        lambda a, b: sheet_contact(a, b, False) or None,
        lambda a, b: -sum(sheet_apart(a, b)),
        along(0),
        along(1),
        lambda a, b: sheet_area(b) if sheet_within(b, a) else None,
        lambda a, b: -sheet_area(b) if sheet_within(a, b) else None,
        lambda a, b: 0 if sheet_form(a) == sheet_form(b) else None,
    ]
    return best(scores[number - 2])


def sheet_part(value, part):
    rows, (top, left) = value
    color = sheet_majority(rows)
    if part == 2:
        return sheet_recolored(value, lambda cell: 0 if cell else color)
    if part == 3:
        blank = (0,) * (len(rows[0]) + 2)
        wide = (blank, *((0, *row, 0) for row in rows), blank)
        return sheet_recolored(sheet_halo(sheet_made(wide, (top - 1, left - 1))), lambda cell: color if cell else 0)
    return (value, sheet_holes(value), None, None, sheet_core(value))[part]


def sheet_actions(found, size, rule, most_actions):
    tall, wide = size
    if not isinstance(rule, tuple):
        raise TypeError("a rule is needed")
    if not (0 <= tall <= 100 and 0 <= wide <= 100) or not 1 <= len(rule) <= 5:
        raise ValueError("no such size or rule")
    if any(abs(n) > 2**20 - 200 for _, place in found for n in place):
        raise ValueError("too far away")
    *lines, (last,) = rule
    actions = [None] * len(found)
    for number, how, value, action in lines:
        if not (0 <= number <= 25 and 0 <= how <= 6 and 0 <= action < most_actions and -(2**15) <= value < 2**15):
            raise ValueError("no such line")
        values = sheet_property(found, number, size)
        most, least = max(values, default=0), min(values, default=0)
        tests = (
            lambda v: v == value,
            lambda v: v >= value,
            lambda v: v < value,
            lambda v: v == most,
            lambda v: v != most,
            lambda v: v == least,
            lambda v: v != least,
        )
        actions = [action if a is None and tests[how](v) else a for a, v in zip(actions, values)]
    if not 0 <= last < most_actions:
        raise ValueError("no such action")
    return [last if action is None else action for action in actions]


def paint_by_rule(sheets, size, part, rule):
    found = sheet_list(sheets)
    if not 0 <= part <= 4:
        raise ValueError("no such part")
    painted = []
    for k, (value, action) in enumerate(zip(found, sheet_actions(found, size, rule, 22))):
        if action:
            color = sheet_kin(found, action - 11)[k] if action > 10 else action % 10
            painted.append(sheet_dye(sheet_part(value, part), color) if color else sheet_part(value, part))
    return overlay(sheet_nonempty(painted))


def sheet_approached(value, other):
    a, b = sheet_frame(value), sheet_frame(other)
    in_rows, in_columns = a[0] < b[2] and b[0] < a[2], a[1] < b[3] and b[1] < a[3]
    if in_rows == in_columns:
        return value
    rows, (top, left) = value
    down = 0 if in_rows else (b[0] > a[0]) - (b[0] < a[0])
    right = 0 if in_columns else (b[1] > a[1]) - (b[1] < a[1])
    for k in range(100):
        nearer = (rows, (top + k * down, left + k * right))
        if sheet_contact(nearer, other, False):
            return nearer
    return value


def move_by_rule(sheets, size, rule):
    found = sheet_list(sheets)
    actions = sheet_actions(found, size, rule, 237)
    ways = ((0, 1), (0, -1), (1, 0), (-1, 0))
    ground, falling, moved = set(), [], list(found)
    sheet_size(size)
    first = next((value for value, action in zip(found, actions) if action == 0), None)
    for k, (value, action) in enumerate(zip(found, actions)):
        rows, (top, left) = value
        bottom, right = top + len(rows), left + len(rows[0])
        if 1 <= action <= 4:
            falling.append(((-right, left, -bottom, top)[action - 1], k, ways[action - 1]))
            continue
        if 5 <= action <= 8:
            down, across = ways[action - 5]
            moved[k] = (rows, (top + down * len(rows), left + across * len(rows[0])))
        elif action == 9 and first:
            moved[k] = sheet_approached(value, first)
        elif action == 10 and first:
            moved[k] = (rows, (first[1][0], left))
        elif action == 11 and first:
            moved[k] = (rows, (top, first[1][1]))
        elif action >= 12:
            moved[k] = (rows, (top + (action - 12) // 15 - 7, left + (action - 12) % 15 - 7))
        ground |= sheet_seen(moved[k])
    for _, k, (down, across) in sorted(falling):
        for _ in range(100):
            rows, (top, left) = moved[k]
            next_one = (rows, (top + down, left + across))
            seen = sheet_seen(next_one)
            if seen & ground or any(not (0 <= i < size[0] and 0 <= j < size[1]) for i, j in seen):
                break
            moved[k] = next_one
        ground |= sheet_seen(moved[k])
    return overlay(sheet_nonempty(moved))


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


def decide_cells(sheets, tree):
    found = sheet_list(sheets)
    rows, place = found[0]
    if any((len(other), len(other[0])) != (len(rows), len(rows[0])) for other, _ in found):
        raise ValueError("sheets of one size are needed")

    def checked(node, deep):
        if isinstance(node, int):
            if not 0 <= node <= 255:
                raise ValueError("no such colour")
            return node
        if not isinstance(node, tuple) or deep == 0:
            raise TypeError("a tree is needed")
        number, (down, right), color, yes, no = node
        if not (0 <= number <= 255 and 0 <= color <= 10 and -30 <= down <= 30 and -30 <= right <= 30):
            raise ValueError("no such question")
        return (number, (down, right), color, checked(yes, deep - 1), checked(no, deep - 1))

    def near(number, i, j):
        other = found[number][0]
        return other[i][j] if 0 <= i < len(other) and 0 <= j < len(other[0]) else 10

    def decided(i, j, _):
        node = tree
        while isinstance(node, tuple):
            number, (down, right), color, yes, no = node
            node = yes if near(number, i + down, j + right) == color else no
        return node if node < 10 else near(node - 10, i, j)

    tree = checked(tree, 60)
    return sheet_made(sheet_cells(rows, decided), place)


def grow_cells(sheet, rules):
    rows, place = sheet_read(sheet)

    def checked(rule):
        own, conditions, paint = rule
        if not isinstance(rule, tuple) or not isinstance(conditions, tuple):
            raise TypeError("a rule is needed")
        conditions = tuple(((down, right), color) for (down, right), color in conditions)
        if any(not (0 <= color <= 11 and -30 <= down <= 30 and -30 <= right <= 30) for (down, right), color in conditions):
            raise ValueError("no such condition")
        if paint >= 10 and (paint - 10 >= len(conditions) or conditions[paint - 10][1] == 10):
            raise ValueError("no such cell to copy")
        return sheet_color(own), conditions, paint if paint >= 10 else sheet_color(paint)

    def near(i, j):
        return now[i][j] if 0 <= i < len(now) and 0 <= j < len(now[0]) else 10

    def painted(i, j, cell):
        if cell != rows[i][j]:
            return cell
        for own, conditions, paint in rules:
            there = [(near(i + down, j + right), color) for (down, right), color in conditions]
            if cell == own and all(seen == color or color == 11 and 1 <= seen <= 9 for seen, color in there):
                new = there[paint - 10][0] if paint >= 10 else paint
                if new != cell:
                    return new
        return cell

    if not isinstance(rules, tuple):
        raise TypeError("a list of rules is needed")
    rules, now, before = [checked(rule) for rule in rules], rows, None
    while now != before:
        now, before = sheet_cells(now, painted), now
    return sheet_made(now, place)


def sheet_product(large, small, dyed):
    (big, _), (rows, _) = sheet_read(large), sheet_read(small)
    h, w = len(rows), len(rows[0])
    if len(big) * h > 100 or len(big[0]) * w > 100:
        raise ValueError("no such size of a sheet")

    def copied(i, j):
        color, cell = big[i // h][j // w], rows[i % h][j % w]
        return 0 if color == 0 else color if dyed and cell else cell

    return sheet_made(tuple(tuple(copied(i, j) for j in range(len(big[0]) * w)) for i in range(len(big) * h)), (0, 0))


def color_roles(S, grid):
    found = set(range(10))
    given, wanted = [found] + [{v for row in a for v in row} for a, _ in S], [found] + [{v for row in b for v in row} for _, b in S]
    kept = {0} | set.intersection(*given) | set.intersection(*wanted)
    cells = [cell for row in as_sheet(grid)[0] for cell in row]
    free = [c for c in range(10) if c not in kept]
    ranked_colors = sorted(free, key=lambda c: (-cells.count(c), cells.index(c) if c in cells else 10**9, c))
    names = dict(zip(ranked_colors, free))
    return tuple(names.get(c, c) for c in range(10))


def rename_colors(grid, names):
    if len(names) != 10 or any(not 0 <= name <= 9 for name in names):
        raise ValueError("no such names")
    return tuple(tuple(names[cell] for cell in row) for row in as_sheet(grid)[0])


def restore_colors(grid, names):
    if sorted(names) != list(range(10)):
        raise ValueError("no such names")
    return rename_colors(grid, tuple(names.index(c) for c in range(10)))
