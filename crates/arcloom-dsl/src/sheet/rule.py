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
