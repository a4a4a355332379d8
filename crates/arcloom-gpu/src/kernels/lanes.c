// What all lanes do for values of any kind: cells, colours, lists, sets and tuples. Each `lanes_` function
// takes every so manieth element; `after_` is what lane 0 makes of it. What belongs to one family of
// primitives stands with that family.

// Where the elements are that a lane has written.
typedef struct {
    int n, low_i, low_j, high_i, high_j;
} Extent;
INLINE Extent no_extent(void) {
    Extent e;
    e.n = 0; e.low_i = MAX_INT; e.low_j = MAX_INT; e.high_i = -MAX_INT; e.high_j = -MAX_INT;
    return e;
}
INLINE void extend(Extent *e, int i, int j, int last_i, int last_j) {
    e->n++;
    if (i < e->low_i) e->low_i = i;
    if (j < e->low_j) e->low_j = j;
    if (last_i > e->high_i) e->high_i = last_i;
    if (last_j > e->high_j) e->high_j = last_j;
}
INLINE void share_extent(LOCAL Ctx *x, Extent e) {
    if (e.n == 0) return;
    ADD(&x->n, e.n);
    LOWER(&x->low_i, e.low_i); LOWER(&x->low_j, e.low_j);
    RAISE(&x->high_i, e.high_i); RAISE(&x->high_j, e.high_j);
}

// How all lanes write a box whose elements follow from its extent.
#define O_ALL 0
#define O_RING 1
#define O_CORNERS 2
#define O_DIAGONAL 3
#define O_PATTERN 4
FN void outline(Mem *m, VP d, int what, int more, int n) {
    d->n = n;
    m->ctx->mode = F_OUTLINE;
    m->ctx->p[0] = what; m->ctx->p[1] = more;
}
INLINE int in_outline(LOCAL const int *p, int i, int j, int h, int w) {
    switch (p[0]) {
    case O_RING: return i == 0 || j == 0 || i == h - 1 || j == w - 1;
    case O_CORNERS: return (i == 0 || i == h - 1) && (j == 0 || j == w - 1);
    case O_DIAGONAL: return p[1] > 0 ? i == j : i == w - 1 - j;
    case O_PATTERN: return p[1] >> (i * 3 + j) & 1;
    default: return 1;
    }
}

// Whether a box lies in a grid with its corner at a place.
INLINE int occurs(Mem *m, LOCAL const int *p, int i, int j) {
    GLOBAL i8 *own = bytes(m, p[0]), *at = bytes(m, p[5]) + i * p[6] + j;
    int w = p[4], area = p[3] * w, same = 1;
    for (int e = 0; e < area && same; e++) same = own[e] == ABSENT || own[e] == at[e / w * p[6] + e % w];
    return same;
}

// The cells of a box of which it is to be known where its elements are.
FN void lanes_write(Mem *m, VP d) {
    LOCAL Ctx *x = m->ctx;
    LOCAL int *p = x->p;
    GLOBAL i8 *to = bytes(m, d->off);
    int w = d->w, area = d->h * w, mode = x->mode, bad = 0;
    Extent e = no_extent();
    for (int c = LANE; c < area; c += LANES) {
        int i = c / w, j = c % w, v = ABSENT;
        switch (mode) {
        case F_UNITE: {
            int other = box_at(m, p + 5, d->a + i, d->b + j);
            v = box_at(m, p, d->a + i, d->b + j);
            if (v == ABSENT) v = other;
            else bad = bad || (other != ABSENT && other != v);
            break;
        }
        case F_SIFT: {
            int own = bytes(m, p[0])[c];
            if (own != ABSENT && (box_at(m, p + 5, d->a + i, d->b + j) == own) == p[10]) v = own;
            break;
        }
        case F_COMPLEMENT: if (bytes(m, p[0])[c] == ABSENT) v = 0; break;
        case F_OF_COLOR: if (bytes(m, p[0])[c] == p[1]) v = 0; break;
        case F_LIFT:
            if (box_at(m, p, d->a + i, d->b + j) != ABSENT) v = bytes(m, p[5])[(d->a + i) * p[6] + d->b + j];
            break;
        case F_OCCUR: if (occurs(m, p, i, j)) v = 0; break;
        default: break;
        }
        to[c] = v;
        if (v != ABSENT) extend(&e, i, j, i, j);
    }
    if (bad) x->flag = 1;
    share_extent(x, e);
}

