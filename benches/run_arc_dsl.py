#!/usr/bin/env python3
"""Runs the solvers of an arc-dsl checkout on the tasks of a JSON file and times them.

    run_arc_dsl.py CHECKOUT TASKS.json own|cross [--results FILE] [--only ID,ID] [--times FILE] [--limit SECONDS]

`own` runs every solver on all pairs of its own task, `cross` every solver on all pairs of every task.
Prints one JSON object with the processor time of the calls alone, after everything is loaded. With
`--results`, every result goes into FILE, one JSON line each: [program, task, pair, value], in the
form that the example `time_library` of the crate `arcloom` writes. `--only` takes the solvers of these
tasks alone. With `--times`, each solver's time goes into FILE as soon as it is known, one JSON line
each: a whole library on many tasks takes hours. With `--limit`, a solver that has used so much
processor time is stopped, and the results it has are counted: its time is then a lower bound.

This is the Python half of `compare_python.py`; the checkout is imported, nothing of it is copied.
"""

from __future__ import annotations

import argparse
import importlib
import json
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Grid = tuple[tuple[int, ...], ...]
Solver = Callable[[Grid], Any]
PREFIX = "solve_"


class Failed:
    """A call that raised, and what."""

    def __init__(self, error: Exception) -> None:
        self.reason = type(error).__name__


def load_solvers(checkout: Path) -> dict[str, Solver]:
    """The solvers of a checkout by name, in the order of the file."""
    sys.path.insert(0, str(checkout))
    module = importlib.import_module("solvers")
    return {name: f for name, f in vars(module).items() if name.startswith(PREFIX) and callable(f)}


def load_tasks(path: Path) -> dict[str, list[tuple[Grid, Grid | None]]]:
    """The pairs of every task, demos before tests, ascending by task."""

    def grid(rows: list[list[int]] | None) -> Grid | None:
        return None if rows is None else tuple(tuple(row) for row in rows)

    tasks = json.loads(path.read_text())
    return {
        name: [(grid(p["input"]), grid(p.get("output"))) for p in task["train"] + task["test"]]
        for name, task in sorted(tasks.items())
    }


def encode(value: Any) -> Any:
    """A value as JSON: tuples as lists, sets and failures as objects."""
    match value:
        case Failed():
            return {"fail": value.reason}
        case tuple():
            return [encode(item) for item in value]
        case frozenset():
            return {"set": [encode(item) for item in value]}
        case None | int():
            return value
        case _ if callable(value):
            return {"function": True}
        case _:
            return {"other": repr(value)}


class OutOfTime(BaseException):
    """A solver has used its processor time; no `except Exception` of its own keeps it going."""


def stop(*_: object) -> None:
    raise OutOfTime


def run(solver: Solver, inputs: list[Grid], limit: float) -> list[Any]:
    """The results of a solver, as many as it has within `limit` seconds if that is not 0.

    They are dropped by the caller, like those of the Rust side.
    """
    results = []
    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, limit)
    try:
        for grid in inputs:
            try:
                results.append(solver(grid))
            except Exception as error:  # noqa: BLE001 - whatever a solver raises is its failure
                results.append(Failed(error))
    except OutOfTime:
        pass
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("tasks", type=Path)
    parser.add_argument("mode", choices=["own", "cross"])
    parser.add_argument("--results", type=Path)
    parser.add_argument("--only", type=lambda text: set(text.split(",")))
    parser.add_argument("--times", type=Path)
    parser.add_argument("--limit", type=float, default=0)
    args = parser.parse_args()

    solvers = load_solvers(args.checkout)
    if args.only:
        solvers = {name: f for name, f in solvers.items() if name.removeprefix(PREFIX) in args.only}
    tasks = load_tasks(args.tasks)
    seconds: dict[str, float] = {}
    calls = failures = right = 0
    out = args.results.open("w") if args.results else None
    times = args.times.open("w", buffering=1) if args.times else None
    for name, solver in solvers.items():
        own = name.removeprefix(PREFIX)
        names = list(tasks) if args.mode == "cross" else [own] if own in tasks else []
        pairs = [(task, n, *pair) for task in names for n, pair in enumerate(tasks[task])]
        inputs = [grid for _, _, grid, _ in pairs]

        start = time.process_time()
        results = run(solver, inputs, args.limit)
        seconds[own] = time.process_time() - start

        if times:
            print(json.dumps([own, len(results), seconds[own]]), file=times)
        calls += len(results)
        for (task, n, _, answer), result in zip(pairs[: len(results)], results, strict=True):
            failures += isinstance(result, Failed)
            right += answer is not None and result == answer
            if out:
                print(json.dumps([name, task, n, encode(result)]), file=out)
    if out:
        out.close()
    report = {
        "programs": len(solvers),
        "calls": calls,
        "cpu_seconds": sum(seconds.values()),
        "cpu_seconds_by_program": seconds,
        "failures": failures,
        "right": right,
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
