def part_gaps(lines):
    gaps = []
    for k, line in enumerate(lines):
        if not line:
            if gaps and sum(gaps[-1]) == k:
                gaps[-1] = (gaps[-1][0], gaps[-1][1] + 1)
            else:
                gaps.append((k, 1))
    return gaps


def part_panels(grid):
    _, down, right = frame_lines(as_sheet(grid)[0])
    down, right = part_gaps(down), part_gaps(right)
    if len(down) * len(right) < 2:
        raise ValueError("there are no panels")
    return down, right


def cut_panels(grid):
    down, right = part_panels(grid)
    return tuple(tuple(tuple(row[j : j + w]) for row in grid[i : i + h]) for i, h in down for j, w in right)


def part_grids(parts):
    if not isinstance(parts, tuple):
        raise TypeError("a tuple of grids is needed")
    return [as_sheet(part)[0] for part in parts]


def paste_panels(panels, original):
    parts = part_grids(panels)
    _, down, right = frame_lines(as_sheet(original)[0])
    frames = [(i, j, h, w) for i, h in part_gaps(down) for j, w in part_gaps(right)]
    if [(len(part), len(part[0])) for part in parts] != [(h, w) for _, _, h, w in frames]:
        raise ValueError("not of the sizes of the panels")
    rows = [list(row) for row in original]
    for part, (i, j, h, w) in zip(parts, frames):
        for k in range(h):
            rows[i + k][j : j + w] = part[k]
    return tuple(map(tuple, rows))


def tile_panels(panels, original):
    parts = part_grids(panels)
    down, right = part_panels(original)
    if len(parts) != len(down) * len(right) or len({(len(part), len(part[0])) for part in parts}) != 1:
        raise ValueError("not one size of panels")
    rows = []
    for i in range(len(down)):
        beside = parts[i * len(right) : (i + 1) * len(right)]
        rows += [[cell for part in beside for cell in part[k]] for k in range(len(parts[0]))]
    return sheet_made(rows, (0, 0))[0]


def part_ground(rows):
    counts = sheet_counts(rows)
    return 0 if counts[0] else max(range(10), key=lambda c: (counts[c], -c))


def part_colors(rows):
    ground, counts = part_ground(rows), sheet_counts(rows)
    return [c for c in range(10) if c != ground and counts[c]]


def cut_colors(grid, others):
    rows, others = as_sheet(grid)[0], sheet_color(others)
    ground, colors = part_ground(rows), part_colors(rows)
    if not colors:
        raise ValueError("there is no colour")
    return tuple(
        tuple(tuple(1 if cell == color else 0 if cell == ground else others for cell in row) for row in rows)
        for color in colors
    )


def paste_colors(parts, original):
    parts, rows = part_grids(parts), as_sheet(original)[0]
    colors = part_colors(rows)
    if len(parts) != len(colors) or len({(len(part), len(part[0])) for part in parts}) != 1:
        raise ValueError("not one grid for each colour")
    out = [[part_ground(rows)] * len(parts[0][0]) for _ in parts[0]]
    for part, color in zip(parts, colors):
        out = [[color if new else old for new, old in zip(a, b)] for a, b in zip(part, out)]
    return tuple(map(tuple, out))


def part_frames(rows, mixed, diagonal, margin):
    if not 0 <= margin <= 100:
        raise ValueError("no such margin")
    ground, done, frames = part_ground(rows), set(), []
    tall, wide = len(rows), len(rows[0])
    for i in range(tall):
        for j in range(wide):
            if rows[i][j] == ground or (i, j) in done:
                continue
            cells, stack = {(i, j)}, [(i, j)]
            while stack:
                a, b = stack.pop()
                for place in sheet_near(rows, a, b, diagonal):
                    cell = rows[place[0]][place[1]]
                    if place not in cells and cell != ground and (mixed or cell == rows[a][b]):
                        cells.add(place)
                        stack.append(place)
            done |= cells
            down, right = [a for a, _ in cells], [b for _, b in cells]
            frames.append(
                (
                    max(min(down) - margin, 0),
                    max(min(right) - margin, 0),
                    min(max(down) + margin + 1, tall),
                    min(max(right) + margin + 1, wide),
                )
            )
    if not frames:
        raise ValueError("there is no object")
    return frames


def object_boxes(grid, mixed, diagonal, margin):
    frames = part_frames(as_sheet(grid)[0], mixed, diagonal, margin)
    return tuple(((a, b), (c - a, d - b)) for a, b, c, d in frames)


def part_boxes(rows, boxes):
    if not isinstance(boxes, tuple):
        raise TypeError("a tuple of boxes is needed")
    for (i, j), (h, w) in boxes:
        if min(i, j) < 0 or min(h, w) < 1 or i + h > len(rows) or j + w > len(rows[0]):
            raise ValueError("no such box")
    return boxes


def cut_boxes(grid, boxes):
    rows = as_sheet(grid)[0]
    return tuple(tuple(tuple(row[j : j + w]) for row in rows[i : i + h]) for (i, j), (h, w) in part_boxes(rows, boxes))


def paste_boxes(parts, boxes, original):
    parts, rows = part_grids(parts), as_sheet(original)[0]
    if [(len(part), len(part[0])) for part in parts] != [size for _, size in part_boxes(rows, boxes)]:
        raise ValueError("not of the sizes of the boxes")
    out = [list(row) for row in rows]
    for part, ((a, b), _) in zip(parts, boxes):
        for i, row in enumerate(part):
            for j, cell in enumerate(row):
                if cell != rows[a + i][b + j]:
                    out[a + i][b + j] = cell
    return tuple(map(tuple, out))
