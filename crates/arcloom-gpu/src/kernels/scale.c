// Enlarging and shrinking by whole factors.

FN void op_upscale(Mem *m, VP d, VP a, VP f) {
    if (len(a) == 0) { set_val(d, *a); return; }
    if (f->k != K_INT || f->a <= 0 || f->a > MAX_SIDE) { over(d); return; }
    int times = f->a;
    if (a->k == K_GRID) { if (!new_grid(m, d, (i64)a->h * times, (i64)a->w * times)) return; }
    else if (a->k == K_OBJ) {
        if (!new_box(m, d, K_OBJ, a->a, a->b, (i64)a->h * times, (i64)a->w * times)) return;
        d->n = a->n * times * times;
    } else if (a->k == K_POS) { fail(d); return; }
    else { over(d); return; }
    map_cells(m, a->off, a->w, 1, 0, 0, 0, 1, 0, times);
}

FN void op_upscale1(Mem *m, VP d, VP a, VP f, int down) {
    if (a->k != K_GRID || f->k != K_INT || f->a <= 0 || f->a > MAX_SIDE) { over(d); return; }
    if (!new_grid(m, d, (i64)a->h * (down ? f->a : 1), (i64)a->w * (down ? 1 : f->a))) return;
    // The factor divides one direction only: the other is multiplied beforehand.
    map_cells(m, a->off, a->w, down ? 1 : f->a, 0, 0, 0, down ? f->a : 1, 0, f->a);
}

FN void op_downscale(Mem *m, VP d, VP a, VP f) {
    if (f->k != K_INT) { over(d); return; }
    if (f->a == 0) { fail(d); return; }
    if (a->k != K_GRID) { over(d); return; }
    int step = f->a < 0 ? -f->a : f->a;
    if (step > MAX_SIDE) { over(d); return; }
    if (!new_grid(m, d, (a->h + step - 1) / step, (a->w + step - 1) / step)) return;
    map_cells(m, a->off, a->w, step, 0, 0, 0, step, 0, 1);
}