// How many cells there are of each colour, ABSENT left out; then which are most, fewest and so on.
FN void lanes_count(Mem *m) {
    LOCAL Ctx *x = m->ctx;
    GLOBAL i8 *at = bytes(m, x->p[0]);
    int area = x->p[1], odd = 0;
    for (int c = LANE; c < area; c += LANES) {
        int v = at[c];
        if (v == ABSENT) continue;
        ADD(&x->bins[v + 128], 1);
        odd = odd || v < 0 || v > 15;
    }
    if (odd) x->flag = 1;
}
FN void after_count(Mem *m) {
    LOCAL Ctx *x = m->ctx;
    int odd = x->flag;
    begin(m, F_PICK);
    x->p[1] = odd ? 0 : 128; x->p[2] = odd ? 256 : 144;
    x->seen_at = x->p[0];
    x->most = 0; x->least = MAX_INT; x->lowest = MAX_INT; x->kinds = 0;
    for (int k = 0; k < 8; k++) x->mask[k] = 0;
}
FN void lanes_pick(Mem *m) {
    LOCAL Ctx *x = m->ctx;
    for (int c = x->p[1] + LANE; c < x->p[2]; c += LANES) {
        int n = x->bins[c];
        if (n == 0) continue;
        x->bins[c] = 0;
        RAISE(&x->most, n << 8 | (255 - c));
        LOWER(&x->least, n << 8 | c);
        LOWER(&x->lowest, c);
        ADD(&x->kinds, 1);
        SET_BITS(&x->mask[c >> 5], 1u << (c & 31));
    }
}
FN void after_pick(Mem *m) {
    LOCAL Ctx *x = m->ctx;
    x->most = 127 - (x->most & 255);
    x->least = (x->least & 255) - 128;
    x->lowest = x->kinds == 0 ? 128 : x->lowest - 128;
}

// The rows of a grid as lists.
FN void lanes_list_grid(Mem *m) {
    LOCAL int *p = m->ctx->p;
    GLOBAL i8 *at = bytes(m, p[0]);
    int h = p[3], w = p[4];
    VP to = vals(m, p[5]);
    for (int i = LANE; i < h; i += LANES) {
        Val v = mk(K_TUPLE);
        v.n = w; v.off = p[5] + (h + i * w) * VAL_WORDS;
        to[i] = w == 2 ? mk_pair(at[2 * i], at[2 * i + 1]) : v;
    }
    if (w == 2) return;
    for (int c = LANE; c < h * w; c += LANES) to[h + c] = mk_int(at[c]);
}

// The elements of a box of one colour: how many each lane has, then the elements themselves.
INLINE int share_of(int area) {
    int share = (area + LANES - 1) / LANES;
    return share < 4 ? 4 : share;
}
FN void lanes_list_count(Mem *m) {
    LOCAL int *p = m->ctx->p;
    GLOBAL i8 *at = bytes(m, p[0]);
    int area = p[3] * p[4], share = share_of(area), from = LANE * share, n = 0;
    for (int c = from; c < from + share && c < area; c++) n += at[c] != ABSENT;
    m->ctx->own[LANE] = n;
}
FN void after_list_count(Mem *m) {
    LOCAL Ctx *x = m->ctx;
    int area = x->p[3] * x->p[4], share = share_of(area), sum = 0;
    for (int k = 0; k * share < area; k++) {
        int n = x->own[k];
        x->own[k] = sum;
        sum += n;
    }
    x->mode = F_LIST_WRITE;
}
FN void lanes_list_write(Mem *m) {
    LOCAL int *p = m->ctx->p;
    GLOBAL i8 *at = bytes(m, p[0]);
    int area = p[3] * p[4], share = share_of(area), from = LANE * share, next = m->ctx->own[LANE];
    VP to = vals(m, p[5]);
    for (int c = from; c < from + share && c < area; c++) {
        if (at[c] == ABSENT) continue;
        int i = p[1] + c / p[4], j = p[2] + c % p[4];
        to[next++] = p[6] == ABSENT ? mk_pair(i, j) : mk_cell(p[6], i, j);
    }
}
// Of several colours: a lane does one colour, after those that are smaller.
FN void lanes_list_colors(Mem *m) {
    LOCAL int *p = m->ctx->p;
    GLOBAL i8 *at = bytes(m, p[0]);
    VP to = vals(m, p[5]);
    for (int k = LANE; k < p[8]; k += LANES) {
        int color = m->ctx->own[k], area = p[3] * p[4], next = 0;
        for (int c = 0; c < area && k > 0; c++) next += at[c] != ABSENT && at[c] < color;
        for (int c = 0; c < area; c++)
            if (at[c] == color) to[next++] = mk_cell(color, p[1] + c / p[4], p[2] + c % p[4]);
    }
}

