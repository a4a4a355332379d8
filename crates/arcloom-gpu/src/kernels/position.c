// Where patches are, moving them, and how two of them lie to each other.

// 0 upper left, 1 upper right, 2 lower left, 3 lower right.
FN void op_corner(VP d, VP a, int what) {
    if (len(a) == 0) { give_empty(d, K_TUPLE); return; }
    if (!is_box(a)) { over(d); return; }
    give_pair(d, what < 2 ? a->a : a->a + a->h - 1, what % 2 == 0 ? a->b : a->b + a->w - 1);
}

// 0 upper, 1 lower, 2 left, 3 right.
FN void op_most(VP d, VP a, int what) {
    if (len(a) <= 0) { fail(d); return; }
    if (!is_box(a)) { over(d); return; }
    give_int(d, what == 0 ? a->a : what == 1 ? a->a + a->h - 1 : what == 2 ? a->b : a->b + a->w - 1);
}

FN void op_corners(Mem *m, VP d, VP a) {
    if (!is_box(a)) { over(d); return; }
    if (!new_box(m, d, K_POS, a->a, a->b, a->h, a->w)) return;
    outline(m, d, O_CORNERS, 0, (d->h > 1 ? 2 : 1) * (d->w > 1 ? 2 : 1));
}

FN void op_center(VP d, VP a) {
    if (len(a) <= 0) { fail(d); return; }
    if (!is_box(a)) { over(d); return; }
    give_pair(d, a->a + a->h / 2, a->b + a->w / 2);
}

FN void op_centerofmass(Mem *m, VP d, VP a) {
    if (len(a) == 0) { give_empty(d, K_TUPLE); return; }
    if (!is_box(a)) { over(d); return; }
    begin(m, F_MASS);
    put_box(m, 0, a);
    m->ctx->p[5] = ABSENT;
}
// How many elements of a box are of a colour, and the sums of the places of all elements.
FN void lanes_mass(Mem *m) {
    LOCAL Ctx *x = m->ctx;
    LOCAL int *p = x->p;
    GLOBAL i8 *at = bytes(m, p[0]);
    int w = p[4], area = p[3] * w, n = 0, i = 0, j = 0;
    for (int c = LANE; c < area; c += LANES) {
        if (at[c] == ABSENT) continue;
        n += at[c] == p[5]; i += c / w; j += c % w;
    }
    if (n) ADD(&x->n, n);
    if (i || j) { ADD(&x->most_area, i); ADD(&x->all_area, j); }
}
FN void after_mass(Mem *m, VP d, VP a) {
    LOCAL Ctx *x = m->ctx;
    x->mode = F_NONE;
    if (x->p[5] != ABSENT) set_val(d, mk_int(x->n));
    else give_pair(d, a->a + floor_div(x->most_area, a->n), a->b + floor_div(x->all_area, a->n));
}

FN int toward(int from, int to) { return from < to ? 1 : -1; }

FN void op_position(VP d, VP a, VP b) {
    if (is_none(a) || is_none(b)) { fail(d); return; }
    if (!is_box(a) || !is_box(b)) { over(d); return; }
    int ia = a->a + a->h / 2, ja = a->b + a->w / 2, ib = b->a + b->h / 2, jb = b->b + b->w / 2;
    if (ia == ib) give_pair(d, 0, toward(ja, jb));
    else if (ja == jb) give_pair(d, toward(ia, ib), 0);
    else give_pair(d, toward(ia, ib), toward(ja, jb));
}

FN void op_index(Mem *m, VP d, VP g, VP at) {
    if (g->k != K_GRID || at->k != K_PAIR) { over(d); return; }
    if (at->a < 0 || at->b < 0 || at->a >= g->h || at->b >= g->w) { set_val(d, mk(K_NONE)); return; }
    set_val(d, mk_int(bytes(m, g->off)[at->a * g->w + at->b]));
}

