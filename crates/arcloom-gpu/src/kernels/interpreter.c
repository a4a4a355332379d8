// The interpreter: a stretch of bytecode on one input after the other.

// An instruction: operation, result, four arguments, how many of them there are, one number.
#define STEP_WORDS 8

INLINE int map_at(LOCAL const int *p, int i, int j) {
    int x = p[0] * i + p[1] * j, y = p[3] * i + p[4] * j;
    if (p[8] != 1) { x /= p[8]; y /= p[8]; }
    return (x + p[2]) * p[7] + y + p[5];
}

INLINE u32 scramble(u32 x) {
    x ^= x >> 16; x *= 0x7feb352dU; x ^= x >> 15; x *= 0x846ca68bU; x ^= x >> 16;
    return x;
}

// All lanes write the cells of the result that lane 0 has made ready.
FN void write_cells(Mem *m, VP d, GLOBAL const i8 *cells) {
    LOCAL Ctx *x = m->ctx;
    LOCAL int *p = x->p;
    GLOBAL i8 *to = bytes(m, d->off);
    int w = d->w, area = d->h * d->w;
    u32 low = 0, high = 0, right = 0, odd = 0;
    for (int c = LANE; c < area; c += LANES) {
        int i = c / w, j = c % w;
        switch (x->mode) {
        case F_MAP: to[c] = bytes(m, p[6])[map_at(p, i, j)]; break;
        case F_CONST: to[c] = p[0]; break;
        case F_CONCAT:
            if (p[5]) to[c] = i < p[1] ? bytes(m, p[0])[c] : bytes(m, p[3])[c - p[1] * w];
            else to[c] = j < p[2] ? bytes(m, p[0])[i * p[2] + j] : bytes(m, p[3])[i * p[4] + j - p[2]];
            break;
        case F_SWAP: {
            int v = bytes(m, p[0])[c];
            to[c] = v == p[1] ? p[2] : p[3] && v == p[2] ? p[1] : v;
            break;
        }
        case F_AGREE: {
            int v = bytes(m, p[0])[c];
            to[c] = v == bytes(m, p[1])[i * p[2] + j] ? v : p[3];
            break;
        }
        case F_DRAW: {
            int v = bytes(m, p[0])[c], a = i - p[2], b = j - p[3];
            if (p[8] != ABSENT) {
                int e = i - p[9], f = j - p[10];
                if (e >= 0 && f >= 0 && e < p[4] && f < p[5] && bytes(m, p[1])[e * p[5] + f] != ABSENT) v = p[8];
            }
            if (a >= 0 && b >= 0 && a < p[4] && b < p[5]) {
                int own = bytes(m, p[1])[a * p[5] + b];
                if (own != ABSENT && (p[7] == ABSENT || v == p[7])) v = p[6] != ABSENT ? p[6] : own;
            }
            to[c] = v;
            break;
        }
        case F_RESULT: {
            int v = to[c];
            u32 h = scramble((u32)c * 0x9e3779b1U + (u32)(v + 129));
            low += h;
            high += scramble(h ^ 0x68bc21ebU);
            odd += v < 0 || v > 15;
            if (p[1]) right += v == cells[p[0] + c];
            break;
        }
        case F_OUTLINE: to[c] = in_outline(p, i, j, d->h, w) ? 0 : ABSENT; break;
        case F_RECOLOR: to[c] = bytes(m, p[0])[c] == ABSENT ? ABSENT : p[1]; break;
        case F_PICK_LINES: {
            GLOBAL const int *chosen = m->h + p[3];
            to[c] = bytes(m, p[0])[chosen[i] * p[2] + chosen[d->h + j]];
            break;
        }
        case F_TUPLE_WRITE: {
            VP row = vals(m, p[0]) + i;
            to[c] = row->k == K_PAIR ? (j == 0 ? row->a : row->b) : vals(m, row->off)[j].a;
            break;
        }
        default: break;
        }
    }
    if (x->mode == F_RESULT) { ADD(&x->sum[0], low); ADD(&x->sum[1], high); ADD(&x->sum[2], right); ADD(&x->sum[3], odd); }
}

