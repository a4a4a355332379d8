// Neighbourhoods, lines and boxes. None of them is cut off at the border of a grid.

// A 3 x 3 pattern around a position, one bit per place.
FN void op_around(Mem *m, VP d, VP a, int pattern) {
    if (a->k != K_PAIR) { over(d); return; }
    if (!new_box(m, d, K_POS, (i64)a->a - 1, (i64)a->b - 1, 3, 3)) return;
    outline(m, d, O_PATTERN, pattern, pattern == 0x1ef ? 8 : 4);
}

FN void line_between(Mem *m, VP d, i64 ai, i64 aj, i64 bi, i64 bj) {
    i64 di = bi - ai, dj = bj - aj;
    if (di != 0 && dj != 0 && di != dj && di != -dj) { give_empty(d, K_SET); return; }
    i64 n = (di < 0 ? -di : di) > (dj < 0 ? -dj : dj) ? (di < 0 ? -di : di) : (dj < 0 ? -dj : dj);
    i64 top = ai < bi ? ai : bi, left = aj < bj ? aj : bj;
    if (!new_box(m, d, K_POS, top, left, (di < 0 ? -di : di) + 1, (dj < 0 ? -dj : dj) + 1)) return;
    outline(m, d, di == 0 || dj == 0 ? O_ALL : O_DIAGONAL, sign_of(di) * sign_of(dj), (int)n + 1);
}

FN void op_connect(Mem *m, VP d, VP a, VP b) {
    if (a->k != K_PAIR || b->k != K_PAIR) { over(d); return; }
    line_between(m, d, a->a, a->b, b->a, b->b);
}

FN void op_shoot(Mem *m, VP d, VP a, VP by) {
    if (a->k != K_PAIR || by->k != K_PAIR) { over(d); return; }
    line_between(m, d, a->a, a->b, a->a + 42 * (i64)by->a, a->b + 42 * (i64)by->b);
}

FN void op_frontier(Mem *m, VP d, VP a, int vertical) {
    if (a->k != K_PAIR) { over(d); return; }
    if (vertical) rectangle(m, d, 0, a->b, 30, 1); else rectangle(m, d, a->a, 0, 1, 30);
}

FN void op_backdrop(Mem *m, VP d, VP a) {
    if (len(a) < 0) { fail(d); return; }
    if (len(a) == 0) { give_empty(d, K_SET); return; }
    if (!is_box(a)) { over(d); return; }
    rectangle(m, d, a->a, a->b, a->h, a->w);
}

FN void op_delta(Mem *m, VP d, VP a) {
    if (len(a) < 0) { fail(d); return; }
    if (len(a) == 0) { give_empty(d, K_SET); return; }
    if (!is_box(a)) { over(d); return; }
    if (!new_box(m, d, K_POS, a->a, a->b, a->h, a->w)) return;
    begin(m, F_COMPLEMENT);
    m->ctx->p[0] = a->off;
}

FN void ring(Mem *m, VP d, i64 top, i64 left, i64 bottom, i64 right) {
    if (!new_box(m, d, K_POS, top, left, bottom - top + 1, right - left + 1)) return;
    outline(m, d, O_RING, 0, d->h < 3 || d->w < 3 ? d->h * d->w : 2 * (d->h + d->w) - 4);
}

FN void op_ring(Mem *m, VP d, VP a, int inwards) {
    if (len(a) < 0) { fail(d); return; }
    if (len(a) == 0) { if (inwards == 0) set_val(d, *a); else fail(d); return; }
    if (!is_box(a)) { over(d); return; }
    int top = a->a + inwards, left = a->b + inwards;
    int bottom = a->a + a->h - 1 - inwards, right = a->b + a->w - 1 - inwards;
    ring(m, d, top < bottom ? top : bottom, left < right ? left : right, top < bottom ? bottom : top,
         left < right ? right : left);
}
