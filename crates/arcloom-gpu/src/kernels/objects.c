// Taking grids apart into objects.
//
// Every cell gets the label of its object, a number below `labels`: the first cell of it (objects), or
// its colour (partition). Then the labels in use are listed, measured, ranked and drawn. What all lanes
// write lies at the far end of the heap: p[7] labels by cell, p[8] the smallest colour and where it comes
// first by label, p[9] the extent by label, p[10] the labels in use.

#define FAR_AWAY (MAX_SIDE * 1024)

FN int begin_labels(Mem *m, VP d, VP g, int mode, int labels) {
    int area = g->h * g->w, at = scratch(m, area + labels * 6);
    if (at < 0) { over(d); return 0; }
    begin(m, mode);
    LOCAL int *p = m->ctx->p;
    p[0] = g->off; p[1] = g->h; p[2] = g->w; p[3] = ABSENT;
    p[7] = at; p[8] = at + area; p[9] = p[8] + labels; p[10] = p[9] + 4 * labels; p[11] = labels;
    return 1;
}

FN void op_objects(Mem *m, VP d, VP g, VP univalued, VP diagonal, VP without) {
    if (g->k == K_TUPLE && g->n == 0) { fail(d); return; }
    if (g->k != K_GRID) { over(d); return; }
    if (truth(without) && !colors_of(m, g)) return;
    if (!begin_labels(m, d, g, F_LABEL_INIT, g->h * g->w)) return;
    LOCAL int *p = m->ctx->p;
    if (truth(without)) p[3] = m->ctx->most;
    p[4] = truth(univalued); p[5] = truth(diagonal);
}

FN void op_partition(Mem *m, VP d, VP g, int foreground) {
    if (g->k == K_TUPLE && g->n == 0) { if (foreground) fail(d); else give_empty(d, K_SET); return; }
    if (g->k != K_GRID) { over(d); return; }
    if (!colors_of(m, g) || !begin_labels(m, d, g, F_LABEL_COLORS, 256)) return;
    LOCAL Ctx *x = m->ctx;
    if (foreground) x->p[3] = x->most;
    // The colours are known: one lane writes down which.
    for (int k = 0; k < 8; k++)
        for (u32 left = x->mask[k]; left != 0; left &= left - 1) {
            int c = 32 * k + LOWEST_BIT(left);
            if (c - 128 != x->p[3]) m->h[x->p[10] + x->n++] = c;
        }
    if (x->n == 0) { x->mode = F_NONE; give_empty(d, K_SET); }
}

FN void lanes_label_init(Mem *m) {
    LOCAL int *p = m->ctx->p;
    GLOBAL i8 *at = bytes(m, p[0]);
    GLOBAL int *lab = m->h + p[7];
    int area = p[1] * p[2];
    for (int c = LANE; c < area; c += LANES) lab[c] = at[c] == p[3] ? -1 : c;
}

// One object of two cells: the root of the later one comes under the root of the other.
FN void join(GLOBAL int *lab, int a, int b) {
    for (;;) {
        while (lab[a] != a) a = lab[a];
        while (lab[b] != b) b = lab[b];
        if (a == b) return;
        int low = a < b ? a : b, high = a < b ? b : a, before = LOWER(&lab[high], low);
        if (before == high) return;
        a = before; b = low;
    }
}
// Cells are joined with those above and to the left of them, if others are not joined with both already.
FN void lanes_label_unite(Mem *m) {
    LOCAL int *p = m->ctx->p;
    GLOBAL i8 *at = bytes(m, p[0]);
    GLOBAL int *lab = m->h + p[7];
    int w = p[2], area = p[1] * w, ground = p[3], uni = p[4], diagonal = p[5];
    for (int c = LANE; c < area; c += LANES) {
        int own = at[c], i = c / w, j = c % w;
        if (own == ground) continue;
#define ALIKE(q) (uni ? at[q] == own : at[q] != ground)
        int left = j > 0 && ALIKE(c - 1), above = i > 0 && ALIKE(c - w);
        int upper = i > 0 && j > 0 && ALIKE(c - w - 1);
        if (above) join(lab, c, c - w);
        if (left && !(above && upper)) join(lab, c, c - 1);
        if (!diagonal || above) continue;
        if (upper && !left) join(lab, c, c - w - 1);
        if (i > 0 && j + 1 < w && ALIKE(c - w + 1)) join(lab, c, c - w + 1);
    }
}
FN void begin_extent(Mem *m, int label) {
    LOCAL int *p = m->ctx->p;
    GLOBAL int *box = m->h + p[9] + 4 * label;
    m->h[p[8] + label] = MAX_INT;
    box[0] = FAR_AWAY; box[1] = FAR_AWAY; box[2] = -1; box[3] = -1;
}
FN void lanes_label_flatten(Mem *m) {
    LOCAL int *p = m->ctx->p;
    GLOBAL int *lab = m->h + p[7];
    int area = p[1] * p[2];
    for (int c = LANE; c < area; c += LANES) {
        int root = lab[c];
        if (root < 0) continue;
        while (lab[root] != root) root = lab[root];
        lab[c] = root;
        if (root != c) continue;
        m->h[p[10] + ADD(&m->ctx->n, 1)] = c;
        begin_extent(m, c);
    }
}
FN void lanes_label_colors(Mem *m) {
    LOCAL int *p = m->ctx->p;
    GLOBAL i8 *at = bytes(m, p[0]);
    int area = p[1] * p[2];
    for (int c = LANE; c < area; c += LANES) m->h[p[7] + c] = at[c] == p[3] ? -1 : at[c] + 128;
    for (int k = LANE; k < m->ctx->n; k += LANES) begin_extent(m, m->h[p[10] + k]);
}
FN void after_labels(Mem *m, VP d) {
    LOCAL Ctx *x = m->ctx;
    int n = x->n;
    if (n == 0) { x->mode = F_NONE; give_empty(d, K_SET); return; }
    begin(m, F_LABEL_MEASURE);
    x->p[12] = n;
}