// What of a value goes back: a fingerprint of a grid, and how many of its cells are as expected.
FN void begin_result(Mem *m, VP v, GLOBAL const int *item) {
    LOCAL Ctx *x = m->ctx;
    for (int i = 0; i < 4; i++) x->sum[i] = 0;
    if (v->k != K_GRID) return;
    x->mode = F_RESULT;
    x->p[0] = item[3];
    x->p[1] = item[4] == v->h && item[5] == v->w;
}

// Hashes of values that are no grids: of what a header says, cells, and one level of elements.
FN u32 fold(u32 h, int x) { return scramble(h * 31 + (u32)x + 0x9e37U); }

FN u32 print_leaf(Mem *m, Val v, u32 seed) {
    u32 h = scramble(seed + (u32)v.k * 77);
    switch (v.k) {
    case K_INT: return fold(h, v.a);
    case K_CELL: h = fold(h, v.h); return fold(fold(h, v.a), v.b);
    case K_PAIR: return fold(fold(h, v.a), v.b);
    case K_TUPLE: case K_SET: return fold(h, v.n);
    case K_POS: case K_OBJ: h = fold(fold(h, v.a), v.b);
    // What follows is the same for grids.
    case K_GRID:
        h = fold(fold(h, v.h), v.w);
        for (int c = 0; c < v.h * v.w; c++) h = fold(h, bytes(m, v.off)[c]);
        return h;
    default: return h;
    }
}

FN u32 print_value(Mem *m, Val v, u32 seed) {
    u32 h = print_leaf(m, v, seed);
    if (v.k == K_TUPLE || v.k == K_SET)
        for (int i = 0; i < v.n; i++) h = fold(h, (int)print_leaf(m, vals(m, v.off)[i], seed));
    return h;
}

#define R_FAIL 0
#define R_OVER 1
#define R_OTHER 2
#define R_GRID 3

FN void end_result(Mem *m, VP v, GLOBAL u32 *to, GLOBAL const int *item) {
    LOCAL Ctx *x = m->ctx;
    u32 kind = v->k == K_FAIL ? R_FAIL : v->k == K_OVER ? R_OVER : v->k == K_GRID ? R_GRID : R_OTHER;
    u32 shape = (u32)v->h * 1024 + (u32)v->w;
    u32 same = item[4] == v->h && item[5] == v->w, plain = x->sum[3] == 0 && v->h <= 64 && v->w <= 64;
    to[0] = kind == R_GRID ? x->sum[0] + scramble(shape) : kind == R_OTHER ? print_value(m, *v, 1) : 0;
    to[1] = kind == R_GRID ? x->sum[1] + scramble(shape ^ 0x2545f491U) : kind == R_OTHER ? print_value(m, *v, 2) : 0;
    to[2] = kind | (kind == R_GRID ? same << 2 | plain << 3 | x->sum[2] << 4 : 0);
}

FN int weight_of(VP v) {
    return v->k == K_GRID ? v->h * v->w + v->h : v->k >= K_TUPLE && v->k <= K_SET ? v->n : 1;
}

