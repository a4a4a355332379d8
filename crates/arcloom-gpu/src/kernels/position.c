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
    GLOBAL i8 *to = bytes(m, d->off);
    int last = d->h * d->w - 1;
    to[0] = 0; to[d->w - 1] = 0; to[last - d->w + 1] = 0; to[last] = 0;
    tighten(m, d);
}

FN void op_center(VP d, VP a) {
    if (len(a) <= 0) { fail(d); return; }
    if (!is_box(a)) { over(d); return; }
    give_pair(d, a->a + a->h / 2, a->b + a->w / 2);
}

FN void op_centerofmass(Mem *m, VP d, VP a) {
    if (len(a) == 0) { give_empty(d, K_TUPLE); return; }
    if (!is_box(a)) { over(d); return; }
    i64 rows = 0, columns = 0;
    for (int c = 0; c < a->h * a->w; c++)
        if (bytes(m, a->off)[c] != ABSENT) { rows += a->a + c / a->w; columns += a->b + c % a->w; }
    give_pair(d, floor_div(rows, a->n), floor_div(columns, a->n));
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
    if (!copy_box(m, d, a)) return;
    d->k = K_POS;
    for (int c = 0; c < d->h * d->w; c++)
        if (bytes(m, d->off)[c] != ABSENT) bytes(m, d->off)[c] = 0;
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

// Whether some row (or column) holds cells of both; boxes are tight but may have gaps.
FN int share_line(Mem *m, VP a, VP b, int columns) {
    int low = columns ? (a->b > b->b ? a->b : b->b) : (a->a > b->a ? a->a : b->a);
    int ha = columns ? a->b + a->w : a->a + a->h, hb = columns ? b->b + b->w : b->a + b->h;
    for (int k = low; k < ha && k < hb; k++) {
        int x = 0, y = 0;
        for (int c = 0; c < (columns ? a->h : a->w) && !x; c++)
            x = (columns ? at_box(m, a, a->a + c, k) : at_box(m, a, k, a->b + c)) != ABSENT;
        for (int c = 0; c < (columns ? b->h : b->w) && !y; c++)
            y = (columns ? at_box(m, b, b->a + c, k) : at_box(m, b, k, b->b + c)) != ABSENT;
        if (x && y) return 1;
    }
    return 0;
}

FN void op_matching(Mem *m, VP d, VP a, VP b, int columns) {
    if ((is_none(a) && is_set(b)) || (is_none(b) && is_set(a))) { give_bool(d, 0); return; }
    if (!is_box(a) || !is_box(b)) { over(d); return; }
    give_bool(d, share_line(m, a, b, columns));
}

// Fewest steps between cells of two boxes, the first one moved.
FN int steps_between(Mem *m, VP a, VP b, int di, int dj) {
    int best = MAX_INT;
    for (int c = 0; c < a->h * a->w; c++) {
        if (bytes(m, a->off)[c] == ABSENT) continue;
        int i = a->a + di + c / a->w, j = a->b + dj + c % a->w;
        for (int e = 0; e < b->h * b->w; e++) {
            if (bytes(m, b->off)[e] == ABSENT) continue;
            int x = i - b->a - e / b->w, y = j - b->b - e % b->w;
            int far = (x < 0 ? -x : x) + (y < 0 ? -y : y);
            if (far < best) best = far;
            if (best == 0) return 0;
        }
    }
    return best;
}

FN void op_distance(Mem *m, VP d, VP a, VP b, int adjacent) {
    if (is_none(a) || is_none(b)) { fail(d); return; }
    if (!is_box(a) || !is_box(b)) { over(d); return; }
    m->ctx->work += a->n * b->n < 8192 ? a->n * b->n : 8192;
    int far = steps_between(m, a, b, 0, 0);
    if (adjacent) give_bool(d, far == 1); else set_val(d, mk_int(far));
}

FN void op_bordering(VP d, VP a, VP g) {
    if (len(a) == 0) { fail(d); return; }
    if (!is_box(a) || g->k != K_GRID) { over(d); return; }
    give_bool(d, a->a == 0 || a->b == 0 || a->a + a->h == g->h || a->b + a->w == g->w);
}

// True when no cell of the first, moved, lies on the second and some lies beside it.
FN int touches(Mem *m, VP a, VP b, int di, int dj) {
    int beside = 0;
    for (int c = 0; c < a->h * a->w; c++) {
        if (bytes(m, a->off)[c] == ABSENT) continue;
        int i = a->a + di + c / a->w, j = a->b + dj + c % a->w;
        if (at_box(m, b, i, j) != ABSENT) return 0;
        beside = beside || at_box(m, b, i - 1, j) != ABSENT || at_box(m, b, i + 1, j) != ABSENT
            || at_box(m, b, i, j - 1) != ABSENT || at_box(m, b, i, j + 1) != ABSENT;
    }
    return beside;
}

FN void op_gravitate(Mem *m, VP d, VP a, VP b) {
    if (is_none(a) || is_none(b)) { fail(d); return; }
    if (!is_box(a) || !is_box(b)) { over(d); return; }
    int i = 0, j = 0, n = 0;
    if (share_line(m, a, b, 1)) i = toward(a->a + a->h / 2, b->a + b->h / 2);
    else j = toward(a->b + a->w / 2, b->b + b->w / 2);
    m->ctx->work += 42 * a->n + b->n;
    while (n < 42 && !touches(m, a, b, i * n, j * n)) n++;
    give_pair(d, i * n, j * n);
}
