// Values: room for them, their canonical form, equality and order.

FN GLOBAL i8 *bytes(Mem *m, int off) { return (GLOBAL i8 *)(m->h + off); }
FN VP vals(Mem *m, int off) { return (VP)(m->h + off); }

// Room for so many words, in whole headers; -1 when the heap is full.
FN int room(Mem *m, int words) {
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

FN void over(VP d) { d->k = K_OVER; }
FN void fail(VP d) { d->k = K_FAIL; }
FN void set_val(VP d, Val v) { *d = v; }
FN Val mk(int k) {
    Val v;
    v.k = k; v.a = 0; v.b = 0; v.h = 0; v.w = 0; v.n = 0; v.off = 0; v.x = 0;
    return v;
}
FN Val mk_int(int a) { Val v = mk(K_INT); v.a = a; return v; }
FN Val mk_pair(int a, int b) { Val v = mk(K_PAIR); v.a = a; v.b = b; return v; }
FN Val mk_cell(int c, int a, int b) { Val v = mk(K_CELL); v.h = c; v.a = a; v.b = b; return v; }

FN void give_int(VP d, i64 n) {
    if (n > MAX_INT || n < -(i64)MAX_INT) over(d); else set_val(d, mk_int((int)n));
}
FN void give_pair(VP d, i64 a, i64 b) {
    if (a >= MAX_COORD || a <= -MAX_COORD || b >= MAX_COORD || b <= -MAX_COORD) over(d);
    else set_val(d, mk_pair((int)a, (int)b));
}
FN void give_empty(VP d, int k) { set_val(d, mk(k)); }

FN int is_tuple(VP v) { return v->k >= K_PAIR && v->k <= K_TUPLE; }
FN int is_set(VP v) { return v->k >= K_POS && v->k <= K_SET; }
FN int is_box(VP v) { return v->k == K_POS || v->k == K_OBJ; }
FN int is_none(VP v) { return is_set(v) && v->n == 0; }
FN int len_val(Val v) {
    switch (v.k) {
    case K_PAIR: case K_CELL: return 2;
    case K_GRID: return v.h;
    case K_TUPLE: case K_SET: case K_POS: case K_OBJ: return v.n;
    default: return -1;
    }
}
FN int len(VP v) { return len_val(*v); }
FN int truth(VP v) { return v->k == K_INT ? v->a != 0 : v->k == K_NONE ? 0 : len(v) != 0; }
FN int small(VP v) { return v->k == K_INT && v->a > ABSENT && v->a < 128; }

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

// A box of this extent with nothing in it; 0 when it cannot be.
FN int new_box(Mem *m, VP d, int k, i64 top, i64 left, i64 h, i64 w) {
    if (h <= 0 || w <= 0) { give_empty(d, K_SET); return 0; }
    if (h > MAX_SIDE || w > MAX_SIDE || h * w > MAX_AREA || top > 1000000 || top < -1000000
        || left > 1000000 || left < -1000000) { over(d); return 0; }
    int off = room(m, ((int)(h * w) + 3) / 4);
    if (off < 0) { over(d); return 0; }
    Val v = mk(k);
    v.a = (int)top; v.b = (int)left; v.h = (int)h; v.w = (int)w; v.off = off;
    set_val(d, v);
    GLOBAL i8 *to = bytes(m, off);
    for (int c = 0; c < (int)(h * w); c++) to[c] = ABSENT;
    return 1;
}

// Counts the elements of a box and makes it tight.
FN void tighten(Mem *m, VP d) {
    GLOBAL i8 *at = bytes(m, d->off);
    int h = d->h, w = d->w, n = 0, top = h, left = w, bottom = -1, right = -1;
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            if (at[i * w + j] != ABSENT) {
                n++;
                if (i < top) top = i;
                if (i > bottom) bottom = i;
                if (j < left) left = j;
                if (j > right) right = j;
            }
    if (n == 0) { give_empty(d, K_SET); return; }
    int nh = bottom - top + 1, nw = right - left + 1;
    if (nh != h || nw != w)
        for (int i = 0; i < nh; i++)
            for (int j = 0; j < nw; j++) at[i * nw + j] = at[(i + top) * w + j + left];
    d->a += top; d->b += left; d->h = nh; d->w = nw; d->n = n;
}

// The byte of a box at a position, ABSENT outside.
FN int at_box(Mem *m, VP v, int i, int j) {
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

// Where the elements of a container lie, in order; -1 when it is none or there is no room.
FN int expand(Mem *m, Val v) {
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

FN int sign_of(i64 n) { return n < 0 ? -1 : n > 0; }

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

FN int rank_of(int k) { return k == K_NONE ? 0 : k == K_INT ? 1 : k <= K_TUPLE ? 2 : 3; }

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

// The tuple of n headers at off, in canonical form.
FN void give_tuple(Mem *m, VP d, int off, int n) {
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

// Sorts n headers at off and drops what is there twice; gives what is left.
FN int sort_distinct(Mem *m, int off, int n) {
    VP at = vals(m, off);
    int sorted = 1;
    for (int i = 1; i < n && sorted; i++) sorted = cmp(m, at[i - 1], at[i]) < 0;
    if (sorted) return n;
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

// The set of n headers at off, which are moved, in canonical form.
FN void give_set(Mem *m, VP d, int off, int n) {
    VP at = vals(m, off);
    if (n == 0) { give_empty(d, K_SET); return; }
    int k = at[0].k, same = k == K_PAIR || k == K_CELL;
    for (int i = 1; i < n && same; i++) same = at[i].k == k;
    if (same) {
        int top = at[0].a, left = at[0].b, bottom = top, right = left;
        for (int i = 0; i < n; i++) {
            if (at[i].a < top) top = at[i].a;
            if (at[i].a > bottom) bottom = at[i].a;
            if (at[i].b < left) left = at[i].b;
            if (at[i].b > right) right = at[i].b;
        }
        if (!new_box(m, d, k == K_PAIR ? K_POS : K_OBJ, top, left, (i64)bottom - top + 1, (i64)right - left + 1)) return;
        GLOBAL i8 *to = bytes(m, d->off);
        int count = 0;
        for (int i = 0; i < n; i++) {
            int c = (at[i].a - top) * d->w + at[i].b - left, color = k == K_PAIR ? 0 : at[i].h;
            if (color >= 128 || color <= ABSENT) { over(d); return; }
            if (to[c] != ABSENT && to[c] != color) { over(d); return; }
            if (to[c] == ABSENT) count++;
            to[c] = color;
        }
        d->n = count;
        return;
    }
    for (int i = 0; i < n; i++) {
        // Elements that may end up as a box without the others are the CPU's matter.
        if (at[i].k == K_FAIL || at[i].k == K_OVER) { over(d); return; }
    }
    Val v = mk(K_SET);
    v.n = sort_distinct(m, off, n);
    v.off = off;
    set_val(d, v);
}

// Part of a box as a box: what `keep` says, kept in place.
FN int copy_box(Mem *m, VP d, VP v) {
    int off = room(m, (v->h * v->w + 3) / 4);
    if (off < 0) { over(d); return 0; }
    Val to = *v;
    to.off = off;
    set_val(d, to);
    for (int c = 0; c < v->h * v->w; c++) bytes(m, off)[c] = bytes(m, v->off)[c];
    return 1;
}

// The commonest cell of a grid, the smallest of several.
FN int most_color(Mem *m, VP g, int most) {
    GLOBAL i8 *at = bytes(m, g->off);
    int area = g->h * g->w, best = 0, found = -1;
    int off = scratch(m, 256);
    if (off < 0) return 0;
    GLOBAL int *count = m->h + off;
    for (int c = 0; c < 256; c++) count[c] = 0;
    for (int c = 0; c < area; c++) count[at[c] + 128]++;
    for (int c = g->k == K_GRID ? 0 : 1; c < 256; c++)
        if (count[c] > 0 && (found < 0 || (most ? count[c] > best : count[c] < best))) { best = count[c]; found = c; }
    return found - 128;
}
