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
NO_RAY = 0
LEFT_AND_RIGHT = 8
UP_AND_DOWN = 9
FOUR_SIDES = 10
FOUR_CORNERS = 11
EIGHT_WAYS = 12
LENGTHWISE = 13
CROSSWISE = 14
TO_MARK = 15
FROM_MARK = 16
TO_HEAVY_SIDE = 17
FROM_HEAVY_SIDE = 18
TO_NEAREST_RIM = 19
FROM_NEAREST_RIM = 20
TO_NEAREST = 21
FROM_NEAREST = 22
TO_LARGEST = 23
FROM_LARGEST = 24
TO_SAME_COLOR = 25
FROM_SAME_COLOR = 26
TO_TOUCHING = 27
FROM_TOUCHING = 28
WHOLE_FRONT = 0
MIDDLE_OF_FRONT = 1
ITS_CENTER = 2
ITS_MARK = 3
COPIES = 4
COPIES_APART = 5
COPIES_WITHIN = 6
OWN_COLOR = 0
ITS_RAREST_COLOR = 10
COLOR_MET = 11
UNDER_THINGS = 0
OVER_THINGS = 1
UNTIL_MET = 2
ONLY_UNTIL_MET = 3
BOUNCING = 4
TURNING_RIGHT = 5
TURNING_LEFT = 6
ONE_LONG = 7
TWO_LONG = 8
THREE_LONG = 9
OWN_SIZE_LONG = 10
OWN_AREA_LONG = 11
ITS_COLORS_LONG = 12


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
    if not 0 <= action <= 65535:
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


def ray(heading, source, color, end):
    if isinstance(heading, tuple):
        heading = sheet_steps().index(heading)
    if not (0 <= heading <= 28 and 0 <= source <= 6 and 0 <= color <= 11 and 0 <= end <= 12):
        raise ValueError("no such ray")
    return 1 + ((heading * 7 + source) * 12 + color) * 13 + end


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
