// Truth, equality, membership.

FN void op_contained(Mem *m, VP d, VP v, VP c) {
    if (len(c) < 0) { over(d); return; }
    if (c->k == K_POS || c->k == K_OBJ) {
        int k = c->k == K_POS ? K_PAIR : K_CELL, found = 0;
        if (v->k == k) {
            int at = at_box(m, c, v->a, v->b);
            found = at != ABSENT && (k == K_PAIR || at == v->h);
        }
        give_bool(d, found);
        return;
    }
    int off = expand(m, *c);
    if (off < 0) { over(d); return; }
    for (int i = 0; i < len(c); i++)
        if (eq(m, vals(m, off)[i], *v)) { give_bool(d, 1); return; }
    give_bool(d, 0);
}
