// Sizes of grids and patches.

// Rows and columns; 0 when this is no grid or patch in a form known here.
FN int shape_of(VP a, int *h, int *w) {
    if (len(a) == 0) { *h = 0; *w = 0; return 1; }
    *h = a->h; *w = a->w;
    return a->k == K_GRID || is_box(a);
}

FN void op_shape(VP d, VP a, int what) {
    int h, w;
    if (len(a) < 0) { fail(d); return; }
    if (!shape_of(a, &h, &w)) { over(d); return; }
    if (what == 0) set_val(d, mk_int(h));
    else if (what == 1) set_val(d, mk_int(w));
    else if (what == 2) set_val(d, mk_pair(h, w));
    else give_bool(d, h > w);
}

FN void op_square(VP d, VP a) {
    if (len(a) < 0) { fail(d); return; }
    if (a->k == K_TUPLE && a->n == 0) { fail(d); return; }
    if (a->k == K_GRID) give_bool(d, a->h == a->w);
    else if (is_none(a)) give_bool(d, 1);
    else if (is_box(a)) give_bool(d, a->h == a->w && a->h * a->w == a->n);
    else over(d);
}

FN void op_line(VP d, VP a, int vertical) {
    int h, w;
    if (len(a) < 0) { fail(d); return; }
    if (!shape_of(a, &h, &w)) { over(d); return; }
    give_bool(d, vertical ? h == len(a) && w == 1 : w == len(a) && h == 1);
}
