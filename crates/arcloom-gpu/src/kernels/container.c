// Tuples and sets: joining, picking, counting, building.

FN int box_fits(VP a, VP b) { return is_box(a) && a->k == b->k; }

// The union of two boxes of one kind; two colours at one place are the CPU's matter.
FN void unite(Mem *m, VP d, VP a, VP b) {
    int top = a->a < b->a ? a->a : b->a, left = a->b < b->b ? a->b : b->b;
    int bottom = a->a + a->h > b->a + b->h ? a->a + a->h : b->a + b->h;
    int right = a->b + a->w > b->b + b->w ? a->b + a->w : b->b + b->w;
    int k = a->k;
    if (!new_box(m, d, k, top, left, bottom - top, right - left)) return;
    begin(m, F_UNITE);
    put_box(m, 0, a);
    put_box(m, 5, b);
}

// The elements of both in the array at the result; -1 when there is no room.
FN int joined(Mem *m, VP a, VP b) {
    int m1 = len(a), n1 = len(b), x = expand(m, *a), y = expand(m, *b);
    if ((m1 > 0 && x < 0) || (n1 > 0 && y < 0) || m1 + n1 > MAX_ITEMS) return -1;
    int off = room(m, (m1 + n1) * VAL_WORDS);
    if (off < 0) return -1;
    for (int i = 0; i < m1; i++) vals(m, off)[i] = vals(m, x)[i];
    for (int i = 0; i < n1; i++) vals(m, off)[m1 + i] = vals(m, y)[i];
    return off;
}

FN void op_combine(Mem *m, VP d, VP a, VP b) {
    int x = len(a), y = len(b);
    if (x < 0 || y < 0) { fail(d); return; }
    if (y == 0) { set_val(d, *a); return; }
    if (x == 0 && is_set(a) == is_set(b)) { set_val(d, *b); return; }
    if (box_fits(a, b)) { unite(m, d, a, b); return; }
    int off = joined(m, a, b);
    if (off < 0) { over(d); return; }
    if (is_set(a)) give_set(m, d, off, x + y); else give_tuple(m, d, off, x + y);
}

// What of a container is (or is not) in another one.
FN void sift(Mem *m, VP d, VP a, VP b, int in) {
    int n = len(a), nb = len(b), x = expand(m, *a), y = expand(m, *b);
    if (x < 0 || (nb > 0 && y < 0)) { over(d); return; }
    if (!begin_equal(m, d, F_EQUAL, x, n, y, nb)) return;
    m->ctx->p[5] = in; m->ctx->p[6] = is_set(a);
}

FN void sift_box(Mem *m, VP d, VP a, VP b, int in) {
    if (!new_box(m, d, a->k, a->a, a->b, a->h, a->w)) return;
    begin(m, F_SIFT);
    put_box(m, 0, a);
    put_box(m, 5, b);
    m->ctx->p[10] = in;
}

FN void op_intersection(Mem *m, VP d, VP a, VP b) {
    if (a->k == K_INT && b->k == K_INT) { give_int(d, a->a & b->a); return; }
    if (!is_set(a) || !is_set(b)) { fail(d); return; }
    if (a->n == 0 || b->n == 0 || (is_box(a) && is_box(b) && a->k != b->k)) { give_empty(d, K_SET); return; }
    if (box_fits(a, b)) sift_box(m, d, a, b, 1); else sift(m, d, a, b, 1);
}

FN void op_difference(Mem *m, VP d, VP a, VP b) {
    int x = len(a), y = len(b);
    if (x < 0) { fail(d); return; }
    if (x == 0) { set_val(d, *a); return; }
    if (y < 0) { fail(d); return; }
    if (y == 0 || (is_box(a) && is_box(b) && a->k != b->k)) { set_val(d, *a); return; }
    if (box_fits(a, b)) sift_box(m, d, a, b, 0); else sift(m, d, a, b, 0);
}

FN void op_dedupe(Mem *m, VP d, VP a) {
    if (is_none(a)) { give_empty(d, K_TUPLE); return; }
    if (!is_tuple(a)) { fail(d); return; }
    int n = len(a), x = expand(m, *a);
    if (n > 0 && x < 0) { over(d); return; }
    if (!begin_equal(m, d, F_FIRST_EQUAL, x, n, x, n)) return;
    m->ctx->p[5] = 0; m->ctx->p[6] = 0;
}

