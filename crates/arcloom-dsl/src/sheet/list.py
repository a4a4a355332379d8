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
