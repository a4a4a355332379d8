// Tuples and sets: joining, picking, counting, building.

FN int box_fits(VP a, VP b) { return is_box(a) && a->k == b->k; }

// The union of two boxes of one kind; two colours at one place are the CPU's matter.
FN void unite(Mem *m, VP d, VP a, VP b) {
    int top = a->a < b->a ? a->a : b->a, left = a->b < b->b ? a->b : b->b;
    int bottom = a->a + a->h > b->a + b->h ? a->a + a->h : b->a + b->h;
    int right = a->b + a->w > b->b + b->w ? a->b + a->w : b->b + b->w;
    int k = a->k;
    if (!new_box(m, d, k, top, left, bottom - top, right - left)) return;
    GLOBAL i8 *to = bytes(m, d->off);
    int n = 0;
    for (int i = 0; i < d->h; i++)
        for (int j = 0; j < d->w; j++) {
            int x = at_box(m, a, top + i, left + j), y = at_box(m, b, top + i, left + j);
            if (x != ABSENT && y != ABSENT && x != y) { over(d); return; }
            int v = x != ABSENT ? x : y;
            to[i * d->w + j] = v;
            n += v != ABSENT;
        }
    d->n = n;
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
    int n = len(a), nb = len(b), x = expand(m, *a), y = expand(m, *b), kept = 0;
    if (x < 0 || (nb > 0 && y < 0)) { over(d); return; }
    int off = room(m, n * VAL_WORDS);
    if (off < 0) { over(d); return; }
    for (int i = 0; i < n; i++) {
        int found = 0;
        for (int j = 0; j < nb && !found; j++) found = eq(m, vals(m, x)[i], vals(m, y)[j]);
        if (found == in) vals(m, off)[kept++] = vals(m, x)[i];
    }
    if (is_set(a)) give_set(m, d, off, kept); else give_tuple(m, d, off, kept);
}

FN void sift_box(Mem *m, VP d, VP a, VP b, int in) {
    if (!copy_box(m, d, a)) return;
    GLOBAL i8 *to = bytes(m, d->off);
    for (int c = 0; c < d->h * d->w; c++) {
        int there = to[c] != ABSENT && at_box(m, b, a->a + c / a->w, a->b + c % a->w) == to[c];
        if (there != in) to[c] = ABSENT;
    }
    tighten(m, d);
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
    int n = len(a), x = expand(m, *a), kept = 0, off = room(m, n * VAL_WORDS);
    if ((n > 0 && x < 0) || off < 0) { over(d); return; }
    for (int i = 0; i < n; i++) {
        int found = 0;
        for (int j = 0; j < kept && !found; j++) found = eq(m, vals(m, x)[i], vals(m, off)[j]);
        if (!found) vals(m, off)[kept++] = vals(m, x)[i];
    }
    give_tuple(m, d, off, kept);
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
    i64 total = 0;
    int boxes = as_set, k = 0;
    VP at = vals(m, off);
    for (int i = 0; i < n; i++) {
        int size = len_val(at[i]);
        if (size < 0) { fail(d); return; }
        total += size;
        if (size > 0 && at[i].k != K_POS && at[i].k != K_OBJ) boxes = 0;
        if (size > 0 && k == 0) k = at[i].k;
        if (size > 0 && at[i].k != k) boxes = 0;
    }
    if (total == 0) { give_empty(d, as_set ? K_SET : K_TUPLE); return; }
    if (boxes) {
        i64 top = MAX_INT, left = MAX_INT, bottom = -MAX_INT, right = -MAX_INT;
        for (int i = 0; i < n; i++) {
            if (len_val(at[i]) == 0) continue;
            if (at[i].a < top) top = at[i].a;
            if (at[i].b < left) left = at[i].b;
            if (at[i].a + at[i].h > bottom) bottom = at[i].a + at[i].h;
            if (at[i].b + at[i].w > right) right = at[i].b + at[i].w;
        }
        if (!new_box(m, d, k, top, left, bottom - top, right - left)) return;
        GLOBAL i8 *to = bytes(m, d->off);
        int count = 0;
        for (int i = 0; i < n; i++) {
            Val v = at[i];
            if (len_val(v) == 0) continue;
            GLOBAL i8 *from = bytes(m, v.off);
            for (int c = 0; c < v.h * v.w; c++) {
                if (from[c] == ABSENT) continue;
                int p = (v.a + c / v.w - d->a) * d->w + v.b + c % v.w - d->b;
                if (to[p] != ABSENT && to[p] != from[c]) { over(d); return; }
                count += to[p] == ABSENT;
                to[p] = from[c];
            }
        }
        d->n = count;
        return;
    }
    if (total > MAX_ITEMS) { over(d); return; }
    int out = room(m, (int)total * VAL_WORDS), next = 0;
    if (out < 0) { over(d); return; }
    for (int i = 0; i < n; i++) {
        Val v = at[i];
        int size = len_val(v), from = expand(m, v);
        if (size > 0 && from < 0) { over(d); return; }
        for (int j = 0; j < size; j++) vals(m, out)[next++] = vals(m, from)[j];
    }
    if (as_set) give_set(m, d, out, next); else give_tuple(m, d, out, next);
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
    int n = len(a), x = expand(m, *a), best = -1, times = 0;
    if (n == 0) { fail(d); return; }
    if (x < 0) { over(d); return; }
    for (int i = 0; i < n; i++) {
        int count = 0;
        for (int j = 0; j < n; j++) count += eq(m, vals(m, x)[i], vals(m, x)[j]);
        int better = best < 0 || (most ? count > times : count < times);
        if (!better && count == times) better = cmp(m, vals(m, x)[i], vals(m, x)[best]) < 0;
        if (better) { best = i; times = count; }
    }
    set_val(d, vals(m, x)[best]);
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
    give_tuple(m, vals(m, off) + 2, off, 2);
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
