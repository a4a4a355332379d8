// Values: room for them, their canonical form, equality and order.

INLINE GLOBAL i8 *bytes(Mem *m, int off) { return (GLOBAL i8 *)(m->h + off); }
INLINE VP vals(Mem *m, int off) { return (VP)(m->h + off); }

// Room for so many words, in whole headers; -1 when the heap is full.
INLINE int room(Mem *m, int words) {
    int at = m->ctx->top, size = (words + VAL_WORDS - 1) / VAL_WORDS * VAL_WORDS;
    if (size < 0 || at + size > m->cap) { m->ctx->over = 1; return -1; }
    m->ctx->top = at + size;
    return at;
}

// Room at the far end that lasts until the next allocation; -1 when there is none.
FN int scratch(Mem *m, int words) {
    int size = (words + VAL_WORDS - 1) / VAL_WORDS * VAL_WORDS;
    int at = m->cap - size;
    if (at < m->ctx->top) { m->ctx->over = 1; return -1; }
    return at;
}

INLINE void over(VP d) { d->k = K_OVER; }
INLINE void fail(VP d) { d->k = K_FAIL; }
INLINE void set_val(VP d, Val v) { *d = v; }
INLINE Val mk(int k) {
    Val v;
    v.k = k; v.a = 0; v.b = 0; v.h = 0; v.w = 0; v.n = 0; v.off = 0; v.x = 0;
    return v;
}
INLINE Val mk_int(int a) { Val v = mk(K_INT); v.a = a; return v; }
INLINE Val mk_pair(int a, int b) { Val v = mk(K_PAIR); v.a = a; v.b = b; return v; }
INLINE Val mk_cell(int c, int a, int b) { Val v = mk(K_CELL); v.h = c; v.a = a; v.b = b; return v; }

INLINE void give_int(VP d, i64 n) {
    if (n > MAX_INT || n < -(i64)MAX_INT) over(d); else set_val(d, mk_int((int)n));
}
INLINE void give_pair(VP d, i64 a, i64 b) {
    if (a >= MAX_COORD || a <= -MAX_COORD || b >= MAX_COORD || b <= -MAX_COORD) over(d);
    else set_val(d, mk_pair((int)a, (int)b));
}
INLINE void give_empty(VP d, int k) { set_val(d, mk(k)); }

INLINE int is_tuple(VP v) { return v->k >= K_PAIR && v->k <= K_TUPLE; }
INLINE int is_set(VP v) { return v->k >= K_POS && v->k <= K_SET; }
INLINE int is_box(VP v) { return v->k == K_POS || v->k == K_OBJ; }
INLINE int is_none(VP v) { return is_set(v) && v->n == 0; }
INLINE int len_val(Val v) {
    switch (v.k) {
    case K_PAIR: case K_CELL: return 2;
    case K_GRID: return v.h;
    case K_TUPLE: case K_SET: case K_POS: case K_OBJ: return v.n;
    default: return -1;
    }
}
INLINE int len(VP v) { return len_val(*v); }
INLINE int truth(VP v) { return v->k == K_INT ? v->a != 0 : v->k == K_NONE ? 0 : len(v) != 0; }
INLINE int small(VP v) { return v->k == K_INT && v->a > ABSENT && v->a < 128; }

// A grid without cells yet; 0 when there is no such grid, and then the result is there already.
FN int new_grid(Mem *m, VP d, i64 h, i64 w) {
    if (h <= 0) { give_empty(d, K_TUPLE); return 0; }
    if (w <= 0 || h > MAX_SIDE || w > MAX_SIDE || h * w > MAX_AREA) { over(d); return 0; }
    int off = room(m, ((int)(h * w) + 3) / 4);
    if (off < 0) { over(d); return 0; }
    Val v = mk(K_GRID);
    v.h = (int)h; v.w = (int)w; v.off = off;
    set_val(d, v);
    return 1;
}

// A box of this extent whose cells are still to be written; 0 when it cannot be.
FN int new_box(Mem *m, VP d, int k, i64 top, i64 left, i64 h, i64 w) {
    if (h <= 0 || w <= 0) { give_empty(d, K_SET); return 0; }
    if (h > MAX_SIDE || w > MAX_SIDE || h * w > MAX_AREA || top > 1000000 || top < -1000000
        || left > 1000000 || left < -1000000) { over(d); return 0; }
    int off = room(m, ((int)(h * w) + 3) / 4);
    if (off < 0) { over(d); return 0; }
    Val v = mk(k);
    v.a = (int)top; v.b = (int)left; v.h = (int)h; v.w = (int)w; v.off = off;
    set_val(d, v);
    return 1;
}

