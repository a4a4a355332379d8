def decide_cells(sheets, tree):
    found = sheet_list(sheets)
    rows, place = found[0]
    if any((len(other), len(other[0])) != (len(rows), len(rows[0])) for other, _ in found):
        raise ValueError("sheets of one size are needed")

    def checked(node, deep):
        if isinstance(node, int):
            if not 0 <= node <= 255:
                raise ValueError("no such colour")
            return node
        if not isinstance(node, tuple) or deep == 0:
            raise TypeError("a tree is needed")
        number, (down, right), color, yes, no = node
        if not (0 <= number <= 255 and 0 <= color <= 10 and -30 <= down <= 30 and -30 <= right <= 30):
            raise ValueError("no such question")
        return (number, (down, right), color, checked(yes, deep - 1), checked(no, deep - 1))

    def near(number, i, j):
        other = found[number][0]
        return other[i][j] if 0 <= i < len(other) and 0 <= j < len(other[0]) else 10

    def decided(i, j, _):
        node = tree
        while isinstance(node, tuple):
            number, (down, right), color, yes, no = node
            node = yes if near(number, i + down, j + right) == color else no
        return node if node < 10 else near(node - 10, i, j)

    tree = checked(tree, 60)
    return sheet_made(sheet_cells(rows, decided), place)
