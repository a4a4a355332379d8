from dsl import *
from constants import *


def solve_anti_diagonal(I):
    O = cmirror(I)
    return O