// What all lanes are to do next, and nothing found yet.
FN void begin(Mem *m, int mode) {
    LOCAL Ctx *x = m->ctx;
    x->mode = mode;
    x->n = 0; x->flag = 0; x->most_area = 0; x->all_area = 0;
    x->low_i = MAX_INT; x->low_j = MAX_INT; x->high_i = -MAX_INT; x->high_j = -MAX_INT;
}

// Cell (i, j) of the result is cell ((p0*i + p1*j)/p9 + p2, (p3*i + p4*j)/p9 + p5) of the source.
FN void map_cells(Mem *m, int off, int width, int p0, int p1, int p2, int p3, int p4, int p5, int div) {
    LOCAL int *p = m->ctx->p;
    p[0] = p0; p[1] = p1; p[2] = p2; p[3] = p3; p[4] = p4; p[5] = p5; p[6] = off; p[7] = width; p[8] = div;
    m->ctx->mode = F_MAP;
}

// The result is a box whose elements all lanes have written: counts them and makes it tight.
FN void tighten(Mem *m, VP d) {
    LOCAL Ctx *x = m->ctx;
    x->mode = F_NONE;
    if (x->n == 0) { give_empty(d, K_SET); return; }
    int top = x->low_i, left = x->low_j, h = x->high_i - top + 1, w = x->high_j - left + 1;
    if (h != d->h || w != d->w) {
        int from = d->off, width = d->w, off = room(m, (h * w + 3) / 4);
        if (off < 0) { over(d); return; }
        d->off = off;
        map_cells(m, from, width, 1, 0, top, 0, 1, left, 1);
    }
    d->a += top; d->b += left; d->h = h; d->w = w; d->n = x->n;
}

// Where a box is, for the lanes: five numbers from p[at] on.
FN void put_box(Mem *m, int at, VP v) {
    LOCAL int *p = m->ctx->p + at;
    p[0] = v->off; p[1] = v->a; p[2] = v->b; p[3] = v->h; p[4] = v->w;
}
INLINE int box_at(Mem *m, LOCAL const int *p, int i, int j) {
    i -= p[1]; j -= p[2];
    if (i < 0 || j < 0 || i >= p[3] || j >= p[4]) return ABSENT;
    return bytes(m, p[0])[i * p[4] + j];
}

// Whether the colours of so many cells are known; if not, all lanes count them and the step begins again.
FN int has_colors(Mem *m, int off, int area) {
    if (m->ctx->seen_at == off) return 1;
    if (m->ctx->mode != F_NONE) return 0;
    begin(m, F_COUNT);
    m->ctx->p[0] = off; m->ctx->p[1] = area;
    return 0;
}
INLINE int colors_of(Mem *m, VP v) { return has_colors(m, v->off, v->h * v->w); }

// The byte of a box at a position, ABSENT outside.
INLINE int at_box(Mem *m, VP v, int i, int j) {
    i -= v->a; j -= v->b;
    if (i < 0 || j < 0 || i >= v->h || j >= v->w) return ABSENT;
    return bytes(m, v->off)[i * v->w + j];
}

FN Val row_val(Mem *m, Val g, int i) {
    GLOBAL i8 *row = bytes(m, g.off) + i * g.w;
    if (g.w == 2) return mk_pair(row[0], row[1]);
    Val v = mk(K_TUPLE);
    int off = room(m, g.w * VAL_WORDS);
    if (off < 0) return mk(K_OVER);
    v.n = g.w; v.off = off;
    for (int j = 0; j < g.w; j++) vals(m, off)[j] = mk_int(row[j]);
    return v;
}

// The smallest colour of an object above `c`; 128 when there is none.
FN int next_color(Mem *m, Val v, int c) {
    int best = 128, area = v.h * v.w;
    GLOBAL i8 *at = bytes(m, v.off);
    for (int k = 0; k < area; k++)
        if (at[k] > c && at[k] < best) best = at[k];
    return best;
}

