def sheet_product(large, small, dyed):
    (big, _), (rows, _) = sheet_read(large), sheet_read(small)
    h, w = len(rows), len(rows[0])
    if len(big) * h > 100 or len(big[0]) * w > 100:
        raise ValueError("no such size of a sheet")

    def copied(i, j):
        color, cell = big[i // h][j // w], rows[i % h][j % w]
        return 0 if color == 0 else color if dyed and cell else cell

    return sheet_made(tuple(tuple(copied(i, j) for j in range(len(big[0]) * w)) for i in range(len(big) * h)), (0, 0))