// The operation of a step, by lane 0, up to the first thing that all lanes are to do. Where they have to
// find something out first, it is done anew when they have.
FN void act(Mem *m, GLOBAL const int *at, VP r, GLOBAL u32 *results, GLOBAL const int *item, int items, int input) {
    int op = at[0], x = at[7];
    VP d = r + at[1], a = r + at[2], b = r + at[3], c = r + at[4], e = r + at[5];
    switch (op) {
    case OP_JUMP: case OP_UNLESS: break;
    case OP_NEXT: if (a->k == K_ITER && a->a < a->n) set_val(d, vals(m, a->off)[a->a]); break;
    case OP_YIELD: if (a->k == K_ITER) op_yield(m, a, b, x); break;
    case OP_LEAST:
        if (a->k != K_ITER) b->k = a->k;
        else if (b->k != K_ITER) a->k = b->k;
        else { if (b->n < a->n) a->n = b->n; b->n = a->n; }
        break;
    case OP_RESULT: begin_result(m, d, item); break;
    case OP_RESULT_END: end_result(m, d, results + 3 * ((size_t)x * items + input), item); break;
    case OP_LIST_PUT:
        if (a->k == K_FAIL || a->k == K_OVER) { if (d->k != K_OVER) d->k = a->k; }
        else if (d->k == K_TUPLE) vals(m, d->off)[x] = *a;
        break;
    case OP_CONST: set_val(d, ((VP)(m->h + CONSTS_AT))[x]); break;
    case OP_COPY: set_val(d, *a); break;
    case OP_AFTER: set_val(d, *b); break;
    case OP_ITER: if (x & 16) m->ctx->work = 0; op_iter(m, d, a, x & 15); break;
    case OP_LOAD: set_val(d, b->k == K_ITER && a->k == K_ITER ? vals(m, a->off)[b->a] : mk(K_OVER)); break;
    case OP_DONE: op_done(m, d, a, x); break;
    case OP_LIST_NEW: op_list_new(m, d, x); break;
    case OP_LIST_TUPLE: give_tuple(m, d, a->off, a->n); break;
    case OP_LIST_SET: give_set(m, d, a->off, a->n); break;
//OPERATIONS
    default: over(d); break;
    }
}

// What is left when lane 0 has done its part, which may be that of all lanes.
FN void settle(Mem *m, GLOBAL const int *at, VP d) {
    LOCAL Ctx *x = m->ctx;
    if (at[0] < OP_VALUES) return;
    // What went over leaves nothing behind.
    if (x->over) { over(d); x->mode = F_NONE; x->top = x->start; }
    if (x->mode <= F_PLAIN) x->work += weight_of(d);
}

// A step up to the first phase of all lanes, by lane 0.
FN void begin_step(Mem *m, GLOBAL const int *at, VP r, GLOBAL u32 *results, GLOBAL const int *item, int items, int input) {
    LOCAL Ctx *x = m->ctx;
    int n = at[6], status = K_NONE;
    VP d = r + at[1];
    x->mode = F_NONE;
    x->over = 0;
    x->start = x->top;
    x->seen_at = -1;
    x->listed_count = 0;
    if (n > 0) {
        // The first failed argument decides; what went over leaves it open.
        int work = 1;
        for (int i = 0; i < n; i++) {
            VP arg = r + at[2 + i];
            if (arg->k == K_OVER || (arg->k == K_FAIL && status != K_OVER)) status = arg->k;
            work += weight_of(arg);
        }
        x->work += work;
        if (status != K_NONE) { d->k = status; return; }
    }
    act(m, at, r, results, item, items, input);
    settle(m, at, d);
}

// A phase, by all lanes.
FN void do_phase(Mem *m, int mode, VP d, GLOBAL const i8 *cells) {
    if (mode < F_SPLIT) { write_cells(m, d, cells); return; }
    if (mode >= F_UNITE && mode <= F_WRITES) { lanes_write(m, d); return; }
    switch (mode) {
    case F_SPLIT: lanes_split(m); break;
    case F_COUNT: lanes_count(m); break;
    case F_PICK: lanes_pick(m); break;
    case F_LIST_GRID: lanes_list_grid(m); break;
    case F_LIST_COUNT: lanes_list_count(m); break;
    case F_LIST_WRITE: lanes_list_write(m); break;
    case F_LIST_COLORS: lanes_list_colors(m); break;
    case F_TUPLE_CHECK: lanes_tuple_check(m); break;
    case F_SET_BOUNDS: lanes_set_bounds(m); break;
    case F_SET_CLEAR: case F_MERGE_CLEAR: lanes_clear(m, d); break;
    case F_SET_WRITE: lanes_set_write(m, d); break;
    case F_SET_CHECK: lanes_set_check(m, d); break;
    case F_SORTED: lanes_sorted(m); break;
    case F_SORT: lanes_sort(m); break;
    case F_MERGE_BOUNDS: lanes_merge_bounds(m); break;
    case F_MERGE_WRITE: case F_MERGE_CHECK: lanes_merge_write(m, d); break;
    case F_MERGE_COPY: lanes_merge_copy(m); break;
    case F_LABEL_INIT: lanes_label_init(m); break;
    case F_LABEL_UNITE: lanes_label_unite(m); break;
    case F_LABEL_FLATTEN: lanes_label_flatten(m); break;
    case F_LABEL_COLORS: lanes_label_colors(m); break;
    case F_LABEL_MEASURE: lanes_label_measure(m); break;
    case F_LABEL_RANK: lanes_label_rank(m, d); break;
    case F_LABEL_GATHER: lanes_label_gather(m, d); break;
    case F_FRONTIERS: lanes_frontiers(m); break;
    case F_LINES: lanes_lines(m); break;
    case F_DISTANCE: lanes_distance(m); break;
    case F_SHARE_LINE: lanes_share_line(m); break;
    case F_TOUCH: lanes_touch(m); break;
    case F_MASS: lanes_mass(m); break;
    case F_EQUAL: case F_FIRST_EQUAL: case F_TIMES: lanes_equal(m); break;
    case F_COLOR_OF: lanes_color_of(m); break;
    case F_PERIOD: lanes_period(m); break;
    case F_ORDER: lanes_order(m); break;
    default: break;
    }
}

