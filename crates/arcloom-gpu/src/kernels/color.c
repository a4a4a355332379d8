// Colours of grids and objects. Positions read as objects are left to the CPU.

FN int is_element(VP a) { return a->k == K_GRID || a->k == K_OBJ; }

FN void op_extreme_color(Mem *m, VP d, VP a, int most) {
    if (len(a) == 0) { fail(d); return; }
    if (!is_element(a)) { over(d); return; }
    set_val(d, mk_int(most_color(m, a, most)));
}

FN void op_colorcount(Mem *m, VP d, VP a, VP c) {
    if (len(a) == 0) { set_val(d, mk_int(0)); return; }
    if (!is_element(a)) { over(d); return; }
    int n = 0;
    if (small(c))
        for (int i = 0; i < a->h * a->w; i++) n += bytes(m, a->off)[i] == c->a;
    set_val(d, mk_int(n));
}

FN void op_palette(Mem *m, VP d, VP a, int count_only) {
    int n = 0, off = -1;
    if (len(a) == 0) { if (count_only) set_val(d, mk_int(0)); else give_empty(d, K_SET); return; }
    if (!is_element(a)) { over(d); return; }
    for (int c = next_color(m, *a, ABSENT); c < 128; c = next_color(m, *a, c)) n++;
    if (count_only) { set_val(d, mk_int(n)); return; }
    off = room(m, n * VAL_WORDS);
    if (off < 0) { over(d); return; }
    n = 0;
    for (int c = next_color(m, *a, ABSENT); c < 128; c = next_color(m, *a, c)) vals(m, off)[n++] = mk_int(c);
    give_set(m, d, off, n);
}

FN void op_color(Mem *m, VP d, VP a) {
    if (is_none(a) || (a->k == K_TUPLE && a->n == 0)) fail(d);
    else if (a->k == K_OBJ) set_val(d, mk_int(next_color(m, *a, ABSENT)));
    else if (a->k == K_POS) set_val(d, mk_int(a->a));
    else over(d);
}

FN void op_colorfilter(Mem *m, VP d, VP a, VP c) {
    int n = len(a), kept = 0;
    if (n < 0) { fail(d); return; }
    if (n == 0) { give_empty(d, K_SET); return; }
    if (a->k != K_SET && a->k != K_TUPLE) { over(d); return; }
    int off = room(m, n * VAL_WORDS);
    if (off < 0) { over(d); return; }
    for (int i = 0; i < n; i++) {
        Val v = vals(m, a->off)[i];
        if (v.k == K_SET && v.n == 0) { fail(d); return; }
        if (v.k != K_OBJ) { over(d); return; }
        if (c->k == K_INT && next_color(m, v, ABSENT) == c->a) vals(m, off)[kept++] = v;
    }
    give_set(m, d, off, kept);
}

FN void op_ofcolor(Mem *m, VP d, VP g, VP c) {
    if (g->k != K_GRID) { over(d); return; }
    if (!small(c)) { give_empty(d, K_SET); return; }
    if (!new_box(m, d, K_POS, 0, 0, g->h, g->w)) return;
    for (int i = 0; i < g->h * g->w; i++)
        if (bytes(m, g->off)[i] == c->a) bytes(m, d->off)[i] = 0;
    tighten(m, d);
}

FN void op_recolor(Mem *m, VP d, VP c, VP p) {
    if (is_none(p)) { give_empty(d, K_SET); return; }
    if (!is_box(p) || !small(c)) { over(d); return; }
    if (!copy_box(m, d, p)) return;
    d->k = K_OBJ;
    for (int i = 0; i < d->h * d->w; i++)
        if (bytes(m, d->off)[i] != ABSENT) bytes(m, d->off)[i] = c->a;
}

// Cells of one colour turned into another, or two exchanged.
FN void op_swap(Mem *m, VP d, VP g, VP a, VP b, int both) {
    if (g->k != K_GRID || !small(a) || !small(b)) { over(d); return; }
    if (!new_grid(m, d, g->h, g->w)) return;
    m->ctx->mode = F_SWAP;
    m->ctx->p[0] = g->off; m->ctx->p[1] = a->a; m->ctx->p[2] = b->a; m->ctx->p[3] = both;
}