// Whether n tuples of the same length are the rows of a grid.
FN void lanes_tuple_check(Mem *m) {
    LOCAL Ctx *x = m->ctx;
    VP at = vals(m, x->p[0]);
    int n = x->p[1], width = x->p[2], rows = 1, absent = 0;
    for (int i = LANE; i < n; i += LANES) {
        if (at[i].k == K_PAIR) {
            int a = at[i].a, b = at[i].b;
            rows = rows && width == 2 && a >= -128 && a < 128 && b >= -128 && b < 128;
            absent = absent || a == ABSENT || b == ABSENT;
            continue;
        }
        rows = rows && at[i].k == K_TUPLE && at[i].n == width;
        for (int j = 0; rows && j < width; j++) {
            VP e = vals(m, at[i].off) + j;
            rows = e->k == K_INT && e->a >= -128 && e->a < 128;
            absent = absent || e->a == ABSENT;
        }
    }
    if (!rows) x->flag = 1;
    if (absent) x->n = 1;
}
FN void after_tuple_check(Mem *m, VP d) {
    LOCAL Ctx *x = m->ctx;
    x->mode = F_NONE;
    if (x->flag) {
        Val v = mk(K_TUPLE);
        v.n = x->p[1]; v.off = x->p[0];
        set_val(d, v);
    } else if (x->n) over(d); // The byte that stands for nothing.
    else if (new_grid(m, d, x->p[1], x->p[2])) x->mode = F_TUPLE_WRITE;
}

// The set of n headers: of what kind they are and where; a box if they are positions or cells, else a list.
FN void lanes_set_bounds(Mem *m) {
    LOCAL Ctx *x = m->ctx;
    VP at = vals(m, x->p[0]);
    int n = x->p[1], k = x->p[2], box = k == K_PAIR || k == K_CELL, flag = box ? 0 : 1;
    Extent e = no_extent();
    for (int i = LANE; i < n; i += LANES) {
        if (at[i].k == K_FAIL || at[i].k == K_OVER) flag |= 2;
        if (at[i].k != k) flag |= 1;
        if (k == K_CELL && (at[i].h >= 128 || at[i].h <= ABSENT)) flag |= 4;
        if (box) extend(&e, at[i].a, at[i].b, at[i].a, at[i].b);
    }
    if (flag) SET_BITS(&x->flag, flag);
    share_extent(x, e);
}
FN void after_set_bounds(Mem *m, VP d) {
    LOCAL Ctx *x = m->ctx;
    int flag = x->flag, off = x->p[0], n = x->p[1], k = x->p[2];
    x->mode = F_NONE;
    if (flag & 1) {
        // Elements that may end up as a box without the others are the CPU's matter.
        if (flag & 2) { over(d); return; }
        if (n > 1) { begin(m, F_SORTED); return; }
        Val v = mk(K_SET);
        v.n = n; v.off = off;
        set_val(d, v);
        return;
    }
    if (flag & 4) { over(d); return; }
    int top = x->low_i, left = x->low_j;
    i64 h = (i64)x->high_i - top + 1, w = (i64)x->high_j - left + 1;
    if (new_box(m, d, k == K_PAIR ? K_POS : K_OBJ, top, left, h, w)) begin(m, F_SET_CLEAR);
}
FN void lanes_clear(Mem *m, VP d) {
    GLOBAL i8 *to = bytes(m, d->off);
    int area = d->h * d->w;
    for (int c = LANE; c < area; c += LANES) to[c] = ABSENT;
}
FN void lanes_set_write(Mem *m, VP d) {
    LOCAL int *p = m->ctx->p;
    VP at = vals(m, p[0]);
    GLOBAL i8 *to = bytes(m, d->off);
    for (int i = LANE; i < p[1]; i += LANES)
        to[(at[i].a - d->a) * d->w + at[i].b - d->b] = p[2] == K_PAIR ? 0 : at[i].h;
}
// Whether every cell has the colour that its element says: two colours on one cell are the CPU's matter.
FN void lanes_set_check(Mem *m, VP d) {
    LOCAL Ctx *x = m->ctx;
    LOCAL int *p = x->p;
    VP at = vals(m, p[0]);
    GLOBAL i8 *to = bytes(m, d->off);
    int n = 0, area = d->h * d->w;
    for (int c = LANE; c < area; c += LANES) n += to[c] != ABSENT;
    if (n) ADD(&x->n, n);
    if (p[2] == K_PAIR) return;
    for (int i = LANE; i < p[1]; i += LANES)
        if (to[(at[i].a - d->a) * d->w + at[i].b - d->b] != at[i].h) x->flag = 1;
}

