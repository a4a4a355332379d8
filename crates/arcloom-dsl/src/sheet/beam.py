def sheet_steps():
    return ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1), (-1, 1), (1, -1))


def sheet_sign(n):
    return (n > 0) - (n < 0)


def sheet_marked(value):
    colors = {cell for row in value[0] for cell in row if cell}
    return sheet_rarest_color(value) if len(colors) > 1 else None


def sheet_lean(value, counts):
    rows = value[0]
    tall, wide = len(rows), len(rows[0])
    cells = [(i, j) for i, row in enumerate(rows) for j, cell in enumerate(row) if cell and counts(cell)]
    down, right = sum(2 * i + 1 - tall for i, _ in cells), sum(2 * j + 1 - wide for _, j in cells)
    straight = lambda a, b: 0 if abs(b) > 2 * abs(a) else sheet_sign(a)
    return {(straight(down, right), straight(right, down))}


def sheet_step_to(one, other):
    apart, a, b = sheet_apart(one, other), sheet_frame(one), sheet_frame(other)
    return tuple(sheet_sign(b[k] - a[k]) if apart[k] > 0 else 0 for k in (0, 1))


def sheet_towards(found, k, mark, size):
    one, others = found[k], found[:k] + found[k + 1 :]
    top, left, bottom, right = sheet_frame(one)
    line = [other for other in others if (sheet_apart(one, other)[0] == 0) != (sheet_apart(one, other)[1] == 0)]
    if mark == 0:
        rarest = sheet_marked(one)
        return sheet_lean(one, lambda cell: cell == rarest) if rarest else set()
    if mark == 1:
        return sheet_lean(one, lambda cell: True)
    if mark == 2:
        far = (size[1] - right, left, size[0] - bottom, top)
        return {step for step, n in zip(sheet_steps(), far) if n == min(far)}
    if mark == 3:
        near = [sum(sheet_apart(one, other)) for other in line]
        return {sheet_step_to(one, other) for other, n in zip(line, near) if n == min(near)}
    if mark == 4:
        largest = max(range(len(found)), key=lambda m: sheet_area(found[m]))
        return {sheet_step_to(one, found[largest])} if largest != k else set()
    if mark == 5:
        return {sheet_step_to(one, other) for other in line if sheet_main_color(other) == sheet_main_color(one)}
    return {sheet_step_to(one, other) for other in others if sheet_contact(one, other, True)}


def sheet_diagonal(value):
    n, (top, left) = len(value[0]), value[1]
    falls = all(i - top == j - left for i, j in sheet_seen(value))
    rises = all(i - top + j - left == n - 1 for i, j in sheet_seen(value))
    if n < 2 or falls == rises:
        return set()
    return {(1, 1), (-1, -1)} if falls else {(-1, 1), (1, -1)}


