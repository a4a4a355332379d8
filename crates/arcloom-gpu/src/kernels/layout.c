// Cutting grids up and joining them.

FN void op_canvas(Mem *m, VP d, VP c, VP dims) {
    if (dims->k != K_PAIR || !small(c)) { over(d); return; }
    if (!new_grid(m, d, dims->a, dims->b)) return;
    m->ctx->mode = F_CONST;
    m->ctx->p[0] = c->a;
}

// Python's slice [start:stop] of n places.
FN void slice_of(i64 start, i64 stop, int n, int *from, int *to) {
    if (start < 0) start = start + n > 0 ? start + n : 0;
    if (stop < 0) stop = stop + n > 0 ? stop + n : 0;
    if (start > n) start = n;
    if (stop > n) stop = n;
    *from = (int)start;
    *to = (int)(stop > start ? stop : start);
}

// Rows and columns that begin at a place and have an extent, of a grid that keeps its cells.
FN int cut(Mem *m, VP d, VP g, i64 top, i64 rows, i64 left, i64 columns, int *i, int *j) {
    int i2, j2;
    if (g->k == K_TUPLE && g->n == 0) { give_empty(d, K_TUPLE); return 0; }
    if (g->k != K_GRID) { over(d); return 0; }
    slice_of(top, top + rows, g->h, i, &i2);
    if (i2 == *i) { give_empty(d, K_TUPLE); return 0; }
    slice_of(left, left + columns, g->w, j, &j2);
    return new_grid(m, d, i2 - *i, j2 - *j);
}

FN void cut_cells(Mem *m, VP d, VP g, i64 top, i64 rows, i64 left, i64 columns) {
    int i, j;
    if (cut(m, d, g, top, rows, left, columns, &i, &j)) map_cells(m, g->off, g->w, 1, 0, i, 0, 1, j, 1);
}

FN void op_crop(Mem *m, VP d, VP g, VP start, VP dims) {
    if (start->k != K_PAIR || dims->k != K_PAIR) { over(d); return; }
    cut_cells(m, d, g, start->a, dims->a, start->b, dims->b);
}

FN void op_subgrid(Mem *m, VP d, VP p, VP g) {
    if (is_none(p)) { fail(d); return; }
    if (!is_box(p)) { over(d); return; }
    cut_cells(m, d, g, p->a, p->h, p->b, p->w);
}

// 0 top, 1 bottom, 2 left, 3 right half, 4 the middle.
FN void op_part(Mem *m, VP d, VP g, int what) {
    if (g->k != K_GRID) { over(d); return; }
    int h = g->h, w = g->w;
    if (what >= 2 && what < 4 && w / 2 == 0) { give_empty(d, K_TUPLE); return; }
    switch (what) {
    case 0: cut_cells(m, d, g, 0, h / 2, 0, w); break;
    case 1: cut_cells(m, d, g, h / 2 + h % 2, h / 2, 0, w); break;
    case 2: cut_cells(m, d, g, 0, h, 0, w / 2); break;
    case 3: cut_cells(m, d, g, 0, h, w / 2 + w % 2, w / 2); break;
    default: cut_cells(m, d, g, 1, -2, 1, -2); break;
    }
}

FN void op_split(Mem *m, VP d, VP g, VP n, int down) {
    if (n->k != K_INT) { over(d); return; }
    if (g->k == K_TUPLE && g->n == 0) { fail(d); return; }
    if (g->k != K_GRID) { over(d); return; }
    if (n->a == 0) { fail(d); return; }
    if (n->a < 0) { give_empty(d, K_TUPLE); return; }
    int side = down ? g->h : g->w, size = side / n->a, step = size + (side % n->a != 0), count = n->a;
    if (size == 0 || count > MAX_ITEMS) { over(d); return; }
    int off = room(m, count * VAL_WORDS);
    if (off < 0) { over(d); return; }
    for (int k = 0; k < count; k++) {
        VP to = vals(m, off) + k;
        int i, j, made = down ? cut(m, to, g, (i64)k * step, size, 0, g->w, &i, &j)
                              : cut(m, to, g, 0, g->h, (i64)k * step, size, &i, &j);
        if (!made && to->k == K_OVER) { over(d); return; }
    }
    give_tuple_now(m, d, off, count);
    // Grids are neither rows nor elements of a pair.
    LOCAL int *p = m->ctx->p;
    m->ctx->mode = F_SPLIT;
    p[0] = off; p[1] = count; p[2] = g->off; p[3] = g->w; p[4] = down ? step * g->w : step;
}

