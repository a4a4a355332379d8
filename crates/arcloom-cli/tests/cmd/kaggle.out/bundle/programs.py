from dsl import *
from constants import *


def solve_one(I):
    O = vmirror(I)
    return O
