def merge_lines(grid):
    return sheet_merge_runs(as_sheet(grid))[0]


def frame_runs(lines):
    runs = [0]
    for before, line in zip(lines, lines[1:]):
        runs.append(runs[-1] + (line != before))
    return runs


def unmerge_lines(grid, original):
    rows, like = as_sheet(grid)[0], as_sheet(original)[0]
    down, right = frame_runs(like), frame_runs(tuple(zip(*like)))
    if (len(rows), len(rows[0])) != (down[-1] + 1, right[-1] + 1):
        raise ValueError("not of the size of merged lines")
    return tuple(tuple(rows[i][j] for j in right) for i in down)


def frame_lines(rows):
    best = None
    for color in range(1, 10):
        down = [set(row) == {color} for row in rows]
        right = [set(column) == {color} for column in zip(*rows)]
        count = sum(down) + sum(right)
        if count > (best[0] if best else 0):
            best = (count, color, down, right)
    if best is None:
        raise ValueError("there are no lines")
    return best[1:]


def drop_lines(grid):
    rows = as_sheet(grid)[0]
    _, down, right = frame_lines(rows)
    kept = [[cell for cell, line in zip(row, right) if not line] for row, line in zip(rows, down) if not line]
    return sheet_made(kept, (0, 0))[0]


def restore_lines(grid, original):
    rows = as_sheet(grid)[0]
    color, down, right = frame_lines(as_sheet(original)[0])
    if (len(rows), len(rows[0])) != (down.count(False), right.count(False)):
        raise ValueError("not of the size of a grid without lines")
    below = iter(rows)
    return tuple(
        tuple(color for _ in right) if line else tuple(color if across else next(cells) for across in right)
        for line in down
        for cells in [iter(()) if line else iter(next(below))]
    )


def lines_stand(grid):
    rows = as_sheet(grid)[0]
    plain = lambda lines: sum(1 for line in lines if len(set(line)) == 1 and line[0] != 0)
    return plain(list(zip(*rows))) > plain(rows)
