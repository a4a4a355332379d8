from dsl import *
from constants import *


def solve_a(I):
    x1 = vmirror(I)
    x2 = hmirror(x1)
    O = replace(x2, TWO, THREE)
    return O


def solve_b(I):
    x1 = rot180(I)
    x2 = ofcolor(x1, TWO)
    O = fill(x1, THREE, x2)
    return O


def solve_c(I):
    x1 = multiply(TWO, THREE)
    x2 = ofcolor(I, x1)
    x3 = lambda patch: shift(combine(patch, box(patch)), ulcorner(patch))
    O = fill(I, THREE, x3(x2))
    return O
