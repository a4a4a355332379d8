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
