BLACK = 0
BLUE = 1
RED = 2
GREEN = 3
YELLOW = 4
GRAY = 5
MAGENTA = 6
ORANGE = 7
CYAN = 8
BURGUNDY = 9
UP_LEFT = (-1, -1)
DOWN_RIGHT = (1, 1)
HERE = (0, 0)
VANISH = 0
KEEP = 10
STAY = 0
MOVE_TO_STAYING = 9
ALIGN_TOP_WITH_STAYING = 10
ALIGN_LEFT_WITH_STAYING = 11
WHOLE = 0
HOLES = 1
GAPS = 2
HALO = 3
CORE = 4
WIDE = 0
SQUARE = 1
TALL = 2
OUTSIDE = 10
ANY_COLOR = 11


def sheet_question(property, how, value):
    if not -(2**15) <= value < 2**15:
        raise ValueError("no such value")
    return (sheet_asked().index(property), how, value)


def is_equal(property, value):
    return sheet_question(property, 0, value)


def is_at_least(property, value):
    return sheet_question(property, 1, value)


def is_below(property, value):
    return sheet_question(property, 2, value)


def is_largest(property):
    return sheet_question(property, 3, 0)


def is_not_largest(property):
    return sheet_question(property, 4, 0)


def is_smallest(property):
    return sheet_question(property, 5, 0)


def is_not_smallest(property):
    return sheet_question(property, 6, 0)


def sheet_action(action):
    if callable(action):
        return 11 + sheet_sources().index(action)
    if not 0 <= action <= 255:
        raise ValueError("no such action")
    return action


def when(question, action):
    number, how, value = question
    if not isinstance(question, tuple):
        raise TypeError("a question is needed")
    return (number, how, value, sheet_action(action))


def otherwise(action):
    return (sheet_action(action),)


def sheet_way(direction):
    return ((0, 1), (0, -1), (1, 0), (-1, 0)).index(direction)


def move_until_blocked(direction):
    return 1 + sheet_way(direction)


def move_by_own_size(direction):
    return 5 + sheet_way(direction)


def move_by(offset):
    down, right = offset
    if not (-7 <= down <= 7 and -7 <= right <= 7):
        raise ValueError("too far")
    return 12 + 15 * (down + 7) + right + 7


def case(key, color):
    if not 0 <= color <= 10:
        raise ValueError("no such colour")
    if not isinstance(key, (int, tuple)):
        raise TypeError("a number or colours are needed")
    return (key, -1 if color == 10 else color)


def sheet_offset(offset):
    down, right = offset
    if not (-30 <= down <= 30 and -30 <= right <= 30):
        raise ValueError("too far")
    return (down, right)


def cell_is(sheet, offset, color):
    if not (0 <= sheet <= 245 and 0 <= color <= 10):
        raise ValueError("no such question")
    return (sheet, sheet_offset(offset), color)


def if_cell(question, yes, no):
    sheet, offset, color = question
    if not all(isinstance(part, (int, tuple)) for part in (yes, no)):
        raise TypeError("a tree is needed")
    return (sheet, offset, color, yes, no)


def color_in(sheet):
    if not 0 <= sheet <= 245:
        raise ValueError("no such sheet")
    return 10 + sheet


def sees(offset, color):
    if not 0 <= color <= 11:
        raise ValueError("no such colour")
    return (sheet_offset(offset), color)


def color_at(offset):
    return sheet_offset(offset)


def repaint(own, conditions, paint):
    if not isinstance(conditions, tuple):
        raise TypeError("conditions are needed")
    if isinstance(paint, tuple):
        paint = 10 + [offset if color != 10 else None for offset, color in conditions].index(paint)
    elif paint > 9:
        raise ValueError("no such colour")
    return (sheet_color(own), conditions, paint)