FN void op_concat(Mem *m, VP d, VP a, VP b, int down) {
    if (down && is_tuple(a) && is_tuple(b) && (len(a) == 0 || len(b) == 0)) {
        set_val(d, len(a) == 0 ? *b : *a);
        return;
    }
    if (a->k != K_GRID || b->k != K_GRID || (down && a->w != b->w)) { over(d); return; }
    int h = a->h < b->h ? a->h : b->h;
    if (!new_grid(m, d, down ? a->h + b->h : h, down ? a->w : a->w + b->w)) return;
    LOCAL int *p = m->ctx->p;
    m->ctx->mode = F_CONCAT;
    p[0] = a->off; p[1] = a->h; p[2] = a->w; p[3] = b->off; p[4] = b->w; p[5] = down;
}

FN void op_cellwise(Mem *m, VP d, VP a, VP b, VP c) {
    if (a->k != K_GRID || b->k != K_GRID || !small(c)) { over(d); return; }
    if (b->h < a->h || b->w < a->w) { fail(d); return; }
    if (!new_grid(m, d, a->h, a->w)) return;
    LOCAL int *p = m->ctx->p;
    m->ctx->mode = F_AGREE;
    p[0] = a->off; p[1] = b->off; p[2] = b->w; p[3] = c->a;
}

// Whether a line of a grid is of one colour: its first cell, how far its cells are from each other, how many.
FN int is_plain(GLOBAL i8 *at, int step, int n) {
    for (int k = 1; k < n; k++) if (at[k * step] != at[0]) return 0;
    return 1;
}

FN void op_compress(Mem *m, VP d, VP g) {
    if (g->k != K_GRID) { over(d); return; }
    int off = room(m, 2 * (g->h + g->w));
    if (off < 0) { over(d); return; }
    begin(m, F_LINES);
    LOCAL int *p = m->ctx->p;
    p[0] = g->off; p[1] = g->h; p[2] = g->w; p[3] = off;
}
// For each row, then for each column, whether it is to stay.
FN void lanes_lines(Mem *m) {
    LOCAL int *p = m->ctx->p;
    int h = p[1], w = p[2];
    GLOBAL i8 *at = bytes(m, p[0]);
    for (int k = LANE; k < h + w; k += LANES)
        m->h[p[3] + k] = k < h ? !is_plain(at + k * w, 1, w) : !is_plain(at + k - h, w, h);
}
FN void after_lines(Mem *m, VP d) {
    LOCAL int *p = m->ctx->p;
    int h = p[1], w = p[2], rows = 0, columns = 0;
    GLOBAL int *stays = m->h + p[3], *chosen = stays + h + w;
    for (int k = 0; k < h; k++) if (stays[k]) chosen[rows++] = k;
    for (int k = 0; k < w; k++) if (stays[h + k]) chosen[rows + columns++] = k;
    m->ctx->mode = new_grid(m, d, rows, columns) ? F_PICK_LINES : F_NONE;
    p[3] += h + w;
}
// The parts of a grid that was split, one after the other.
FN void lanes_split(Mem *m) {
    LOCAL int *p = m->ctx->p;
    for (int k = 0; k < p[1]; k++) {
        VP to = vals(m, p[0]) + k;
        int w = to->w, area = to->k == K_GRID ? to->h * w : 0;
        for (int c = LANE; c < area; c += LANES)
            bytes(m, to->off)[c] = bytes(m, p[2])[k * p[4] + c / w * p[3] + c % w];
    }
}
