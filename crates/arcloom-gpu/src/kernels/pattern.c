// Repetition: where an object occurs, and how a pattern repeats.

FN void op_occurrences(Mem *m, VP d, VP g, VP p) {
    if (g->k != K_GRID || !is_box(p)) { over(d); return; }
    int down = g->h - p->h + 1, right = g->w - p->w + 1;
    if (down <= 0 || right <= 0) { give_empty(d, K_SET); return; }
    if (p->k == K_POS) { fail(d); return; }
    m->ctx->work += p->n / 64 * down * right + p->n;
    if (!new_box(m, d, K_POS, 0, 0, down, right)) return;
    for (int c = 0; c < down * right; c++) {
        int i = c / right, j = c % right, same = 1;
        for (int e = 0; e < p->h * p->w && same; e++) {
            int v = bytes(m, p->off)[e];
            same = v == ABSENT || v == bytes(m, g->off)[(i + e / p->w) * g->w + j + e % p->w];
        }
        if (same) bytes(m, d->off)[c] = 0;
    }
    tighten(m, d);
}

FN void op_period(Mem *m, VP d, VP p, int vertical) {
    if (len(p) == 0 && is_set(p)) { set_val(d, mk_int(0)); return; }
    if (!is_box(p)) { over(d); return; }
    int side = vertical ? p->h : p->w, n = 1;
    if (side == 1) { set_val(d, mk_int(1)); return; }
    if (p->k == K_POS) { fail(d); return; }
    m->ctx->work += p->n / 64 * side + p->n;
    for (; n < side; n++) {
        int fits = 1;
        for (int c = 0; c < p->h * p->w && fits; c++) {
            int i = c / p->w, j = c % p->w, v = bytes(m, p->off)[c];
            if (v == ABSENT || (vertical ? i : j) < n) continue;
            fits = bytes(m, p->off)[vertical ? c - n * p->w : c - n] == v;
        }
        if (fits) break;
    }
    set_val(d, mk_int(n));
}
