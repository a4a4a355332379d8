def sheet_chart(counts):
    colors = sorted((c for c in range(1, 10) if counts[c]), key=lambda c: -counts[c])
    longest = counts[colors[0]]
    if longest > 30:
        raise ValueError("too many")
    return sheet_made([[c] * counts[c] + [0] * (longest - counts[c]) for c in colors], (0, 0))


def sheet_tally(sheet):
    return sheet_chart(sheet_counts(sheet_read(sheet)[0]))


def tally_sheets(sheets):
    return sheet_chart(sheet_counts([[sheet_main_color(value) for value in sheet_list(sheets)]]))


def sheet_count(sheets, direction):
    colors = [sheet_main_color(value) for value in sheet_list(sheets)]
    down, right = sheet_axes(direction)
    if not 1 <= len(colors) <= 30:
        raise ValueError("too many or none")
    color = sheet_majority([colors])
    return sheet_made([[color] * (len(colors) if right else 1)] * (len(colors) if down else 1), (0, 0))


def sheet_poured(colors, size, way):
    rows = [list(row) for row in sheet_size(size)]
    tall, wide = len(rows), len(rows[0])
    down, right = sheet_axes(way)
    for k, color in enumerate(colors[: min(tall, wide) if down and right else tall * wide]):
        i, j = (k, k) if down and right else (k % tall, k // tall) if down else (k // wide, k % wide)
        rows[i][j] = color
    return sheet_made(rows, (0, 0))


def sheet_pour(sheet, size, way):
    return sheet_poured([cell for row in sheet_read(sheet)[0] for cell in row if cell], size, way)


def pour_sheets(sheets, size, way):
    return sheet_poured([sheet_main_color(value) for value in sheet_list(sheets)], size, way)


def sheet_times(picture, measure):
    times = measure(sheet_read(picture))
    if not 2 <= times <= 30:
        raise ValueError("too often, or not at all")
    return times


def sheet_zoom(sheet, picture, measure):
    rows, _ = sheet_read(sheet)
    times = sheet_times(picture, measure)
    return sheet_made([[cell for cell in row for _ in range(times)] for row in rows for _ in range(times)], (0, 0))


def sheet_repeat(sheet, picture, measure, direction):
    rows, _ = sheet_read(sheet)
    down, right = sheet_axes(direction)
    times = sheet_times(picture, measure)
    return sheet_made([row * (times if right else 1) for row in rows] * (times if down else 1), (0, 0))