FN void op_repeat(Mem *m, VP d, VP v, VP n) {
    if (n->k != K_INT) { over(d); return; }
    int count = n->a > 0 ? n->a : 0;
    if (count > MAX_ITEMS) { over(d); return; }
    int off = room(m, count * VAL_WORDS);
    if (off < 0) { over(d); return; }
    for (int i = 0; i < count; i++) vals(m, off)[i] = *v;
    give_tuple(m, d, off, count);
}

FN void op_size(VP d, VP a) {
    int n = len(a);
    if (n < 0) fail(d); else set_val(d, mk_int(n));
}

// The elements of n containers at off, as a set or a tuple.
FN void merged(Mem *m, VP d, int off, int n, int as_set) {
    begin(m, F_MERGE_BOUNDS);
    LOCAL int *p = m->ctx->p;
    p[0] = off; p[1] = n; p[2] = as_set; p[3] = K_NONE;
    VP at = vals(m, off);
    // The first that is not empty says of what kind all may be.
    for (int i = 0; i < n && p[3] == K_NONE; i++)
        if (len_val(at[i]) > 0) p[3] = at[i].k;
}
FN void lanes_merge_bounds(Mem *m) {
    LOCAL Ctx *x = m->ctx;
    LOCAL int *p = x->p;
    VP at = vals(m, p[0]);
    int flag = 0, total = 0, most = 0, all = 0;
    Extent e = no_extent();
    for (int i = LANE; i < p[1]; i += LANES) {
        Val v = at[i];
        int size = len_val(v), area = v.h * v.w;
        if (size < 0) flag |= 1;
        if (size <= 0) continue;
        if (v.k != p[3] || !(v.k == K_POS || v.k == K_OBJ)) { flag |= 2; total += size; continue; }
        extend(&e, v.a, v.b, v.a + v.h - 1, v.b + v.w - 1);
        // Counted are elements, not containers.
        e.n = 1;
        total += size; all += area;
        if (area > most) most = area;
    }
    if (flag) SET_BITS(&x->flag, flag);
    e.n = e.n ? total : 0;
    if (e.n) share_extent(x, e); else if (total) ADD(&x->n, total);
    if (all) { RAISE(&x->most_area, most); ADD(&x->all_area, all); }
}
// Whether lanes had better take containers than the cells of one container after the other.
INLINE int by_items(LOCAL Ctx *x, int n) {
    return (n + LANES - 1) / LANES * (x->most_area + 1) <= n + n + x->all_area / LANES;
}
FN void after_merge_bounds(Mem *m, VP d) {
    LOCAL Ctx *x = m->ctx;
    LOCAL int *p = x->p;
    int n = p[1], as_set = p[2], next = 0;
    i64 total = x->n;
    x->mode = F_NONE;
    if (x->flag & 1) { fail(d); return; }
    if (total == 0) { give_empty(d, as_set ? K_SET : K_TUPLE); return; }
    if (as_set && !(x->flag & 2)) {
        int top = x->low_i, left = x->low_j;
        if (!new_box(m, d, p[3], top, left, (i64)x->high_i - top + 1, (i64)x->high_j - left + 1)) return;
        p[4] = by_items(x, n);
        begin(m, F_MERGE_CLEAR);
        return;
    }
    if (total > MAX_ITEMS) { over(d); return; }
    int out = room(m, (int)total * VAL_WORDS), from = room(m, 2 * n);
    if (out < 0 || from < 0) { over(d); return; }
    VP at = vals(m, p[0]);
    for (int i = 0; i < n; i++) {
        int size = len_val(at[i]), list = expand_now(m, at[i]);
        if (size > 0 && list < 0) { over(d); return; }
        m->h[from + 2 * i] = list; m->h[from + 2 * i + 1] = next;
        next += size;
    }
    begin(m, F_MERGE_COPY);
    p[3] = from; p[4] = out; p[5] = next;
}
FN void lanes_merge_write(Mem *m, VP d) {
    LOCAL Ctx *x = m->ctx;
    LOCAL int *p = x->p;
    VP at = vals(m, p[0]);
    GLOBAL i8 *to = bytes(m, d->off);
    int checks = x->mode == F_MERGE_CHECK, items = p[4], n = 0;
    for (int i = items ? LANE : 0; i < p[1]; i += items ? LANES : 1) {
        VP v = at + i;
        if (v->n == 0) continue;
        GLOBAL i8 *from = bytes(m, v->off);
        int area = v->h * v->w, w = v->w, first = (v->a - d->a) * d->w + v->b - d->b;
        for (int c = items ? 0 : LANE; c < area; c += items ? 1 : LANES) {
            if (from[c] == ABSENT) continue;
            int place = first + c / w * d->w + c % w;
            if (!checks) to[place] = from[c];
            else if (to[place] != from[c]) x->flag = 1;
        }
    }
    if (!checks) return;
    for (int c = LANE; c < d->h * d->w; c += LANES) n += to[c] != ABSENT;
    if (n) ADD(&x->n, n);
}
FN void lanes_merge_copy(Mem *m) {
    LOCAL int *p = m->ctx->p;
    VP at = vals(m, p[0]), to = vals(m, p[4]);
    for (int i = LANE; i < p[1]; i += LANES) {
        int size = len(at + i), next = m->h[p[3] + 2 * i + 1];
        VP from = vals(m, m->h[p[3] + 2 * i]);
        for (int j = 0; j < size; j++) to[next + j] = from[j];
    }
}

