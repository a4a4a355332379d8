def solve_ring_largest(I):
    return fill(I, THREE, outbox(argmax(objects(I, T, F, T), size)))


def solve_rows(I):
    return order(I, compose(size, dedupe))