// A list is sorted already, or every element goes where as many are before it.
FN void lanes_sorted(Mem *m) {
    LOCAL Ctx *x = m->ctx;
    VP at = vals(m, x->p[0]);
    for (int i = LANE + 1; i < x->p[1]; i += LANES)
        if (cmp(m, at[i - 1], at[i]) >= 0) x->flag = 1;
}
// Longer lists are merged by one lane: comparing all pairs would be more work than all lanes save.
#define MOST_RANKED 128
FN void after_sorted(Mem *m, VP d) {
    LOCAL Ctx *x = m->ctx;
    LOCAL int *p = x->p;
    int unsorted = x->flag;
    Val v = mk(K_SET);
    v.n = p[1]; v.off = p[0];
    x->mode = F_NONE;
    if (unsorted && p[1] > MOST_RANKED) v.n = sort_distinct(m, p[0], p[1]);
    else if (unsorted) {
        v.off = room(m, p[1] * VAL_WORDS);
        if (v.off < 0) { over(d); return; }
        begin(m, F_SORT);
        p[3] = v.off;
    }
    set_val(d, v);
}
FN void lanes_sort(Mem *m) {
    LOCAL Ctx *x = m->ctx;
    LOCAL int *p = x->p;
    VP at = vals(m, p[0]), to = vals(m, p[3]);
    for (int i = LANE; i < p[1]; i += LANES) {
        int before = 0, twice = 0;
        for (int j = 0; j < p[1]; j++) {
            if (j == i) continue;
            int c = cmp(m, at[j], at[i]);
            before += c < 0 || (c == 0 && j < i);
            twice = twice || (c == 0 && j < i);
        }
        to[before] = at[i];
        if (twice) { to[before].k = K_ITER; ADD(&x->n, 1); }
    }
}
FN void after_sort(Mem *m, VP d) {
    LOCAL Ctx *x = m->ctx;
    VP at = vals(m, x->p[3]);
    int kept = 0;
    x->mode = F_NONE;
    if (x->n == 0) return;
    for (int i = 0; i < x->p[1]; i++)
        if (at[i].k != K_ITER) at[kept++] = at[i];
    d->n = kept;
}

// For each of n elements a number in p[4]: whether it is in another list (or before it in its own), or how
// often it is there.
FN void lanes_equal(Mem *m) {
    LOCAL Ctx *x = m->ctx;
    LOCAL int *p = x->p;
    VP at = vals(m, p[0]), other = vals(m, p[2]);
    for (int i = LANE; i < p[1]; i += LANES) {
        int n = 0, to = x->mode == F_FIRST_EQUAL ? i : p[3];
        for (int j = 0; j < to && (n == 0 || x->mode == F_TIMES); j++) n += eq(m, at[i], other[j]);
        m->h[p[4] + i] = n;
    }
}
FN int begin_equal(Mem *m, VP d, int mode, int at, int n, int other, int more) {
    int off = room(m, n);
    if (off < 0) { over(d); return 0; }
    begin(m, mode);
    LOCAL int *p = m->ctx->p;
    p[0] = at; p[1] = n; p[2] = other; p[3] = more; p[4] = off;
    return 1;
}
// Those of the elements whose number is 0 (or is not), as a set or a tuple.
FN void after_equal(Mem *m, VP d) {
    LOCAL int *p = m->ctx->p;
    int kept = 0, off = room(m, p[1] * VAL_WORDS);
    m->ctx->mode = F_NONE;
    if (off < 0) { over(d); return; }
    VP at = vals(m, p[0]), to = vals(m, off);
    for (int i = 0; i < p[1]; i++)
        if ((m->h[p[4] + i] != 0) == p[5]) to[kept++] = at[i];
    if (p[6]) give_set(m, d, off, kept); else give_tuple(m, d, off, kept);
}
