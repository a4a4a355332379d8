// The interpreter: a stretch of bytecode on one input after the other.

// An instruction: operation, result, four arguments, how many of them there are, one number.
#define STEP_WORDS 8

FN int map_at(GLOBAL int *p, int i, int j) {
    int x = (p[0] * i + p[1] * j) / p[8] + p[2], y = (p[3] * i + p[4] * j) / p[8] + p[5];
    return x * p[7] + y;
}

FN u32 scramble(u32 x) {
    x ^= x >> 16; x *= 0x7feb352dU; x ^= x >> 15; x *= 0x846ca68bU; x ^= x >> 16;
    return x;
}

// All lanes write the cells of the result that lane 0 has made ready.
FN void write_cells(Mem *m, VP d, GLOBAL const i8 *cells) {
    GLOBAL Ctx *x = m->ctx;
    GLOBAL int *p = x->p;
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
        default: break;
        }
    }
    if (x->mode == F_RESULT) { ADD(&x->sum[0], low); ADD(&x->sum[1], high); ADD(&x->sum[2], right); ADD(&x->sum[3], odd); }
}

// What of a value goes back: a fingerprint of a grid, and how many of its cells are as expected.
FN void begin_result(Mem *m, VP v, GLOBAL const int *item) {
    GLOBAL Ctx *x = m->ctx;
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
    GLOBAL Ctx *x = m->ctx;
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

// One step, by lane 0.
FN void do_step(Mem *m, GLOBAL const int *at, VP r, GLOBAL u32 *results, GLOBAL const int *item, int items, int input) {
    int op = at[0], n = at[6], x = at[7], status = K_NONE;
    VP d = r + at[1], a = r + at[2], b = r + at[3], c = r + at[4], e = r + at[5];
    m->ctx->mode = F_NONE;
    m->ctx->over = 0;
    if (n > 0) {
        // The first failed argument decides; what went over leaves it open.
        int work = 1;
        for (int i = 0; i < n; i++) {
            VP arg = r + at[2 + i];
            if (arg->k == K_OVER || (arg->k == K_FAIL && status != K_OVER)) status = arg->k;
            work += weight_of(arg);
        }
        m->ctx->work += work;
        if (status != K_NONE) { d->k = status; return; }
    }
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
    if (op >= OP_VALUES) {
        if (m->ctx->over) { over(d); m->ctx->mode = F_NONE; }
        m->ctx->work += weight_of(d);
    }
}

KERNEL void loom(GLOBAL const i8 *cells, GLOBAL const int *items, GLOBAL const int *code,
                 GLOBAL const int *stretches, GLOBAL const int *consts, GLOBAL int *heap,
                 GLOBAL u32 *results, int item_count, int stretch_count, int const_words, int heap_words,
                 int work_limit) {
    Mem m;
    m.h = heap + (size_t)GROUP * (size_t)heap_words;
    m.ctx = (GLOBAL Ctx *)m.h;
    m.cap = heap_words;
    // Work is dealt out in turn: the groups of a device are as many as its memory has room for.
    for (int job = GROUP; job < item_count * stretch_count; job += GROUPS) {
        int input = job % item_count;
        GLOBAL const int *stretch = stretches + 4 * (job / item_count), *item = items + 6 * input;
        GLOBAL const int *steps = code + (size_t)stretch[0] * STEP_WORDS;
        GLOBAL u32 *own = results + 3 * (size_t)stretch[3] * item_count;
        int pc = 0, end = stretch[1], regs = stretch[2];
        VP r = (VP)(m.h + CONSTS_AT + const_words);
        int in_off = CONSTS_AT + const_words + regs * VAL_WORDS;
        int in_area = item[1] * item[2];
        // Constants refer to words of the heap from its beginning.
        for (int i = LANE; i < const_words; i += LANES) m.h[CONSTS_AT + i] = consts[i];
        for (int i = LANE; i < in_area; i += LANES) bytes(&m, in_off)[i] = cells[item[0] + i];
        if (LANE == 0) {
            m.ctx->top = in_off + ((in_area + 3) / 4 + VAL_WORDS - 1) / VAL_WORDS * VAL_WORDS;
            m.ctx->work = 0;
            m.ctx->mode = F_NONE;
            m.ctx->over = 0;
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
                if (it->k != K_ITER || it->a >= it->n || m.ctx->work > work_limit) next = at[7];
            }
            if (op == OP_UNLESS) { VP cond = r + at[2]; if (!truth(cond)) next = at[7]; }
            BARRIER;
            if (LANE == 0) {
                if (op == OP_NEXT && m.ctx->work > work_limit && r[at[2]].k == K_ITER) r[at[2]].k = K_OVER;
                do_step(&m, at, r, own, item, item_count, input);
            }
            BARRIER;
            if (m.ctx->mode != F_NONE) write_cells(&m, r + at[1], cells);
            BARRIER;
            pc = next;
        }
    }
}