FN void rectangle(Mem *m, VP d, i64 top, i64 left, i64 h, i64 w) {
    if (!new_box(m, d, K_POS, top, left, h, w)) return;
    d->n = d->h * d->w;
    m->ctx->mode = F_CONST;
    m->ctx->p[0] = 0;
}

FN void op_asindices(Mem *m, VP d, VP g) {
    if (len(g) == 0) { give_empty(d, K_SET); return; }
    if (g->k != K_GRID) { over(d); return; }
    rectangle(m, d, 0, 0, g->h, g->w);
}

FN void op_toindices(Mem *m, VP d, VP a) {
    if (len(a) < 0) { fail(d); return; }
    if (len(a) == 0) { give_empty(d, K_SET); return; }
    if (a->k == K_POS) { set_val(d, *a); return; }
    if (a->k != K_OBJ) { over(d); return; }
    recolored(m, d, a, K_POS, 0);
}

FN void moved(VP d, VP a, i64 di, i64 dj) {
    i64 top = a->a + di, left = a->b + dj;
    if (top > 1000000 || top < -1000000 || left > 1000000 || left < -1000000) { over(d); return; }
    Val v = *a;
    v.a = (int)top; v.b = (int)left;
    set_val(d, v);
}

FN void op_shift(VP d, VP a, VP by) {
    if (len(a) < 0) { fail(d); return; }
    if (len(a) == 0) { set_val(d, *a); return; }
    if (!is_box(a) || by->k != K_PAIR) { over(d); return; }
    moved(d, a, by->a, by->b);
}

FN void op_normalize(VP d, VP a) {
    if (len(a) < 0) { fail(d); return; }
    if (len(a) == 0) { set_val(d, *a); return; }
    if (!is_box(a)) { over(d); return; }
    moved(d, a, -(i64)a->a, -(i64)a->b);
}

// Whether some row (or column) holds elements of both; boxes are tight but may have gaps. Each lane has
// its rows.
FN int line_has(Mem *m, LOCAL const int *p, int k, int columns) {
    GLOBAL i8 *at = bytes(m, p[0]) + (columns ? k - p[2] : (k - p[1]) * p[4]);
    for (int c = 0; c < (columns ? p[3] : p[4]); c++)
        if (at[columns ? c * p[4] : c] != ABSENT) return 1;
    return 0;
}
FN void lanes_share_line(Mem *m) {
    LOCAL int *p = m->ctx->p;
    int columns = p[10], at = columns ? 2 : 1, size = columns ? 4 : 3;
    int low = p[at] > p[5 + at] ? p[at] : p[5 + at], ha = p[at] + p[size], hb = p[5 + at] + p[5 + size];
    for (int k = low + LANE; k < ha && k < hb; k += LANES)
        if (line_has(m, p, k, columns) && line_has(m, p + 5, k, columns)) { m->ctx->flag = 1; return; }
}
FN void begin_pair(Mem *m, int mode, VP a, VP b) {
    begin(m, mode);
    put_box(m, 0, a);
    put_box(m, 5, b);
}

FN void op_matching(Mem *m, VP d, VP a, VP b, int columns) {
    if ((is_none(a) && is_set(b)) || (is_none(b) && is_set(a))) { give_bool(d, 0); return; }
    if (!is_box(a) || !is_box(b)) { over(d); return; }
    begin_pair(m, F_SHARE_LINE, a, b);
    m->ctx->p[10] = columns;
    m->ctx->p[11] = 0;
}

// Fewest steps between elements of two boxes.
FN void lanes_distance(Mem *m) {
    LOCAL int *p = m->ctx->p;
    GLOBAL i8 *x = bytes(m, p[0]), *y = bytes(m, p[5]);
    int best = MAX_INT, w = p[9], area = p[8] * w;
    for (int c = LANE; c < p[3] * p[4] && best > 0; c += LANES) {
        if (x[c] == ABSENT) continue;
        int di = p[1] - p[6] + c / p[4], dj = p[2] - p[7] + c % p[4];
        for (int e = 0; e < area && best > 0; e++) {
            if (y[e] == ABSENT) continue;
            int i = di - e / w, j = dj - e % w, far = (i < 0 ? -i : i) + (j < 0 ? -j : j);
            if (far < best) best = far;
        }
    }
    LOWER(&m->ctx->low_i, best);
}

