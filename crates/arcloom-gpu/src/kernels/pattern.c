// Repetition: where an object occurs, and how a pattern repeats.

FN void op_occurrences(Mem *m, VP d, VP g, VP p) {
    if (g->k != K_GRID || !is_box(p)) { over(d); return; }
    int down = g->h - p->h + 1, right = g->w - p->w + 1;
    if (down <= 0 || right <= 0) { give_empty(d, K_SET); return; }
    if (p->k == K_POS) { fail(d); return; }
    m->ctx->work += p->n / 64 * down * right + p->n;
    if (!new_box(m, d, K_POS, 0, 0, down, right)) return;
    begin(m, F_OCCUR);
    put_box(m, 0, p);
    m->ctx->p[5] = g->off; m->ctx->p[6] = g->w;
}

FN void op_period(Mem *m, VP d, VP p, int vertical) {
    if (len(p) == 0 && is_set(p)) { set_val(d, mk_int(0)); return; }
    if (!is_box(p)) { over(d); return; }
    int side = vertical ? p->h : p->w;
    if (side == 1) { set_val(d, mk_int(1)); return; }
    if (p->k == K_POS) { fail(d); return; }
    m->ctx->work += p->n / 64 * side + p->n;
    begin(m, F_PERIOD);
    put_box(m, 0, p);
    m->ctx->p[5] = vertical; m->ctx->p[6] = side;
}
// The least shift by which a box is on itself; each lane tries its own.
FN void lanes_period(Mem *m) {
    LOCAL int *p = m->ctx->p;
    int w = p[4], area = p[3] * w, vertical = p[5];
    GLOBAL i8 *at = bytes(m, p[0]);
    for (int n = LANE + 1; n < p[6] && n < m->ctx->low_i; n += LANES) {
        int fits = 1;
        for (int c = vertical ? n * w : n; c < area && fits; c++)
            fits = at[c] == ABSENT || (!vertical && c % w < n) || at[vertical ? c - n * w : c - n] == at[c];
        if (fits) LOWER(&m->ctx->low_i, n);
    }
}
FN void after_period(Mem *m, VP d) {
    LOCAL Ctx *x = m->ctx;
    x->mode = F_NONE;
    set_val(d, mk_int(x->low_i < x->p[6] ? x->low_i : x->p[6]));
}
