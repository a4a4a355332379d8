// Mirrors and rotations: all of them say which cell of the source a cell of the result is.

// Cell (i, j) of the result is cell ((p0*i + p1*j)/p9 + p2, (p3*i + p4*j)/p9 + p5) of the source.
FN void map_cells(Mem *m, int off, int width, int p0, int p1, int p2, int p3, int p4, int p5, int div) {
    GLOBAL int *p = m->ctx->p;
    p[0] = p0; p[1] = p1; p[2] = p2; p[3] = p3; p[4] = p4; p[5] = p5; p[6] = off; p[7] = width; p[8] = div;
    m->ctx->mode = F_MAP;
}

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
