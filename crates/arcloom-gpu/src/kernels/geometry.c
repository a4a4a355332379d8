// Mirrors and rotations: all of them say which cell of the source a cell of the result is.

// 0 hmirror, 1 vmirror, 2 dmirror, 3 cmirror, 4 rot90, 5 rot180, 6 rot270.
FN void op_turn(Mem *m, VP d, VP a, int what) {
    int h = a->h, w = a->w, turned = what == 2 || what == 3 || what == 4 || what == 6;
    if (a->k == K_TUPLE && a->n == 0) { set_val(d, *a); return; }
    if (is_none(a)) { fail(d); return; }
    if (a->k == K_GRID) { if (!new_grid(m, d, turned ? w : h, turned ? h : w)) return; }
    else if (is_box(a) && what < 4) {
        if (!new_box(m, d, a->k, a->a, a->b, turned ? w : h, turned ? h : w)) return;
        d->n = a->n;
    } else { over(d); return; }
    switch (what) {
    case 0: map_cells(m, a->off, w, -1, 0, h - 1, 0, 1, 0, 1); break;
    case 1: map_cells(m, a->off, w, 1, 0, 0, 0, -1, w - 1, 1); break;
    case 2: map_cells(m, a->off, w, 0, 1, 0, 1, 0, 0, 1); break;
    case 3: map_cells(m, a->off, w, 0, -1, h - 1, -1, 0, w - 1, 1); break;
    case 4: map_cells(m, a->off, w, 0, -1, h - 1, 1, 0, 0, 1); break;
    case 5: map_cells(m, a->off, w, -1, 0, h - 1, 0, -1, w - 1, 1); break;
    default: map_cells(m, a->off, w, 0, 1, 0, -1, 0, w - 1, 1); break;
    }
}