// The same at once, by one lane.
FN int expand_now(Mem *m, Val v) {
    int n = len_val(v), off, k = 0;
    if (n < 0) return -1;
    if (v.k == K_TUPLE || v.k == K_SET) return v.off;
    if (n > MAX_ITEMS) { m->ctx->over = 1; return -1; }
    off = room(m, n * VAL_WORDS);
    if (off < 0) return -1;
    VP to = vals(m, off);
    if (v.k == K_PAIR) { to[0] = mk_int(v.a); to[1] = mk_int(v.b); }
    if (v.k == K_CELL) { to[0] = mk_int(v.h); to[1] = mk_pair(v.a, v.b); }
    if (v.k == K_GRID)
        for (int i = 0; i < n; i++) {
            Val row = row_val(m, v, i);
            if (row.k == K_OVER) return -1;
            to[i] = row;
        }
    GLOBAL i8 *at = bytes(m, v.off);
    if (v.k == K_POS)
        for (int c = 0; c < v.h * v.w; c++)
            if (at[c] != ABSENT) to[k++] = mk_pair(v.a + c / v.w, v.b + c % v.w);
    if (v.k == K_OBJ)
        for (int color = next_color(m, v, ABSENT); color < 128; color = next_color(m, v, color))
            for (int c = 0; c < v.h * v.w; c++)
                if (at[c] == color) to[k++] = mk_cell(color, v.a + c / v.w, v.b + c % v.w);
    return off;
}

// Where the elements of a container lie, in order; -1 when it is none or there is no room, or when all
// lanes are to write them and the step begins again.
FN int expand(Mem *m, Val v) {
    LOCAL Ctx *x = m->ctx;
    if (v.k == K_TUPLE || v.k == K_SET) return v.off;
    int n = len_val(v);
    if (n <= 2 || n > MAX_ITEMS || v.k == K_CELL) return expand_now(m, v);
    for (int i = 0; i < x->listed_count; i++) {
        LOCAL Listed *l = x->listed + i;
        if (l->k == v.k && l->a == v.a && l->b == v.b && l->off == v.off) return l->at;
    }
    // One thing at a time: another list is under way.
    if (x->mode != F_NONE) return -1;
    if (x->listed_count == MOST_LISTED) return expand_now(m, v);
    if (v.k == K_OBJ && !has_colors(m, v.off, v.h * v.w)) return -1;
    if (v.k == K_OBJ && x->kinds > 32) return expand_now(m, v);
    // The rows of a grid have lists of their own.
    int size = v.k == K_GRID && v.w != 2 ? n + v.h * v.w : n, off = room(m, size * VAL_WORDS);
    if (off < 0) return -1;
    LOCAL Listed *l = x->listed + x->listed_count++;
    l->k = v.k; l->a = v.a; l->b = v.b; l->off = v.off; l->at = off;
    begin(m, v.k == K_GRID ? F_LIST_GRID : v.k == K_OBJ && x->kinds > 1 ? F_LIST_COLORS : F_LIST_COUNT);
    LOCAL int *p = x->p;
    p[0] = v.off; p[1] = v.a; p[2] = v.b; p[3] = v.h; p[4] = v.w; p[5] = off; p[6] = v.k == K_OBJ ? x->lowest : ABSENT;
    p[7] = n; p[8] = 0;
    if (x->mode == F_LIST_COLORS)
        for (int k = 0; k < 8; k++)
            for (u32 left = x->mask[k]; left != 0; left &= left - 1)
                x->own[p[8]++] = 32 * k + LOWEST_BIT(left) - 128;
    return -1;
}

INLINE int sign_of(i64 n) { return n < 0 ? -1 : n > 0; }

// The order of two boxes of one kind: their elements ascending, compared one by one.
FN int cmp_boxes(Mem *m, Val x, Val y) {
    GLOBAL i8 *p = bytes(m, x.off), *q = bytes(m, y.off);
    int ca = ABSENT, cb = ABSENT, done = 0;
    for (;;) {
        // One colour after the other; all of a set of positions is of one.
        if (x.k == K_OBJ) { ca = next_color(m, x, ca); cb = next_color(m, y, cb); }
        else { ca = done ? 128 : 0; cb = ca; done = 1; }
        if (ca != cb) return ca == 128 ? -1 : cb == 128 ? 1 : ca < cb ? -1 : 1;
        if (ca == 128) return 0;
        int i = 0, j = 0, na = x.h * x.w, nb = y.h * y.w;
        for (;;) {
            while (i < na && (x.k == K_OBJ ? p[i] != ca : p[i] == ABSENT)) i++;
            while (j < nb && (y.k == K_OBJ ? q[j] != ca : q[j] == ABSENT)) j++;
            if (i == na && j == nb) break;
            if (i == na || j == nb) {
                // One has no more of this colour: what it goes on with is larger, or it ends.
                if (x.k == K_POS) return i == na ? -1 : 1;
                if (i == na) return next_color(m, x, ca) == 128 ? -1 : 1;
                return next_color(m, y, ca) == 128 ? 1 : -1;
            }
            int ia = x.a + i / x.w, ja = x.b + i % x.w, ib = y.a + j / y.w, jb = y.b + j % y.w;
            if (ia != ib) return ia < ib ? -1 : 1;
            if (ja != jb) return ja < jb ? -1 : 1;
            i++; j++;
        }
    }
}

