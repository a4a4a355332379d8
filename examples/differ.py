"""A differ: it grades how near a candidate is to the expected grid, from 0 to 1000, and says what is wrong.

    arcloom run --differ examples/differ.py --ids ring_largest

`S` are the pairs of the task, `I` is the candidate, `C` is the expected grid. This one looks at the cells on the border.
"""

from dsl import *
from constants import *


def differ_border(S, I, C):
    x1 = asindices(C)
    x2 = box(x1)
    x3 = toobject(x2, C)
    x4 = toobject(x2, I)
    x5 = intersection(x3, x4)
    x6 = size(x5)
    x7 = multiply(x6, 1000)
    x8 = size(x2)
    x9 = divide(x7, x8)
    x10 = difference(x3, x4)
    O = astuple(x9, x10)
    return O
