def color_roles(S, grid):
    found = set(range(10))
    given, wanted = [found] + [{v for row in a for v in row} for a, _ in S], [found] + [{v for row in b for v in row} for _, b in S]
    kept = {0} | set.intersection(*given) | set.intersection(*wanted)
    cells = [cell for row in as_sheet(grid)[0] for cell in row]
    free = [c for c in range(10) if c not in kept]
    ranked_colors = sorted(free, key=lambda c: (-cells.count(c), cells.index(c) if c in cells else 10**9, c))
    names = dict(zip(ranked_colors, free))
    return tuple(names.get(c, c) for c in range(10))


def reading_roles(grid, kept):
    if not isinstance(kept, tuple) or any(not 0 <= c <= 9 for c in kept):
        raise ValueError("no such colours")
    cells = [cell for row in as_sheet(grid)[0] for cell in row]
    free = [c for c in range(10) if c not in kept]
    ground = max(free, key=lambda c: (cells.count(c), -c)) if 0 in free else None
    read = sorted(free, key=lambda c: (c != ground, cells.index(c) if c in cells else 10**9, c))
    names = dict(zip(read, free))
    return tuple(names.get(c, c) for c in range(10))


def rename_colors(grid, names):
    if len(names) != 10 or any(not 0 <= name <= 9 for name in names):
        raise ValueError("no such names")
    return tuple(tuple(names[cell] for cell in row) for row in as_sheet(grid)[0])


def restore_colors(grid, names):
    if sorted(names) != list(range(10)):
        raise ValueError("no such names")
    return rename_colors(grid, tuple(names.index(c) for c in range(10)))