// What comes of a phase, by lane 0: the end of the step or its next phase.
FN void after_phase(Mem *m, GLOBAL const int *at, VP r, GLOBAL u32 *results, GLOBAL const int *item, int items, int input) {
    LOCAL Ctx *x = m->ctx;
    LOCAL int *p = x->p;
    VP d = r + at[1], a = r + at[2], b = r + at[3];
    int found = x->n;
    switch (x->mode) {
    case F_UNITE: x->mode = F_NONE; d->n = found; if (x->flag) over(d); break;
    case F_SIFT: case F_COMPLEMENT: case F_OF_COLOR: case F_LIFT: case F_OCCUR: tighten(m, d); break;
    case F_COUNT: after_count(m); break;
    case F_LIST_COUNT: after_list_count(m); break;
    case F_PICK: after_pick(m);
    // What was to be found out is known now.
    case F_LIST_GRID: case F_LIST_WRITE: case F_LIST_COLORS:
        x->mode = F_NONE;
        act(m, at, r, results, item, items, input);
        break;
    case F_TUPLE_CHECK: after_tuple_check(m, d); break;
    case F_SET_BOUNDS: after_set_bounds(m, d); break;
    case F_SET_CLEAR: x->mode = F_SET_WRITE; break;
    case F_SET_WRITE: x->mode = F_SET_CHECK; break;
    case F_SORTED: after_sorted(m, d); break;
    case F_SORT: after_sort(m, d); break;
    case F_MERGE_BOUNDS: after_merge_bounds(m, d); break;
    case F_MERGE_CLEAR: x->mode = F_MERGE_WRITE; break;
    case F_MERGE_WRITE: x->mode = F_MERGE_CHECK; break;
    case F_SET_CHECK: case F_MERGE_CHECK: x->mode = F_NONE; d->n = found; if (x->flag) over(d); break;
    case F_MERGE_COPY:
        x->mode = F_NONE;
        if (p[2]) give_set(m, d, p[4], p[5]); else give_tuple(m, d, p[4], p[5]);
        break;
    case F_LABEL_INIT: x->mode = F_LABEL_UNITE; break;
    case F_LABEL_UNITE: x->mode = F_LABEL_FLATTEN; break;
    case F_LABEL_FLATTEN: case F_LABEL_COLORS: after_labels(m, d); break;
    case F_LABEL_MEASURE: after_label_measure(m, d); break;
    case F_LABEL_RANK: after_label_rank(m); break;
    case F_FRONTIERS: x->mode = F_NONE; give_set(m, d, p[3], found); break;
    case F_LINES: after_lines(m, d); break;
    case F_DISTANCE: {
        int far = x->low_i;
        x->mode = F_NONE;
        if (p[10]) give_bool(d, far == 1); else set_val(d, mk_int(far));
        break;
    }
    case F_SHARE_LINE: after_share_line(m, d, a, b); break;
    case F_TOUCH: after_touch(m, d); break;
    case F_MASS: after_mass(m, d, a); break;
    case F_EQUAL: case F_FIRST_EQUAL: after_equal(m, d); break;
    case F_TIMES: after_times(m, d); break;
    case F_COLOR_OF: after_color_of(m, d); break;
    case F_PERIOD: after_period(m, d); break;
    case F_ORDER: x->mode = F_NONE; if (x->flag) over(d); else give_tuple(m, d, p[2], p[1]); break;
    default: x->mode = F_NONE; break;
    }
    settle(m, at, d);
}

