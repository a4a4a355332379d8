// Numbers and pairs of numbers. Tuples of other things are left to the CPU.

FN i64 floor_div(i64 a, i64 b) {
    i64 q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

FN void part2(VP d, VP a, VP b, int op) {
    if ((a->k != K_INT && a->k != K_PAIR) || (b->k != K_INT && b->k != K_PAIR)) { over(d); return; }
    i64 x[2], y[2], r[2];
    int two = a->k == K_PAIR || b->k == K_PAIR;
    x[0] = a->a; x[1] = a->k == K_PAIR ? a->b : a->a;
    y[0] = b->a; y[1] = b->k == K_PAIR ? b->b : b->a;
    for (int i = 0; i < 2; i++) {
        if (op == 3 && y[i] == 0) { fail(d); return; }
        r[i] = op == 0 ? x[i] + y[i] : op == 1 ? x[i] - y[i] : op == 2 ? x[i] * y[i] : floor_div(x[i], y[i]);
    }
    if (two) give_pair(d, r[0], r[1]); else give_int(d, r[0]);
}

FN i64 part_of1(i64 n, int op) {
    switch (op) {
    case 0: return -n;
    case 1: return n * 2;
    case 2: return n >> 1;
    case 3: return n + 1;
    case 4: return n - 1;
    case 5: return n + sign_of(n);
    default: return sign_of(n);
    }
}

FN void part1(VP d, VP a, int op) {
    if (a->k == K_INT) give_int(d, part_of1(a->a, op));
    else if (a->k == K_PAIR) give_pair(d, part_of1(a->a, op), part_of1(a->b, op));
    else over(d);
}

FN void give_bool(VP d, int b) { set_val(d, mk_int(b != 0)); }

// Python's `a < b` where both are numbers, pairs or cells; -1 for what the CPU should look at.
FN int less_val(Val a, Val b) {
    if (a.k != b.k) return -1;
    if (a.k == K_INT) return a.a < b.a;
    if (a.k == K_PAIR) return a.a != b.a ? a.a < b.a : a.b < b.b;
    return -1;
}

FN void op_greater(VP d, VP a, VP b) {
    int less = less_val(*b, *a);
    if (less < 0) over(d); else give_bool(d, less);
}
