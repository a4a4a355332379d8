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
