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


def sheet_axes(direction):
    down, right = direction
    if down == 0 and right == 0:
        raise ValueError("no such direction")
    return down != 0, right != 0