KERNEL void loom(GLOBAL const i8 *cells, GLOBAL const int *items, GLOBAL const int *code,
                 GLOBAL int *stretches, GLOBAL const int *consts, GLOBAL int *heap,
                 GLOBAL u32 *results, int item_count, int stretch_count, int const_words, int heap_words,
                 int work_limit) {
    SHARED Ctx shared;
    Mem m;
    m.h = heap + (size_t)GROUP * (size_t)heap_words;
    m.ctx = &shared;
    m.cap = heap_words;
    for (int c = LANE; c < 256; c += LANES) shared.bins[c] = 0;
    int jobs = item_count * stretch_count, job = 0;
    // Groups take the next job when they are done with one; inputs come by cost, the largest first, each
    // with all stretches.
    while (job < jobs) {
        if (LANE == 0) shared.job = ADD(&stretches[4 * stretch_count], 1);
        BARRIER;
        job = shared.job;
        BARRIER;
        int left = job < jobs, input = left ? job / stretch_count : 0;
        GLOBAL const int *stretch = stretches + (left ? 4 * (job % stretch_count) : 0), *item = items + 6 * input;
        GLOBAL const int *steps = code + (size_t)stretch[0] * STEP_WORDS;
        GLOBAL u32 *own = results + 3 * (size_t)stretch[3] * item_count;
        int pc = 0, end = left ? stretch[1] : 0, regs = stretch[2];
        VP r = (VP)(m.h + CONSTS_AT + const_words);
        int in_off = CONSTS_AT + const_words + regs * VAL_WORDS;
        int in_area = left ? item[1] * item[2] : 0;
        // Constants refer to words of the heap from its beginning.
        for (int i = LANE; left && i < const_words; i += LANES) m.h[CONSTS_AT + i] = consts[i];
        for (int i = LANE; i < in_area; i += LANES) bytes(&m, in_off)[i] = cells[item[0] + i];
        if (LANE == 0 && left) {
            shared.top = in_off + ((in_area + 3) / 4 + VAL_WORDS - 1) / VAL_WORDS * VAL_WORDS;
            shared.work = 0;
            shared.mode = F_NONE;
            shared.over = 0;
            Val v = mk(K_GRID);
            v.h = item[1]; v.w = item[2]; v.off = in_off;
            r[0] = v;
        }
        BARRIER;
        while (pc < end) {
            GLOBAL const int *at = steps + (size_t)pc * STEP_WORDS;
            int op = at[0], next = pc + 1;
            // Where to go on is decided by all lanes alike, from what was written before.
            if (op == OP_JUMP) next = at[7];
            if (op == OP_NEXT) {
                VP it = r + at[2];
                if (it->k != K_ITER || it->a >= it->n || shared.work > work_limit) next = at[7];
            }
            if (op == OP_UNLESS) { VP cond = r + at[2]; if (!truth(cond)) next = at[7]; }
            BARRIER;
            if (LANE == 0) {
                if (op == OP_NEXT && shared.work > work_limit && r[at[2]].k == K_ITER) r[at[2]].k = K_OVER;
                begin_step(&m, at, r, own, item, item_count, input);
            }
            BARRIER;
            int mode = shared.mode;
            while (mode != F_NONE) {
                do_phase(&m, mode, r + at[1], cells);
                BARRIER;
                if (LANE == 0) {
                    if (mode > F_PLAIN) after_phase(&m, at, r, own, item, item_count, input);
                    else shared.mode = F_NONE;
                }
                BARRIER;
                mode = shared.mode;
            }
            pc = next;
        }
    }
}