FN void op_merge(Mem *m, VP d, VP a) {
    int n = len(a);
    if (n < 0) { fail(d); return; }
    if (a->k == K_PAIR || a->k == K_CELL) { fail(d); return; }
    int x = expand(m, *a);
    if (n > 0 && x < 0) { over(d); return; }
    merged(m, d, x, n, is_set(a));
}

FN void op_extreme(Mem *m, VP d, VP a, int most) {
    int n = len(a);
    if (n < 0) { fail(d); return; }
    if (n == 0) { set_val(d, mk_int(0)); return; }
    int x = expand(m, *a);
    if (x < 0) { over(d); return; }
    int best = 0;
    for (int i = 1; i < n; i++) {
        int less = most ? less_val(vals(m, x)[best], vals(m, x)[i]) : less_val(vals(m, x)[i], vals(m, x)[best]);
        if (less < 0) { over(d); return; }
        if (less) best = i;
    }
    set_val(d, vals(m, x)[best]);
}

FN void op_by_count(Mem *m, VP d, VP a, int most) {
    if (!is_tuple(a)) { fail(d); return; }
    int n = len(a), x = expand(m, *a);
    if (n == 0) { fail(d); return; }
    if (x < 0) { over(d); return; }
    if (begin_equal(m, d, F_TIMES, x, n, x, n)) m->ctx->p[5] = most;
}
FN void after_times(Mem *m, VP d) {
    LOCAL int *p = m->ctx->p;
    VP at = vals(m, p[0]);
    int best = -1, times = 0;
    m->ctx->mode = F_NONE;
    for (int i = 0; i < p[1]; i++) {
        int count = m->h[p[4] + i], better = best < 0 || (p[5] ? count > times : count < times);
        // Equal ones are often beside each other.
        if (!better && count == times) better = cmp(m, at[i], at[best]) < 0;
        if (better) { best = i; times = count; }
    }
    set_val(d, at[best]);
}

FN void op_initset(Mem *m, VP d, VP v) {
    int off = room(m, VAL_WORDS);
    if (off < 0) { over(d); return; }
    vals(m, off)[0] = *v;
    give_set(m, d, off, 1);
}

FN void op_totuple(Mem *m, VP d, VP a) {
    if (is_tuple(a)) { set_val(d, *a); return; }
    int n = len(a);
    if (n < 0) { fail(d); return; }
    int x = expand(m, *a);
    if (n > 0 && x < 0) { over(d); return; }
    give_tuple(m, d, x, n);
}

FN void op_first(Mem *m, VP d, VP a, int last) {
    int n = len(a), x;
    if (n <= 0) { fail(d); return; }
    if (a->k == K_GRID) { set_val(d, row_val(m, *a, last ? n - 1 : 0)); return; }
    x = expand(m, *a);
    if (x < 0) { over(d); return; }
    set_val(d, vals(m, x)[last ? n - 1 : 0]);
}

FN void op_insert(Mem *m, VP d, VP v, VP a) {
    if (!is_set(a)) { fail(d); return; }
    int n = len(a), x = expand(m, *a), off = room(m, (n + 1) * VAL_WORDS);
    if ((n > 0 && x < 0) || off < 0) { over(d); return; }
    for (int i = 0; i < n; i++) vals(m, off)[i] = vals(m, x)[i];
    vals(m, off)[n] = *v;
    give_set(m, d, off, n + 1);
}

FN void op_remove(Mem *m, VP d, VP v, VP a) {
    int n = len(a), kept = 0;
    if (n < 0) { fail(d); return; }
    int x = expand(m, *a), off = room(m, n * VAL_WORDS);
    if ((n > 0 && x < 0) || off < 0) { over(d); return; }
    for (int i = 0; i < n; i++)
        if (!eq(m, vals(m, x)[i], *v)) vals(m, off)[kept++] = vals(m, x)[i];
    if (kept == n) set_val(d, *a);
    else if (is_set(a)) give_set(m, d, off, kept);
    else give_tuple(m, d, off, kept);
}

