"""Evolve with a language model behind any endpoint that speaks OpenAI's chat protocol.

    python model_proposer.py http://localhost:8000/v1 MODEL TASK...

The model is asked for the tasks that are not solved, several at once, while evolution goes on. It is told the demos, the
best programs so far and what is wrong with them, and why its own last texts were no use. The key, where one is wanted,
is in OPENAI_API_KEY. Nothing but the standard library is used.
"""
# pyright: strict

from __future__ import annotations

import json
import os
import sys
import urllib.request

import arcloom
import arcloom.dsl as _dsl
from arcloom.results import Asked, Reply

SYSTEM = (
    "You write programs in arc-dsl that turn input grids of an ARC task into output grids. Answer with one Python function "
    "`def solve(I):` of straight lines that call functions of the DSL, in a code block. Functions: "
)


def shown(rows: list[list[int]]) -> str:
    return "\n".join("".join(map(str, row)) for row in rows)


def told(reply: Reply) -> str:
    """What became of a text of the model's, in a line."""
    if reply.error is not None:
        return f"not a program: {reply.error}"
    if reply.attempt is None:
        return "known already: write another one"
    errors = "; ".join(f"demo {demo + 1}: {why}" for demo, why in reply.attempt.errors)
    return f"fits {reply.attempt.pairs.count('1')} of {len(reply.attempt.pairs)} demos, similarity {reply.attempt.similarity:.3f} {errors}"


def question(asked: Asked) -> str:
    parts = [f"Demo {n}:\ninput\n{shown(pair.input.tolist())}\noutput\n{shown(pair.output.tolist())}" for n, pair in enumerate(asked.task.demos, 1) if pair.output]
    for attempt in asked.best[:3]:
        findings = ", ".join(f"{one.differ}: {one.value}"[:80] for one in attempt.findings[:4])
        parts.append(f"This program reaches similarity {attempt.similarity:.3f} ({findings}):\n{attempt.text}")
    parts += [f"Your last answer\n{reply.text}\nwas {told(reply)}" for reply in asked.last]
    return "\n\n".join(parts)


class Model:
    """A proposer: an object that is called with what is asked."""

    __name__ = "model"

    def __init__(self, base: str, model: str, answers: int = 2, patience: float = 120.0) -> None:
        self.url, self.model, self.answers, self.patience = f"{base.rstrip('/')}/chat/completions", model, answers, patience
        self.functions = ", ".join(name for name in dir(_dsl) if name.islower() and not name.startswith("_"))

    def __call__(self, asked: Asked) -> list[str]:
        body = {
            "model": self.model,
            "n": self.answers,
            "messages": [{"role": "system", "content": SYSTEM + self.functions}, {"role": "user", "content": question(asked)}],
        }
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', 'none')}"}
        request = urllib.request.Request(self.url, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=self.patience) as answer:
            choices = json.load(answer)["choices"]
        # Texts as they are: the engine takes the code out of them.
        return [str(choice["message"]["content"]) for choice in choices]


def main(base: str, model: str, *tasks: str) -> int:
    engine = arcloom.Engine()
    run = engine.evolve("library:embedded", list(tasks), archive="model.db", timeout=600, proposers=[Model(base, model)], every=5, at_once=4)
    for figures in run:
        print(f"generation {figures.generation}: {figures.fits} of {figures.tasks} fit", file=sys.stderr)
    result = run.result()
    for fault in run.faults:
        print(f"{fault.name}, {fault.times} times: {fault.reason}", file=sys.stderr)
    for task, program in result.found.items():
        print(f"{task}: {program.line}")
    print(result.message)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
