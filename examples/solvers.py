"""Two programs in arc-dsl. A function's name says which task it is for.

    arcloom check examples/solvers.py
    arcloom trace examples/solvers.py:solve_ring_largest
"""

from dsl import *
from constants import *


def solve_ring_largest(I):
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    x3 = outbox(x2)
    O = fill(I, THREE, x3)
    return O


def solve_anti_diagonal(I):
    O = cmirror(I)
    return O