// By label: the smallest colour with its first cell, by which objects are ordered, and the extent.
FN void lanes_label_measure(Mem *m) {
    LOCAL int *p = m->ctx->p;
    GLOBAL i8 *at = bytes(m, p[0]);
    GLOBAL int *lab = m->h + p[7];
    int w = p[2], area = p[1] * w;
    for (int c = LANE; c < area; c += LANES) {
        int label = lab[c], i = c / w, j = c % w, key = (at[c] + 128) << 12 | c;
        if (label < 0) continue;
        GLOBAL int *box = m->h + p[9] + 4 * label;
        if (m->h[p[8] + label] > key) LOWER(&m->h[p[8] + label], key);
        if (box[0] > i) LOWER(&box[0], i);
        if (box[1] > j) LOWER(&box[1], j);
        if (box[2] < i) RAISE(&box[2], i);
        if (box[3] < j) RAISE(&box[3], j);
    }
}
FN void after_label_measure(Mem *m, VP d) {
    LOCAL Ctx *x = m->ctx;
    int n = x->p[12], off = room(m, n * VAL_WORDS);
    x->mode = F_NONE;
    if (off < 0 || x->top > x->p[7]) { over(d); return; }
    Val v = mk(K_SET);
    v.n = n; v.off = off;
    set_val(d, v);
    begin(m, F_LABEL_RANK);
}
// Objects in their order, and room for their cells.
FN void lanes_label_rank(Mem *m, VP d) {
    LOCAL Ctx *x = m->ctx;
    LOCAL int *p = x->p;
    GLOBAL int *keys = m->h + p[8], *used = m->h + p[10];
    int n = p[12];
    for (int k = LANE; k < n; k += LANES) {
        int label = used[k], key = keys[label], rank = 0;
        for (int other = 0; other < n; other++) rank += keys[used[other]] < key;
        GLOBAL int *box = m->h + p[9] + 4 * label;
        Val v = mk(K_OBJ);
        v.a = box[0]; v.b = box[1]; v.h = box[2] - box[0] + 1; v.w = box[3] - box[1] + 1; v.x = label;
        int area = v.h * v.w, size = ((area + 3) / 4 + VAL_WORDS - 1) / VAL_WORDS * VAL_WORDS;
        v.off = ADD(&x->top, size);
        if (v.off + size > p[7]) { x->over = 1; return; }
        vals(m, d->off)[rank] = v;
        RAISE(&x->most_area, area);
        ADD(&x->all_area, area);
    }
}
FN void after_label_rank(Mem *m) {
    LOCAL Ctx *x = m->ctx;
    int items = by_items(x, x->p[12]);
    begin(m, F_LABEL_GATHER);
    x->p[6] = items;
}
FN void lanes_label_gather(Mem *m, VP d) {
    LOCAL int *p = m->ctx->p;
    GLOBAL i8 *at = bytes(m, p[0]);
    GLOBAL int *lab = m->h + p[7];
    int items = p[6];
    for (int k = items ? LANE : 0; k < p[12]; k += items ? LANES : 1) {
        VP to = vals(m, d->off) + k;
        int w = to->w, area = to->h * w, label = to->x, n = 0;
        for (int c = items ? 0 : LANE; c < area; c += items ? 1 : LANES) {
            int place = (to->a + c / w) * p[2] + to->b + c % w, own = lab[place] == label;
            bytes(m, to->off)[c] = own ? at[place] : ABSENT;
            n += own;
        }
        if (n) ADD(&to->n, n);
    }
}

FN void op_frontiers(Mem *m, VP d, VP g) {
    if (g->k == K_TUPLE && g->n == 0) { fail(d); return; }
    if (g->k != K_GRID) { over(d); return; }
    int off = room(m, (g->h + g->w) * VAL_WORDS);
    if (off < 0) { over(d); return; }
    begin(m, F_FRONTIERS);
    LOCAL int *p = m->ctx->p;
    p[0] = g->off; p[1] = g->h; p[2] = g->w; p[3] = off;
}
// Lines of one colour, each with its cells.
FN void lanes_frontiers(Mem *m) {
    LOCAL Ctx *x = m->ctx;
    LOCAL int *p = x->p;
    GLOBAL i8 *at = bytes(m, p[0]);
    int h = p[1], w = p[2];
    for (int k = LANE; k < h + w; k += LANES) {
        int row = k < h, n = row ? w : h;
        GLOBAL i8 *from = row ? at + k * w : at + k - h;
        if (!is_plain(from, row ? 1 : w, n)) continue;
        Val v = mk(K_OBJ);
        int size = ((n + 3) / 4 + VAL_WORDS - 1) / VAL_WORDS * VAL_WORDS;
        v.a = row ? k : 0; v.b = row ? 0 : k - h; v.h = row ? 1 : h; v.w = row ? w : 1; v.n = n;
        v.off = ADD(&x->top, size);
        if (v.off + size > m->cap) { x->over = 1; return; }
        for (int c = 0; c < n; c++) bytes(m, v.off)[c] = from[0];
        vals(m, p[3])[ADD(&x->n, 1)] = v;
    }
}