INLINE int rank_of(int k) { return k == K_NONE ? 0 : k == K_INT ? 1 : k <= K_TUPLE ? 2 : 3; }

// The order of values that hold no containers but boxes; says so when it does not know.
FN int cmp_leaf(Mem *m, Val x, Val y) {
    int rx = rank_of(x.k), ry = rank_of(y.k);
    if (rx != ry) return rx < ry ? -1 : 1;
    if (rx == 0) return 0;
    if (rx == 1) return sign_of((i64)x.a - y.a);
    if (len_val(x) == 0 || len_val(y) == 0) return sign_of(len_val(x) - len_val(y));
    if (x.k == K_PAIR && y.k == K_PAIR) return x.a != y.a ? sign_of((i64)x.a - y.a) : sign_of((i64)x.b - y.b);
    if (x.k == K_CELL && y.k == K_CELL) {
        if (x.h != y.h) return x.h < y.h ? -1 : 1;
        return x.a != y.a ? sign_of((i64)x.a - y.a) : sign_of((i64)x.b - y.b);
    }
    if (x.k == K_GRID && y.k == K_GRID) {
        GLOBAL i8 *p = bytes(m, x.off), *q = bytes(m, y.off);
        for (int i = 0; i < x.h && i < y.h; i++) {
            for (int j = 0; j < x.w && j < y.w; j++)
                if (p[i * x.w + j] != q[i * y.w + j]) return p[i * x.w + j] < q[i * y.w + j] ? -1 : 1;
            if (x.w != y.w) return x.w < y.w ? -1 : 1;
        }
        return sign_of(x.h - y.h);
    }
    if ((x.k == K_POS || x.k == K_OBJ) && x.k == y.k) return cmp_boxes(m, x, y);
    if (x.k == K_POS && y.k == K_OBJ) {
        // A row against a colour; where they agree, a number against a tuple.
        int c = next_color(m, y, ABSENT);
        return x.a != c ? sign_of((i64)x.a - c) : -1;
    }
    if (x.k == K_OBJ && y.k == K_POS) {
        int c = next_color(m, x, ABSENT);
        return y.a != c ? sign_of((i64)c - y.a) : 1;
    }
    m->ctx->over = 1;
    return 0;
}

// The order of values, lists of leaves included.
FN int cmp(Mem *m, Val x, Val y) {
    if (x.k == y.k && (x.k == K_TUPLE || x.k == K_SET)) {
        VP p = vals(m, x.off), q = vals(m, y.off);
        for (int i = 0; i < x.n && i < y.n; i++) {
            Val e = p[i], f = q[i];
            if (e.k == f.k && (e.k == K_TUPLE || e.k == K_SET)) {
                // One level deeper, as far as published programs go.
                VP r = vals(m, e.off), s = vals(m, f.off);
                for (int j = 0; j < e.n && j < f.n; j++) {
                    int c = cmp_leaf(m, r[j], s[j]);
                    if (c != 0) return c;
                }
                if (e.n != f.n) return e.n < f.n ? -1 : 1;
                continue;
            }
            int c = cmp_leaf(m, e, f);
            if (c != 0) return c;
        }
        return sign_of(x.n - y.n);
    }
    return cmp_leaf(m, x, y);
}

// Whether two values are equal; unlike forms never are, because forms are canonical.
FN int eq(Mem *m, Val x, Val y) {
    if (x.k != y.k || len_val(x) != len_val(y)) return 0;
    if (x.k == K_GRID && x.w != y.w) return 0;
    if (x.k == K_POS || x.k == K_OBJ) {
        if (x.a != y.a || x.b != y.b || x.h != y.h || x.w != y.w) return 0;
        GLOBAL i8 *p = bytes(m, x.off), *q = bytes(m, y.off);
        for (int c = 0; c < x.h * x.w; c++)
            if (p[c] != q[c]) return 0;
        return 1;
    }
    return cmp(m, x, y) == 0;
}

