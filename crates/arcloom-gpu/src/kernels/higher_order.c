// Loops over the elements of a container: what a call of a function on each of them is lowered to.
//
// ITER makes the elements and a buffer ready, NEXT hands out one or leaves the loop, the body follows,
// YIELD takes what it came to, DONE makes the result. A loop register: a elements done, n of them at
// off, results at x, w of them.

#define Y_APPLY 0
#define Y_FILTER 1
#define Y_ARGMAX 2
#define Y_ARGMIN 3
#define Y_EXTRACT 4
#define Y_ORDER 5

FN void op_iter(Mem *m, VP d, VP c, int each) {
    int n = len(c);
    if (n < 0) { fail(d); return; }
    int off = expand(m, *c), out = room(m, (n * each + 2) * VAL_WORDS);
    if ((n > 0 && off < 0) || out < 0) { over(d); return; }
    Val v = mk(K_ITER);
    // b says what the container is, so that DONE gives one like it; h remembers the heap.
    v.b = is_set(c) ? K_SET : K_TUPLE; v.n = n; v.off = off; v.x = out; v.h = m->ctx->top;
    set_val(d, v);
}

FN void op_yield(Mem *m, VP it, VP v, int mode) {
    if (v->k == K_FAIL || v->k == K_OVER) { it->k = v->k; return; }
    VP out = vals(m, it->x), item = vals(m, it->off) + it->a;
    switch (mode) {
    case Y_APPLY: out[it->w++] = *v; break;
    case Y_FILTER: if (truth(v)) out[it->w++] = *item; break;
    case Y_EXTRACT: if (truth(v)) { out[0] = *item; it->w = 1; it->a = it->n; } break;
    case Y_ORDER: out[2 * it->w] = *item; out[2 * it->w + 1] = *v; it->w++; break;
    default: {
        int better = it->w == 0 ? 1 : mode == Y_ARGMAX ? less_val(out[1], *v) : less_val(*v, out[1]);
        // A single element is never compared.
        if (better < 0) { it->k = K_OVER; return; }
        if (better) { out[0] = *item; out[1] = *v; it->w = 1; }
        break;
    }
    }
    if (it->a < it->n) it->a++;
    // Nothing of the body is kept: what an iteration took is free again. Keys and results stay.
    int keeps = mode == Y_APPLY || mode == Y_ORDER || ((mode == Y_ARGMAX || mode == Y_ARGMIN) && len(v) >= 0 && v->k != K_PAIR);
    if (!keeps) m->ctx->top = it->h;
}

#define D_SAME 0
#define D_MERGE 1
#define D_ITEM 2
#define D_KEY 3
#define D_SORTED 4
#define D_RAW 5
#define D_TUPLE 6
#define D_MERGE_TUPLE 7
#define D_MERGE_SET 8

FN void op_done(Mem *m, VP d, VP it, int how) {
    if (it->k != K_ITER) { d->k = it->k; return; }
    int out = it->x, n = it->w, set = it->b == K_SET;
    switch (how) {
    case D_SAME: if (set) give_set(m, d, out, n); else give_tuple(m, d, out, n); break;
    case D_TUPLE: give_tuple(m, d, out, n); break;
    case D_MERGE: merged(m, d, out, n, set); break;
    case D_MERGE_TUPLE: merged(m, d, out, n, 0); break;
    case D_MERGE_SET: merged(m, d, out, n, 1); break;
    case D_ITEM: if (n == 0) fail(d); else set_val(d, vals(m, out)[0]); break;
    // Of nothing, the value at 0: the CPU's matter.
    case D_KEY: if (n == 0) over(d); else set_val(d, vals(m, out)[1]); break;
    case D_RAW: { Val v = mk(K_TUPLE); v.n = n; v.off = out; set_val(d, v); break; }
    default: {
        int off = room(m, n * VAL_WORDS);
        if (off < 0) { over(d); return; }
        begin(m, F_ORDER);
        m->ctx->p[0] = out; m->ctx->p[1] = n; m->ctx->p[2] = off;
        break;
    }
    }
}
// Elements with their keys: each goes where as many are before it, in their order where keys are equal.
FN void lanes_order(Mem *m) {
    LOCAL Ctx *x = m->ctx;
    LOCAL int *p = x->p;
    VP at = vals(m, p[0]), to = vals(m, p[2]);
    for (int i = LANE; i < p[1]; i += LANES) {
        int before = 0, n = p[1];
        Val key = at[2 * i + 1];
        for (int j = 0; j < n; j++) {
            int less = j < i ? less_val(key, at[2 * j + 1]) : less_val(at[2 * j + 1], key);
            if (less < 0) { x->flag = n > 1; break; }
            before += j < i ? !less : j > i && less;
        }
        if (!x->flag) to[before] = at[2 * i];
    }
}
