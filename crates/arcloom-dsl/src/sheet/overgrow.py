def grow_cells(sheet, rules):
    rows, place = sheet_read(sheet)

    def checked(rule):
        own, conditions, paint = rule
        if not isinstance(rule, tuple) or not isinstance(conditions, tuple):
            raise TypeError("a rule is needed")
        conditions = tuple(((down, right), color) for (down, right), color in conditions)
        if any(not (0 <= color <= 11 and -30 <= down <= 30 and -30 <= right <= 30) for (down, right), color in conditions):
            raise ValueError("no such condition")
        if paint >= 10 and (paint - 10 >= len(conditions) or conditions[paint - 10][1] == 10):
            raise ValueError("no such cell to copy")
        return sheet_color(own), conditions, paint if paint >= 10 else sheet_color(paint)

    def near(i, j):
        return now[i][j] if 0 <= i < len(now) and 0 <= j < len(now[0]) else 10

    def painted(i, j, cell):
        if cell != rows[i][j]:
            return cell
        for own, conditions, paint in rules:
            there = [(near(i + down, j + right), color) for (down, right), color in conditions]
            if cell == own and all(seen == color or color == 11 and 1 <= seen <= 9 for seen, color in there):
                new = there[paint - 10][0] if paint >= 10 else paint
                if new != cell:
                    return new
        return cell

    if not isinstance(rules, tuple):
        raise TypeError("a list of rules is needed")
    rules, now, before = [checked(rule) for rule in rules], rows, None
    while now != before:
        now, before = sheet_cells(now, painted), now
    return sheet_made(now, place)
