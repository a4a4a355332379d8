# Programs for the embedded tasks: solve_NAME solves the task NAME of tasks.json.
# Straight lines of single calls; nothing depends on the order in which a set is walked.


# Half as many as there are dots is the side of a square in their colour.
def solve_half_count_square(I):
    x1 = leastcolor(I)
    x2 = colorcount(I, x1)
    x3 = halve(x2)
    x4 = astuple(x3, x3)
    O = canvas(x1, x4)
    return O


# The grid goes to the middle of a black one with sides twice as long.
def solve_center_in_double(I):
    x1 = shape(I)
    x2 = double(x1)
    x3 = canvas(ZERO, x2)
    x4 = halve(x1)
    x5 = asobject(I)
    x6 = shift(x5, x4)
    O = paint(x3, x6)
    return O


# A tall grid is turned upside down, a wide one mirrored left to right.
def solve_flip_long_way(I):
    x1 = portrait(I)
    x2 = hmirror(I)
    x3 = vmirror(I)
    O = branch(x1, x2, x3)
    return O


# Cells alike in all three panels stay, the others turn black.
def solve_all_three_agree(I):
    x1 = hsplit(I, THREE)
    x2 = first(x1)
    x3 = remove(x2, x1)
    x4 = first(x3)
    x5 = last(x1)
    x6 = cellwise(x2, x4, ZERO)
    O = cellwise(x6, x5, ZERO)
    return O


# Rows are sorted by their number of different colours.
def solve_rows_by_variety(I):
    x1 = compose(size, dedupe)
    O = order(I, x1)
    return O


# The colours of the objects in a row, as they follow from left to right.
def solve_colors_left_to_right(I):
    x1 = objects(I, T, F, T)
    x2 = order(x1, leftmost)
    x3 = apply(color, x2)
    O = repeat(x3, ONE)
    return O


# Every colour becomes the one after it.
def solve_next_color(I):
    x1 = lbind(apply, increment)
    O = apply(x1, I)
    return O


# Every row takes on its most common colour.
def solve_row_majority(I):
    x1 = fork(repeat, mostcommon, size)
    O = apply(x1, I)
    return O


# Every object takes on the colour numbered by its height.
def solve_color_by_height(I):
    x1 = objects(I, T, F, T)
    x2 = fork(recolor, height, identity)
    x3 = mapply(x2, x1)
    O = paint(I, x3)
    return O


# The most and the least common colour change places.
def solve_swap_most_least(I):
    x1 = mostcolor(I)
    x2 = leastcolor(I)
    O = switch(I, x1, x2)
    return O


# A square in the least common colour, as wide as there are colours.
def solve_palette_square(I):
    x1 = numcolors(I)
    x2 = astuple(x1, x1)
    x3 = leastcolor(I)
    O = canvas(x3, x2)
    return O


# The tallest object is cut out.
def solve_crop_tallest(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, height)
    O = subgrid(x2, I)
    return O


# Straight upright bars turn light blue.
def solve_mark_upright_bars(I):
    x1 = objects(I, T, F, T)
    x2 = mfilter(x1, vline)
    O = fill(I, EIGHT, x2)
    return O


# The half turn of the grid is put to its right.
def solve_half_turn_right(I):
    x1 = rot180(I)
    O = hconcat(I, x1)
    return O


# The grid, its transpose and its half turn, one below the other.
def solve_stack_of_turns(I):
    x1 = dmirror(I)
    x2 = rot180(I)
    x3 = vconcat(I, x1)
    O = vconcat(x3, x2)
    return O


# The grid is mirrored along the rising diagonal.
def solve_anti_diagonal(I):
    O = cmirror(I)
    return O


# The grid becomes as many times wider as it has red cells.
def solve_stretch_by_red(I):
    x1 = colorcount(I, TWO)
    O = hupscale(I, x1)
    return O


# The block doubles in size, its upper left corner fixed.
def solve_swell_block(I):
    x1 = objects(I, F, F, T)
    x2 = first(x1)
    x3 = upscale(x2, TWO)
    O = paint(I, x3)
    return O


# Four copies as a checkerboard, two of them upside down.
def solve_flip_checker(I):
    x1 = hmirror(I)
    x2 = hconcat(I, x1)
    x3 = hconcat(x1, I)
    O = vconcat(x2, x3)
    return O


# Of three panels above one another, the one unlike the others.
def solve_odd_panel_out(I):
    x1 = vsplit(I, THREE)
    O = leastcommon(x1)
    return O


# Objects at the edge of the grid disappear.
def solve_clear_edge(I):
    x1 = objects(I, T, F, T)
    x2 = rbind(bordering, I)
    x3 = mfilter(x1, x2)
    O = cover(I, x3)
    return O


# A yellow column with a cell for every object.
def solve_tally(I):
    x1 = objects(I, T, T, T)
    x2 = size(x1)
    x3 = astuple(x2, ONE)
    O = canvas(FOUR, x3)
    return O


# The object sinks by its own height.
def solve_sink_by_height(I):
    x1 = objects(I, T, F, T)
    x2 = first(x1)
    x3 = height(x2)
    x4 = toivec(x3)
    O = move(I, x2, x4)
    return O


# The middle of the box that the dots span turns green.
def solve_mark_center(I):
    x1 = leastcolor(I)
    x2 = ofcolor(I, x1)
    x3 = center(x2)
    x4 = initset(x3)
    O = fill(I, THREE, x4)
    return O


# A light blue line joins the two dots.
def solve_join_dots(I):
    x1 = leastcolor(I)
    x2 = ofcolor(I, x1)
    x3 = first(x2)
    x4 = other(x2, x3)
    x5 = connect(x3, x4)
    O = underfill(I, EIGHT, x5)
    return O


# A grey line rises through the dot.
def solve_slant_through_dot(I):
    x1 = leastcolor(I)
    x2 = ofcolor(I, x1)
    x3 = first(x2)
    x4 = shoot(x3, UP_RIGHT)
    x5 = shoot(x3, DOWN_LEFT)
    x6 = combine(x4, x5)
    O = underfill(I, FIVE, x6)
    return O


# Rows and columns of one colour fade into the most common colour.
def solve_full_lines_fade(I):
    x1 = frontiers(I)
    x2 = merge(x1)
    O = cover(I, x2)
    return O


# A green ring is drawn around the largest object.
def solve_ring_largest(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = outbox(x2)
    O = fill(I, THREE, x3)
    return O


# The second ring of every full rectangle turns yellow.
def solve_inner_rings(I):
    x1 = objects(I, T, F, T)
    x2 = mapply(inbox, x1)
    O = fill(I, FOUR, x2)
    return O


# The first horizontal period of the pattern.
def solve_one_period(I):
    x1 = asobject(I)
    x2 = hperiod(x1)
    x3 = height(I)
    x4 = astuple(x3, x2)
    O = crop(I, ORIGIN, x4)
    return O


# Black cells are restored from their mirror images across the rising diagonal.
def solve_heal_symmetry(I):
    x1 = cmirror(I)
    x2 = ofcolor(I, ZERO)
    x3 = toobject(x2, x1)
    O = paint(I, x3)
    return O


# Lines of one colour go, the rest is turned to the right.
def solve_squeeze_and_turn(I):
    x1 = compress(I)
    O = rot90(x1)
    return O
