"""Evolve with a proposer that needs no model: `python plain_proposer.py [TASK...]`.

It composes two functions of the DSL at random, prefers those that came near, and leaves out what failed: a start for a
proposer of your own.
"""
# pyright: strict

from __future__ import annotations

import random
import sys

import arcloom
from arcloom.results import Asked

UNARY = ["rot90", "rot180", "rot270", "vmirror", "hmirror", "dmirror", "cmirror", "trim", "tophalf", "lefthalf", "compress"]


class Composer:
    """Remembers, by task, which functions came first in good programs."""

    __name__ = "composer"

    def __init__(self, seed: int = 0) -> None:
        self.draw = random.Random(seed)
        self.good: dict[str, list[str]] = {}

    def __call__(self, asked: Asked) -> list[str]:
        good = self.good.setdefault(asked.task.id, list(UNARY))
        for reply in asked.last:
            if reply.kept and reply.attempt is not None:
                good += [name for name in UNARY if f"{name}(I)" in reply.text]
        texts: list[str] = []
        for _ in range(4):
            first, second = self.draw.choice(good), self.draw.choice(UNARY)
            texts.append(f"x1 = {first}(I)\nO = {second}(x1)")
        return texts


def main(*tasks: str) -> int:
    engine = arcloom.Engine()
    # Asked in turn, it makes a run that repeats.
    run = engine.evolve(["O = I"], list(tasks) or "embedded", generations=10, children=32, proposers=[Composer()], at_once=0)
    result = run.result()
    count = {one.name: one for one in run.generations[-1].operators}["composer"]
    print(f"{result.message}; the proposer gave {count.applied} texts, {count.new} of them new, {count.improving} better than the best")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
