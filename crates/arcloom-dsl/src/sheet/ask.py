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


def sheet_main_color(sheet):
    return sheet_majority(sheet_read(sheet)[0])


def sheet_rarest_color(sheet):
    counts = sheet_counts(sheet_read(sheet)[0])
    return min((c for c in range(1, 10) if counts[c]), key=lambda c: counts[c], default=0)


def sheet_is_square(sheet):
    return int(sheet_height(sheet) == sheet_width(sheet))


def sheet_odd_area(sheet):
    return sheet_area(sheet) % 2


def sheet_odd_side(sheet):
    return min(sheet_height(sheet), sheet_width(sheet)) % 2


def sheet_longer_side(sheet):
    return max(sheet_height(sheet), sheet_width(sheet))


def sheet_orientation(sheet):
    tall, wide = sheet_height(sheet), sheet_width(sheet)
    return (tall > wide) - (tall < wide) + 1


def sheet_numenclosures(sheet):
    return len(sheet_groups(sheet_holes(sheet)[0], bool, lambda a, b: True, False))


def borders_touched(sheet, size):
    tall, wide = size
    if not (0 <= tall <= 100 and 0 <= wide <= 100):
        raise ValueError("no such size")
    top, left, bottom, right = sheet_frame(sheet_read(sheet))
    return (top <= 0) + (left <= 0) + (bottom >= tall) + (right >= wide)


def sheet_others(sheet, sheets, counts):
    one, found = sheet_read(sheet), sheet_list(sheets)
    if one in found:
        found.remove(one)
    return sum(bool(counts(one, other)) for other in found)


def others_same_form(sheet, sheets):
    return sheet_others(sheet, sheets, lambda a, b: sheet_form(a) == sheet_form(b))


def others_same_form_turned(sheet, sheets):
    forms = sheet_forms(sheet_read(sheet))
    return sheet_others(sheet, sheets, lambda a, b: sheet_form(b) in forms)


def others_same_color(sheet, sheets):
    return sheet_others(sheet, sheets, lambda a, b: sheet_main_color(a) == sheet_main_color(b))


def others_same_form_recolored(sheet, sheets):
    differ = lambda a, b: sheet_main_color(a) != sheet_main_color(b)
    return sheet_others(sheet, sheets, lambda a, b: differ(a, b) and sheet_form(a) == sheet_form(b))


def others_touching(sheet, sheets):
    return sheet_others(sheet, sheets, lambda a, b: sheet_contact(a, b, True))


def others_around(sheet, sheets):
    return sheet_others(sheet, sheets, sheet_within)


def others_inside(sheet, sheets):
    return sheet_others(sheet, sheets, lambda a, b: sheet_within(b, a))


def sheet_taken(sheet, sheets, score):
    one, found = sheet_read(sheet), sheet_list(sheets)
    color = sheet_main_color(one)
    colors = [(score(one, other), sheet_main_color(other)) for other in found]
    scored = [(n, taken) for n, taken in colors if n is not None and taken not in (0, color)]
    return max(scored, key=lambda pair: pair[0])[1] if scored else 0


def color_of_touching(sheet, sheets):
    return sheet_taken(sheet, sheets, lambda a, b: sheet_contact(a, b, False) or None)


def color_of_nearest(sheet, sheets):
    return sheet_taken(sheet, sheets, lambda a, b: -sum(sheet_apart(a, b)))


def sheet_along(a, b, axis):
    apart = sheet_apart(a, b)
    return -apart[1 - axis] if apart[axis] == 0 else None


def color_of_nearest_in_row(sheet, sheets):
    return sheet_taken(sheet, sheets, lambda a, b: sheet_along(a, b, 0))


def color_of_nearest_in_column(sheet, sheets):
    return sheet_taken(sheet, sheets, lambda a, b: sheet_along(a, b, 1))


def color_of_largest_inside(sheet, sheets):
    return sheet_taken(sheet, sheets, lambda a, b: sheet_area(b) if sheet_within(b, a) else None)


def color_of_smallest_around(sheet, sheets):
    return sheet_taken(sheet, sheets, lambda a, b: -sheet_area(b) if sheet_within(a, b) else None)


def color_of_same_form(sheet, sheets):
    return sheet_taken(sheet, sheets, lambda a, b: 0 if sheet_form(a) == sheet_form(b) else None)


def color_of_largest(sheets):
    found = sheet_list(sheets)
    return sheet_main_color(max(found, key=sheet_area)) if found else 0


def color_of_smallest(sheets):
    found = sheet_list(sheets)
    return sheet_main_color(min(found, key=sheet_area)) if found else 0