FN void op_other(Mem *m, VP d, VP a, VP v) {
    int n = len(a);
    if (n < 0) { fail(d); return; }
    int x = expand(m, *a);
    if (n > 0 && x < 0) { over(d); return; }
    for (int i = 0; i < n; i++)
        if (!eq(m, vals(m, x)[i], *v)) { set_val(d, vals(m, x)[i]); return; }
    fail(d);
}

FN void op_interval(Mem *m, VP d, VP a, VP b, VP c) {
    if (a->k != K_INT || b->k != K_INT || c->k != K_INT) { over(d); return; }
    if (c->a == 0) { fail(d); return; }
    i64 ahead = ((i64)b->a - a->a) * sign_of(c->a), step = c->a < 0 ? -(i64)c->a : c->a;
    i64 n = ahead > 0 ? (ahead - 1) / step + 1 : 0;
    if (n > MAX_ITEMS) { over(d); return; }
    int off = room(m, (int)n * VAL_WORDS);
    if (off < 0) { over(d); return; }
    for (int i = 0; i < n; i++) vals(m, off)[i] = mk_int(a->a + i * c->a);
    give_tuple(m, d, off, (int)n);
}

FN void op_astuple(Mem *m, VP d, VP a, VP b) {
    int off = room(m, 2 * VAL_WORDS);
    if (off < 0) { over(d); return; }
    vals(m, off)[0] = *a;
    vals(m, off)[1] = *b;
    give_tuple(m, d, off, 2);
}

// A tuple of two, in canonical form, where that is no larger than a header.
FN Val two_val(Mem *m, Val a, Val b) {
    if (a.k == K_INT && b.k == K_INT) return mk_pair(a.a, b.a);
    if (a.k == K_INT && b.k == K_PAIR && a.a < 32768 && a.a >= -32768) return mk_cell(a.a, b.a, b.b);
    int off = room(m, 3 * VAL_WORDS);
    if (off < 0) return mk(K_OVER);
    vals(m, off)[0] = a;
    vals(m, off)[1] = b;
    give_tuple_now(m, vals(m, off) + 2, off, 2);
    return vals(m, off)[2];
}

FN void op_product(Mem *m, VP d, VP a, VP b) {
    int x = len(a), y = len(b), next = 0;
    if (y == 0) { give_empty(d, K_SET); return; }
    if (x < 0 || y < 0) { fail(d); return; }
    if ((i64)x * y > MAX_ITEMS) { over(d); return; }
    int p = expand(m, *a), q = expand(m, *b), off = room(m, x * y * VAL_WORDS);
    if ((x > 0 && p < 0) || q < 0 || off < 0) { over(d); return; }
    for (int i = 0; i < x; i++)
        for (int j = 0; j < y; j++) vals(m, off)[next++] = two_val(m, vals(m, p)[i], vals(m, q)[j]);
    give_set(m, d, off, next);
}

FN void op_pair(Mem *m, VP d, VP a, VP b) {
    int x = len(a), y = len(b), n = x < y ? x : y;
    if (x < 0 || y < 0) { fail(d); return; }
    int p = expand(m, *a), q = expand(m, *b), off = room(m, n * VAL_WORDS);
    if (n > 0 && (p < 0 || q < 0 || off < 0)) { over(d); return; }
    for (int i = 0; i < n; i++) vals(m, off)[i] = two_val(m, vals(m, p)[i], vals(m, q)[i]);
    for (int i = 0; i < n; i++) if (vals(m, off)[i].k == K_OVER) { over(d); return; }
    give_tuple(m, d, off, n);
}

FN void op_sizefilter(Mem *m, VP d, VP a, VP n) {
    int size = len(a), kept = 0;
    if (size < 0) { fail(d); return; }
    int x = expand(m, *a), off = room(m, size * VAL_WORDS);
    if (size > 0 && (x < 0 || off < 0)) { over(d); return; }
    for (int i = 0; i < size; i++) {
        int l = len_val(vals(m, x)[i]);
        if (l < 0) { fail(d); return; }
        if (n->k == K_INT && l == n->a) vals(m, off)[kept++] = vals(m, x)[i];
    }
    give_set(m, d, off, kept);
}

// Tuples and sets put together part by part: room first, then the parts.
FN void op_list_new(Mem *m, VP d, int n) {
    int off = room(m, n * VAL_WORDS);
    if (off < 0) { over(d); return; }
    Val v = mk(K_TUPLE);
    v.n = n; v.off = off;
    set_val(d, v);
}
