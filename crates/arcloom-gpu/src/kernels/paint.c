// Writing into grids, and lifting objects out of them.

// The grid with a box written into it: `color` or, where that is ABSENT, the box's own; `below` is
// what a cell must be to be written to, ABSENT for anything; the box may be moved.
FN void draw(Mem *m, VP d, VP g, VP p, int color, int below, int di, int dj) {
    if (!new_grid(m, d, g->h, g->w)) return;
    LOCAL int *q = m->ctx->p;
    m->ctx->mode = F_DRAW;
    q[0] = g->off; q[1] = p->off; q[2] = p->a + di; q[3] = p->b + dj; q[4] = p->h; q[5] = p->w;
    q[6] = color; q[7] = below; q[8] = ABSENT;
}

FN void op_fill(Mem *m, VP d, VP g, VP c, VP p, int under) {
    if (g->k != K_GRID) { over(d); return; }
    if (len(p) == 0) { set_val(d, *g); return; }
    if (!is_box(p) || !small(c)) { over(d); return; }
    if (under && !colors_of(m, g)) return;
    draw(m, d, g, p, c->a, under ? m->ctx->most : ABSENT, 0, 0);
}

FN void op_paint(Mem *m, VP d, VP g, VP p, int under) {
    if (g->k != K_GRID) { over(d); return; }
    if (len(p) == 0) { set_val(d, *g); return; }
    if (p->k == K_POS) { fail(d); return; }
    if (p->k != K_OBJ) { over(d); return; }
    if (under && !colors_of(m, g)) return;
    draw(m, d, g, p, ABSENT, under ? m->ctx->most : ABSENT, 0, 0);
}

FN void op_cover(Mem *m, VP d, VP g, VP p) {
    if (g->k != K_GRID) { over(d); return; }
    if (len(p) == 0) { set_val(d, *g); return; }
    if (!is_box(p)) { over(d); return; }
    if (colors_of(m, g)) draw(m, d, g, p, m->ctx->most, ABSENT, 0, 0);
}

FN void op_move(Mem *m, VP d, VP g, VP p, VP by) {
    if (g->k != K_GRID || by->k != K_PAIR) { over(d); return; }
    if (p->k == K_POS) { fail(d); return; }
    if (p->k != K_OBJ || by->a > 100000 || by->a < -100000 || by->b > 100000 || by->b < -100000) { over(d); return; }
    if (!colors_of(m, g)) return;
    draw(m, d, g, p, ABSENT, ABSENT, by->a, by->b);
    // Erased where it was.
    m->ctx->p[8] = m->ctx->most; m->ctx->p[9] = p->a; m->ctx->p[10] = p->b;
}

FN void op_toobject(Mem *m, VP d, VP p, VP g) {
    if (g->k != K_GRID) { over(d); return; }
    if (len(p) == 0) { give_empty(d, K_SET); return; }
    if (!is_box(p)) { over(d); return; }
    int top = p->a > 0 ? p->a : 0, left = p->b > 0 ? p->b : 0;
    int bottom = p->a + p->h < g->h ? p->a + p->h : g->h, right = p->b + p->w < g->w ? p->b + p->w : g->w;
    if (!new_box(m, d, K_OBJ, top, left, bottom - top, right - left)) return;
    begin(m, F_LIFT);
    put_box(m, 0, p);
    m->ctx->p[5] = g->off; m->ctx->p[6] = g->w;
}

FN void op_asobject(Mem *m, VP d, VP g) {
    if (len(g) == 0) { give_empty(d, K_SET); return; }
    if (g->k != K_GRID) { over(d); return; }
    if (!new_box(m, d, K_OBJ, 0, 0, g->h, g->w)) return;
    d->n = d->h * d->w;
    map_cells(m, g->off, g->w, 1, 0, 0, 0, 1, 0, 1);
}
