def sheet_asked():
    own = (sheet_area, sheet_frame_area, sheet_numcolors, sheet_numpieces, sheet_numgaps, sheet_numholes)
    own += (sheet_top, sheet_left, sheet_symmetry, sheet_height, sheet_width, sheet_main_color, borders_touched)
    own += (sheet_is_square, sheet_odd_area, sheet_odd_side, sheet_longer_side, sheet_orientation, sheet_numenclosures)
    others = (others_same_form, others_same_form_turned, others_same_color, others_same_form_recolored)
    return own + others + (others_touching, others_around, others_inside)


def sheet_property(found, number, size):
    asked = sheet_asked()[number]
    if asked == borders_touched:
        return [asked(value, size) for value in found]
    return [asked(value) if number < 19 else asked(value, tuple(found)) for value in found]


def sheet_sources():
    own = (sheet_main_color, sheet_rarest_color)
    others = (color_of_touching, color_of_nearest, color_of_nearest_in_row, color_of_nearest_in_column)
    others += (color_of_largest_inside, color_of_smallest_around, color_of_same_form)
    return own + others + (color_of_largest, color_of_smallest)


def sheet_kin(found, number):
    source = sheet_sources()[number]
    if number > 8:
        return [source(tuple(found))] * len(found)
    return [source(value) if number < 2 else source(value, tuple(found)) for value in found]


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
