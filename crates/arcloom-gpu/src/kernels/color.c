// Colours of grids and objects. Positions read as objects are left to the CPU.

FN int is_element(VP a) { return a->k == K_GRID || a->k == K_OBJ; }

FN void op_extreme_color(Mem *m, VP d, VP a, int most) {
    if (len(a) == 0) { fail(d); return; }
    if (!is_element(a)) { over(d); return; }
    if (colors_of(m, a)) set_val(d, mk_int(most ? m->ctx->most : m->ctx->least));
}

FN void op_colorcount(Mem *m, VP d, VP a, VP c) {
    if (len(a) == 0) { set_val(d, mk_int(0)); return; }
    if (!is_element(a)) { over(d); return; }
    set_val(d, mk_int(0));
    if (!small(c)) return;
    begin(m, F_MASS);
    put_box(m, 0, a);
    m->ctx->p[5] = c->a;
}

FN void op_palette(Mem *m, VP d, VP a, int count_only) {
    int n = 0, off = -1;
    if (len(a) == 0) { if (count_only) set_val(d, mk_int(0)); else give_empty(d, K_SET); return; }
    if (!is_element(a)) { over(d); return; }
    if (!colors_of(m, a)) return;
    if (count_only) { set_val(d, mk_int(m->ctx->kinds)); return; }
    n = m->ctx->kinds;
    off = room(m, n * VAL_WORDS);
    if (off < 0) { over(d); return; }
    n = 0;
    for (int k = 0; k < 8; k++)
        for (u32 left = m->ctx->mask[k]; left != 0; left &= left - 1)
            vals(m, off)[n++] = mk_int(32 * k + LOWEST_BIT(left) - 128);
    // Ascending, and each once.
    Val v = mk(K_SET);
    v.n = n; v.off = off;
    set_val(d, v);
}

FN void op_color(Mem *m, VP d, VP a) {
    if (is_none(a) || (a->k == K_TUPLE && a->n == 0)) fail(d);
    else if (a->k == K_OBJ) { if (colors_of(m, a)) set_val(d, mk_int(m->ctx->lowest)); }
    else if (a->k == K_POS) set_val(d, mk_int(a->a));
    else over(d);
}

FN void op_colorfilter(Mem *m, VP d, VP a, VP c) {
    int n = len(a), kept = 0;
    if (n < 0) { fail(d); return; }
    if (n == 0) { give_empty(d, K_SET); return; }
    if (a->k != K_SET && a->k != K_TUPLE) { over(d); return; }
    int off = room(m, n);
    if (off < 0) { over(d); return; }
    begin(m, F_COLOR_OF);
    LOCAL int *p = m->ctx->p;
    p[0] = a->off; p[1] = n; p[2] = c->k == K_INT; p[3] = c->a; p[4] = off; p[5] = 1; p[6] = 1;
}
// For each object whether it has this colour; 2 for what is empty and 4 for what is no object.
FN void lanes_color_of(Mem *m) {
    LOCAL Ctx *x = m->ctx;
    LOCAL int *p = x->p;
    VP at = vals(m, p[0]);
    for (int i = LANE; i < p[1]; i += LANES) {
        Val v = at[i];
        m->h[p[4] + i] = 0;
        if (v.k == K_SET && v.n == 0) LOWER(&x->low_i, i);
        else if (v.k != K_OBJ) LOWER(&x->low_j, i);
        else m->h[p[4] + i] = p[2] && next_color(m, v, ABSENT) == p[3];
    }
}
FN void after_color_of(Mem *m, VP d) {
    LOCAL Ctx *x = m->ctx;
    x->mode = F_NONE;
    if (x->low_i < x->low_j) fail(d);
    else if (x->low_j < MAX_INT) over(d);
    else after_equal(m, d);
}

FN void op_ofcolor(Mem *m, VP d, VP g, VP c) {
    if (g->k != K_GRID) { over(d); return; }
    if (!small(c)) { give_empty(d, K_SET); return; }
    if (!new_box(m, d, K_POS, 0, 0, g->h, g->w)) return;
    begin(m, F_OF_COLOR);
    m->ctx->p[0] = g->off; m->ctx->p[1] = c->a;
}

// A box with the same elements, all of one colour.
FN void recolored(Mem *m, VP d, VP p, int k, int color) {
    if (!new_box(m, d, k, p->a, p->b, p->h, p->w)) return;
    d->n = p->n;
    m->ctx->mode = F_RECOLOR;
    m->ctx->p[0] = p->off; m->ctx->p[1] = color;
}

FN void op_recolor(Mem *m, VP d, VP c, VP p) {
    if (is_none(p)) { give_empty(d, K_SET); return; }
    if (!is_box(p) || !small(c)) { over(d); return; }
    recolored(m, d, p, K_OBJ, c->a);
}

// Cells of one colour turned into another, or two exchanged.
FN void op_swap(Mem *m, VP d, VP g, VP a, VP b, int both) {
    if (g->k != K_GRID || !small(a) || !small(b)) { over(d); return; }
    if (!new_grid(m, d, g->h, g->w)) return;
    m->ctx->mode = F_SWAP;
    m->ctx->p[0] = g->off; m->ctx->p[1] = a->a; m->ctx->p[2] = b->a; m->ctx->p[3] = both;
}