def sheet_heading(found, k, heading, size):
    steps = sheet_steps()
    tall, wide = len(found[k][0]), len(found[k][0][0])
    if heading < 8:
        return {steps[heading]}
    if heading < 13:
        return set((steps[:2], steps[2:4], steps[:4], steps[4:], steps)[heading - 8])
    if heading < 15 and tall == wide:
        along = sheet_diagonal(found[k])
        return along if heading == 13 or not along else set(steps[4:]) - along
    if heading < 15:
        return set(steps[:2] if (wide > tall) == (heading == 13) else steps[2:4])
    towards = sheet_towards(found, k, (heading - 15) // 2, size)
    return towards if heading % 2 else {(-down, -right) for down, right in towards}


def sheet_ray_cells(value, source, step):
    rows, (top, left) = value
    tall, wide = len(rows), len(rows[0])
    seen, rarest = sheet_seen(value), sheet_marked(value)
    if source in (0, 3):
        for i, j in sorted(seen):
            color = rows[i - top][j - left]
            if color == rarest if source else (i + step[0], j + step[1]) not in seen:
                yield i, j, color
        return

    def span(size, step):
        middle = ((size - 1) // 2, size // 2)
        if step == 0:
            return middle
        if source == 2:
            return (middle[1],) * 2 if step > 0 else (middle[0],) * 2
        return (size - 1,) * 2 if step > 0 else (0, 0)

    (low, high), (first, last) = span(tall, step[0]), span(wide, step[1])
    for i in range(low, high + 1):
        for j in range(first, last + 1):
            yield top + i, left + j, sheet_main_color(value)


def sheet_ray_line(value, rows, start, step, end, most):
    seen, cells, first, turns = sheet_seen(value), [], 0, 0
    (i, j, own), (down, right) = start, step
    met = lambda a, b: 0 <= a < len(rows) and 0 <= b < len(rows[0]) and (a, b) not in seen and rows[a][b] or 0
    while len(cells) < most and turns <= 200:
        a, b = i + down, j + right
        if not (0 <= a < len(rows) and 0 <= b < len(rows[0])):
            break
        color = met(a, b)
        first = first or color
        if color and end == 0:
            i, j = a, b
            continue
        if color and end == 4 and down and right:
            beyond, beside = met(i + down, j), met(i, j + right)
            if bool(beyond) == bool(beside):
                break
            down, right, turns = (-down, right, turns + 1) if beyond else (down, -right, turns + 1)
            continue
        if color and end in (5, 6):
            down, right = (right, -down) if end == 5 else (-right, down)
            turns += 1
            continue
        if color and end != 1:
            break
        i, j = a, b
        if (i, j) not in seen:
            cells.append((i, j, own))
    return ([] if end == 3 and not first else cells), first


def sheet_ray_copies(value, rows, step, gap, end):
    own, cells, first = sheet_seen(value), [], 0
    part, (top, left) = value
    down, right = step[0] * (len(part) + gap), step[1] * (len(part[0]) + gap)
    most = 200 if end < 4 else end - 6 if 7 <= end <= 9 else 0
    for k in range(1, most + 1 if (down, right) != (0, 0) else 1):
        places = [(i + k * down, j + k * right, part[i - top][j - left]) for i, j in sorted(own)]
        places = [(i, j, color) for i, j, color in places if 0 <= i < len(rows) and 0 <= j < len(rows[0])]
        others = [rows[i][j] if (i, j) not in own else 0 for i, j, _ in places]
        met = next((color for color in others if color), 0)
        first = first or met
        if not places or met and end > 1:
            break
        kept = [place for place, other in zip(places, others) if place[:2] not in own and not (other and end == 0)]
        cells += kept
    return ([] if end == 3 and not first else cells), first


def sheet_rays(value, rows, step, source, end):
    if source > 3:
        yield sheet_ray_copies(value, rows, step, (0, 1, -1)[source - 4], end)
        return
    part = value[0]
    long = len(part[0]) if step[0] == 0 else len(part)
    colors = len({cell for row in part for cell in row if cell})
    most = (200,) * 7 + (1, 2, 3, long, sheet_area(value), colors)
    for start in sheet_ray_cells(value, source, step):
        yield sheet_ray_line(value, rows, start, step, end, most[end])


def send_rays(sheets, picture, rule):
    found, (rows, _) = sheet_list(sheets), sheet_read(picture)
    size = (len(rows), len(rows[0]))
    cells = [[0] * size[1] for _ in rows]
    for k, (value, action) in enumerate(zip(found, sheet_actions(found, size, rule, 31669))):
        if action == 0:
            continue
        rest, end = divmod(action - 1, 13)
        rest, color = divmod(rest, 12)
        heading, source = divmod(rest, 7)
        steps = sheet_heading(found, k, heading, size)
        for step in (step for step in sheet_steps() if step in steps):
            for places, met in sheet_rays(value, rows, step, source, end):
                for i, j, own in places:
                    painted = (own, *range(1, 10), sheet_rarest_color(value), met)[color]
                    cells[i][j] = painted or cells[i][j]
    return sheet_made(cells, (0, 0))
