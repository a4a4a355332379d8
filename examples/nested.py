from dsl import *
from constants import *


def solve_nested(I):
    return subgrid(argmax(objects(I, T, F, T), size), I)