// The same at once, by one lane.
FN void give_tuple_now(Mem *m, VP d, int off, int n) {
    VP at = vals(m, off);
    if (n == 2 && at[0].k == K_INT && at[1].k == K_INT) { give_pair(d, at[0].a, at[1].a); return; }
    if (n == 2 && at[0].k == K_INT && at[1].k == K_PAIR && at[0].a < 32768 && at[0].a >= -32768) {
        set_val(d, mk_cell(at[0].a, at[1].a, at[1].b));
        return;
    }
    Val v = mk(K_TUPLE);
    v.n = n; v.off = off;
    if (n > MAX_ITEMS) { over(d); return; }
    int width = n > 0 ? (at[0].k == K_PAIR ? 2 : at[0].k == K_TUPLE ? at[0].n : 0) : 0;
    int rows = width > 0;
    for (int i = 0; i < n && rows; i++) {
        if (at[i].k == K_PAIR) {
            int a = at[i].a, b = at[i].b;
            rows = width == 2 && a >= -128 && a < 128 && b >= -128 && b < 128;
            // The byte that stands for nothing.
            if (rows && (a == ABSENT || b == ABSENT)) { over(d); return; }
        } else {
            rows = at[i].k == K_TUPLE && at[i].n == width;
            for (int j = 0; j < width && rows; j++) {
                Val e = vals(m, at[i].off)[j];
                rows = e.k == K_INT && e.a >= -128 && e.a < 128;
                if (rows && e.a == ABSENT) { over(d); return; }
            }
        }
    }
    if (!rows) { set_val(d, v); return; }
    if (!new_grid(m, d, n, width)) return;
    GLOBAL i8 *to = bytes(m, d->off);
    for (int i = 0; i < n; i++) {
        if (at[i].k == K_PAIR) { to[i * 2] = at[i].a; to[i * 2 + 1] = at[i].b; }
        else for (int j = 0; j < width; j++) to[i * width + j] = vals(m, at[i].off)[j].a;
    }
}

// The tuple of n headers at off, in canonical form; where it may be a grid, all lanes look.
FN void give_tuple(Mem *m, VP d, int off, int n) {
    VP at = vals(m, off);
    if (n > MAX_ITEMS) { over(d); return; }
    int width = n < 3 ? 0 : at[0].k == K_PAIR ? 2 : at[0].k == K_TUPLE ? at[0].n : 0;
    if (width == 0 && n >= 3) {
        Val v = mk(K_TUPLE);
        v.n = n; v.off = off;
        set_val(d, v);
        return;
    }
    if (width == 0) { give_tuple_now(m, d, off, n); return; }
    begin(m, F_TUPLE_CHECK);
    LOCAL int *p = m->ctx->p;
    p[0] = off; p[1] = n; p[2] = width;
}

// Sorts n headers at off and drops what is there twice; gives what is left. One lane does it.
FN int sort_distinct(Mem *m, int off, int n) {
    VP at = vals(m, off);
    int other = scratch(m, n * VAL_WORDS);
    if (other < 0) return n;
    VP from = at, to = vals(m, other);
    for (int size = 1; size < n; size *= 2) {
        for (int low = 0; low < n; low += 2 * size) {
            int mid = low + size < n ? low + size : n, high = low + 2 * size < n ? low + 2 * size : n;
            int i = low, j = mid;
            for (int k = low; k < high; k++)
                to[k] = j >= high || (i < mid && cmp(m, from[i], from[j]) <= 0) ? from[i++] : from[j++];
        }
        VP swap = from; from = to; to = swap;
    }
    int kept = 0;
    for (int i = 0; i < n; i++) {
        Val v = from[i];
        if (kept == 0 || cmp(m, at[kept - 1], v) != 0) at[kept++] = v;
    }
    return kept;
}

// The set of n headers at off, in canonical form.
FN void give_set(Mem *m, VP d, int off, int n) {
    VP at = vals(m, off);
    if (n == 0) { give_empty(d, K_SET); return; }
    if (n == 1 && at[0].k == K_PAIR) {
        if (!new_box(m, d, K_POS, at[0].a, at[0].b, 1, 1)) return;
        bytes(m, d->off)[0] = 0;
        d->n = 1;
        return;
    }
    begin(m, F_SET_BOUNDS);
    LOCAL int *p = m->ctx->p;
    p[0] = off; p[1] = n; p[2] = at[0].k;
}

