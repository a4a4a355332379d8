// Taking grids apart into objects.

// Turns n labels, one per cell and counted from 0, into objects in ascending order. A label of -1 is
// of no object. Labels are renumbered by colour and place of their first cell.
FN void give_objects(Mem *m, VP d, VP g, int labels, int n) {
    int area = g->h * g->w, base = labels + area;
    GLOBAL int *lab = m->h + labels, *rank = m->h + base, *box = m->h + base + n;
    GLOBAL i8 *at = bytes(m, g->off);
    int next = 0;
    for (int k = 0; k < n; k++) {
        rank[k] = -1;
        box[4 * k] = MAX_SIDE; box[4 * k + 1] = MAX_SIDE; box[4 * k + 2] = -1; box[4 * k + 3] = -1;
    }
    for (int c = next_color(m, *g, ABSENT); c < 128; c = next_color(m, *g, c))
        for (int p = 0; p < area; p++)
            if (at[p] == c && lab[p] >= 0 && rank[lab[p]] < 0) rank[lab[p]] = next++;
    for (int p = 0; p < area; p++) {
        if (lab[p] < 0) continue;
        GLOBAL int *b = box + 4 * lab[p];
        int i = p / g->w, j = p % g->w;
        if (i < b[0]) b[0] = i;
        if (j < b[1]) b[1] = j;
        if (i > b[2]) b[2] = i;
        if (j > b[3]) b[3] = j;
    }
    int off = room(m, n * VAL_WORDS);
    if (off < 0 || m->ctx->top > labels) { over(d); return; }
    for (int k = 0; k < n; k++) {
        GLOBAL int *b = box + 4 * k;
        VP to = vals(m, off) + rank[k];
        if (!new_box(m, to, K_OBJ, b[0], b[1], b[2] - b[0] + 1, b[3] - b[1] + 1) || m->ctx->top > labels) {
            over(d);
            return;
        }
    }
    for (int p = 0; p < area; p++) {
        if (lab[p] < 0) continue;
        VP to = vals(m, off) + rank[lab[p]];
        bytes(m, to->off)[(p / g->w - to->a) * to->w + p % g->w - to->b] = at[p];
        to->n++;
    }
    Val v = mk(K_SET);
    v.n = n; v.off = off;
    set_val(d, v);
}

FN void op_objects(Mem *m, VP d, VP g, VP univalued, VP diagonal, VP without) {
    if (g->k == K_TUPLE && g->n == 0) { fail(d); return; }
    if (g->k != K_GRID) { over(d); return; }
    int area = g->h * g->w, uni = truth(univalued), diag = truth(diagonal), n = 0;
    int background = truth(without) ? most_color(m, g, 1) : ABSENT;
    // Labels, then what give_objects needs, with the stack of the search in its place before.
    int labels = scratch(m, area * 6);
    if (labels < 0) { over(d); return; }
    GLOBAL int *lab = m->h + labels, *stack = lab + area;
    GLOBAL i8 *at = bytes(m, g->off);
    for (int p = 0; p < area; p++) lab[p] = -1;
    for (int seed = 0; seed < area; seed++) {
        if (lab[seed] >= 0 || at[seed] == background) continue;
        int depth = 1;
        stack[0] = seed;
        lab[seed] = n;
        while (depth > 0) {
            int p = stack[--depth], i = p / g->w, j = p % g->w;
            for (int di = -1; di <= 1; di++)
                for (int dj = -1; dj <= 1; dj++) {
                    int x = i + di, y = j + dj, q = x * g->w + y;
                    if ((!diag && di != 0 && dj != 0) || x < 0 || y < 0 || x >= g->h || y >= g->w) continue;
                    if (lab[q] >= 0 || (uni ? at[q] != at[seed] : at[q] == background)) continue;
                    lab[q] = n;
                    stack[depth++] = q;
                }
        }
        n++;
    }
    if (n == 0) { give_empty(d, K_SET); return; }
    give_objects(m, d, g, labels, n);
}

FN void op_partition(Mem *m, VP d, VP g, int foreground) {
    if (g->k == K_TUPLE && g->n == 0) { if (foreground) fail(d); else give_empty(d, K_SET); return; }
    if (g->k != K_GRID) { over(d); return; }
    int area = g->h * g->w, n = 0, skip = foreground ? most_color(m, g, 1) : ABSENT;
    int labels = scratch(m, area * 6);
    if (labels < 0) { over(d); return; }
    GLOBAL int *lab = m->h + labels;
    GLOBAL i8 *at = bytes(m, g->off);
    for (int p = 0; p < area; p++) lab[p] = -1;
    for (int c = next_color(m, *g, ABSENT); c < 128; c = next_color(m, *g, c)) {
        if (c == skip) continue;
        for (int p = 0; p < area; p++) if (at[p] == c) lab[p] = n;
        n++;
    }
    if (n == 0) { give_empty(d, K_SET); return; }
    give_objects(m, d, g, labels, n);
}

FN void op_frontiers(Mem *m, VP d, VP g) {
    if (g->k == K_TUPLE && g->n == 0) { fail(d); return; }
    if (g->k != K_GRID) { over(d); return; }
    int n = 0, off = room(m, (g->h + g->w) * VAL_WORDS);
    if (off < 0) { over(d); return; }
    for (int k = 0; k < g->h + g->w; k++) {
        int row = k < g->h, at = row ? k : k - g->h;
        if (!(row ? plain_row(m, g, at) : plain_column(m, g, at))) continue;
        VP to = vals(m, off) + n++;
        if (!new_box(m, to, K_OBJ, row ? at : 0, row ? 0 : at, row ? 1 : g->h, row ? g->w : 1)) { over(d); return; }
        int c = bytes(m, g->off)[row ? at * g->w : at];
        to->n = to->h * to->w;
        for (int p = 0; p < to->n; p++) bytes(m, to->off)[p] = c;
    }
    give_set(m, d, off, n);
}
