# The largest object is cut out. Among equals the first in the order of sets is taken; a grid
# without objects has none.
program
    x1 = objects(I, T, F, T)
    x2 = argmax(x1, size)
    O = subgrid(x2, I)

input
    001100
    001000
    000000
    222002
    022000
output
    222
    022

input
    0110
    0010
    0000
    3000
output
    11
    01

input
    000
    000
fails
    argmax: there is no such element: the container is empty or nothing matches