FN void op_distance(Mem *m, VP d, VP a, VP b, int adjacent) {
    if (is_none(a) || is_none(b)) { fail(d); return; }
    if (!is_box(a) || !is_box(b)) { over(d); return; }
    m->ctx->work += a->n * b->n < 8192 ? a->n * b->n : 8192;
    begin_pair(m, F_DISTANCE, a, b);
    m->ctx->p[10] = adjacent;
}

FN void op_bordering(VP d, VP a, VP g) {
    if (len(a) == 0) { fail(d); return; }
    if (!is_box(a) || g->k != K_GRID) { over(d); return; }
    give_bool(d, a->a == 0 || a->b == 0 || a->a + a->h == g->h || a->b + a->w == g->w);
}

// Whether an element of the first, moved, lies on the second, and whether one lies beside it.
FN void lanes_touch(Mem *m) {
    LOCAL Ctx *x = m->ctx;
    LOCAL int *p = x->p;
    GLOBAL i8 *at = bytes(m, p[0]);
    int beside = 0;
    for (int c = LANE; c < p[3] * p[4]; c += LANES) {
        if (at[c] == ABSENT) continue;
        int i = p[1] + p[10] * p[12] + c / p[4], j = p[2] + p[11] * p[12] + c % p[4];
        if (box_at(m, p + 5, i, j) != ABSENT) { x->flag = 1; return; }
        beside = beside || box_at(m, p + 5, i - 1, j) != ABSENT || box_at(m, p + 5, i + 1, j) != ABSENT
            || box_at(m, p + 5, i, j - 1) != ABSENT || box_at(m, p + 5, i, j + 1) != ABSENT;
    }
    if (beside) x->n = 1;
}

#define MOST_MOVES 42
FN void op_gravitate(Mem *m, VP d, VP a, VP b) {
    if (is_none(a) || is_none(b)) { fail(d); return; }
    if (!is_box(a) || !is_box(b)) { over(d); return; }
    m->ctx->work += MOST_MOVES * a->n + b->n;
    begin_pair(m, F_SHARE_LINE, a, b);
    m->ctx->p[10] = 1; m->ctx->p[11] = 1;
}
// One place further, or the end.
FN void step_on(Mem *m, VP d, int touches) {
    LOCAL int *p = m->ctx->p;
    if (touches || p[12] >= MOST_MOVES) {
        give_pair(d, p[10] * p[12], p[11] * p[12]);
        m->ctx->mode = F_NONE;
    } else begin(m, F_TOUCH);
}
FN void after_share_line(Mem *m, VP d, VP a, VP b) {
    LOCAL Ctx *x = m->ctx;
    LOCAL int *p = x->p;
    x->mode = F_NONE;
    if (!p[11]) { give_bool(d, x->flag); return; }
    int i = 0, j = 0, gap;
    if (x->flag) i = toward(a->a + a->h / 2, b->a + b->h / 2);
    else j = toward(a->b + a->w / 2, b->b + b->w / 2);
    // While the boxes are not beside each other, nothing of them is.
    if (i) gap = i > 0 ? b->a - a->a - a->h : a->a - b->a - b->h;
    else gap = j > 0 ? b->b - a->b - a->w : a->b - b->b - b->w;
    p[10] = i; p[11] = j; p[12] = gap < 0 ? 0 : gap > MOST_MOVES ? MOST_MOVES : gap;
    step_on(m, d, 0);
}
FN void after_touch(Mem *m, VP d) {
    LOCAL Ctx *x = m->ctx;
    int touches = !x->flag && x->n;
    if (!touches) x->p[12]++;
    step_on(m, d, touches);
}
