#!/usr/bin/env python3
"""Times `arcloom run` beside CPython: many programs on many grids, one core, processor time.

    benches/compare_batt.py CHECKOUT [--whole] [--scale] [--times FILE] [--json]

CHECKOUT is a folder with arc-dsl's `dsl.py`, `constants.py` and `solvers.py`. Tasks come from
`arcloom data pull`; ARCLOOM_DATA_DIR says where from if not the default folder. Four pieces of work:

draw    32 solvers, drawn with a seed, on every grid of 40 drawn training tasks, both sides;
all     all 400 solvers on the grids of the same 40 tasks, both sides, then without the five solvers
        that take Python longest. Python needs hours for a few of them: `run_arc_dsl.py --times FILE --limit
        SECONDS` stops those, keeps what is done, and `--times FILE` takes such a file instead of running
        Python again; the time of a solver that was stopped, and the ratio, are then lower bounds;
whole   with `--whole`: all solvers on all 400 training tasks, arcloom alone, one thread and two;
scale   with `--scale`: ten seeded draws of 32 solvers without `a64e4611` on the 800 tasks of
        ARC-AGI-1, exact scoring and grouping, arcloom alone, the median.

arcloom's time is everything after loading and carding: evaluating every node, scoring, grouping,
ranking by right cells, cutting the best programs out. Python's is the calls alone.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from compare_python import ROOT, build, describe_machine, run_timed, seconds

LATER = ("run", "score", "group", "judge", "slice", "report", "idle")


class Arcloom:
    """`arcloom run` on the solvers of a checkout."""

    def __init__(self, path: str, programs: Path, env: dict[str, str]) -> None:
        self.path, self.programs, self.env = path, programs, env

    def run(self, *options: str, jobs: int = 1) -> dict[str, Any]:
        """The report of one run with differs switched off."""
        command = [self.path, "run", "--programs", str(self.programs), "--differs", "none", "--json"]
        command += ["--jobs", str(jobs), *options]
        report = json.loads(run_timed(command, self.env, good=(0, 1)).output)
        stages = report["timing"]["stages"]
        report["cpu"] = sum(stages[name]["cpu_seconds"] for name in LATER)
        report["wall"] = sum(stages[name]["wall_seconds"] for name in LATER)
        return report

    def best(self, *options: str, jobs: int = 1, turns: int = 3) -> dict[str, Any]:
        """The run of several that took the least processor time, or time with several threads."""
        runs = [self.run(*options, jobs=jobs) for _ in range(turns)]
        return min(runs, key=lambda run: run["cpu" if jobs == 1 else "wall"])


def python_times(worker: list[str], env: dict[str, str], scratch: Path, *options: str) -> dict[str, float]:
    """Seconds by solver, as CPython takes them."""
    times = scratch / "times.jsonl"
    subprocess.run([*worker, "--times", str(times), *options], env=env, check=True, stdout=subprocess.DEVNULL)
    return read_times(times)


def read_times(path: Path) -> dict[str, float]:
    """Seconds by solver from a file of `run_arc_dsl.py --times`."""
    return {name: time for name, _, time in map(json.loads, path.read_text().splitlines())}


def unfinished(path: Path, grids: int) -> list[str]:
    """The solvers in such a file that were stopped before they had a result for every grid."""
    return [name for name, results, _ in map(json.loads, path.read_text().splitlines()) if results < grids]


def row(name: str, grids: int, programs: int, python: float, rust: dict[str, Any]) -> dict[str, Any]:
    """One comparison."""
    return {
        "work": name,
        "grids": grids,
        "programs": programs,
        "results": grids * programs,
        "python_seconds": python,
        "arcloom_seconds": rust["cpu"],
        "ratio": python / rust["cpu"],
        "saved_by_node": rust["counts"]["saved_by_node"],
        "saved_by_value": rust["counts"]["saved_by_value"],
    }


def both_sides(args: argparse.Namespace, arcloom: Arcloom, time_library: str, scratch: Path) -> list[dict[str, Any]]:
    """The work that both sides do."""
    env, checkout = arcloom.env, args.checkout.resolve()
    whole = scratch / "all.json"
    run_timed([time_library, "-", "arc1/training", "--dump-tasks", str(whole)], env)
    tasks = json.loads(whole.read_text())
    drawn = sorted(random.Random(args.seed).sample(sorted(tasks), args.count))
    few = scratch / "few.json"
    few.write_text(json.dumps({name: tasks[name] for name in drawn}))
    grids = sum(len(tasks[name]["train"]) + len(tasks[name]["test"]) for name in drawn)
    worker = [args.python, str(ROOT / "benches/run_arc_dsl.py"), str(checkout), str(few), "cross"]
    on = ["--tasks", "arc1/training", "--ids", ",".join(drawn)]

    card = [arcloom.path, "card", str(arcloom.programs), "--count", "32", "--seed", str(args.seed), "--json", "--verbose"]
    names = [program["task"] for program in json.loads(run_timed(card, env).output)["programs"]]
    rows = []
    python = python_times(worker, env, scratch, "--only", ",".join(names))
    rust = arcloom.best(*on, "--program-ids", ",".join(names))
    rows.append(row("32 drawn", grids, len(python), sum(python.values()), rust))

    if args.times or args.all:
        python = read_times(args.times) if args.times else python_times(worker, env, scratch)
        stopped = unfinished(args.times, grids) if args.times else []
        slow = sorted(python, key=lambda name: -python[name])[:5]
        missing = sorted(set(names_of(checkout)) - set(python))
        for label, left_out in (("all", []), ("all but the slowest five", slow)):
            without = ["--without", ",".join([*left_out, *missing])] if left_out or missing else []
            rust = arcloom.best(*on, *without)
            time = sum(python[name] for name in python if name not in left_out)
            rows.append(row(label, grids, len(python) - len(left_out), time, rust))
            rows[-1]["stopped"] = [name for name in stopped if name not in left_out]
        rows[-1]["left_out"] = slow
        rows[-1]["not_timed"] = missing
    return rows


def names_of(checkout: Path) -> list[str]:
    """Task ids of the solvers in a checkout."""
    lines = (checkout / "solvers.py").read_text().splitlines()
    return [line[len("def solve_") :].split("(")[0] for line in lines if line.startswith("def solve_")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("checkout", type=Path, help="folder of an arc-dsl checkout")
    parser.add_argument("--count", type=int, default=40, help="tasks that are drawn [%(default)s]")
    parser.add_argument("--seed", type=int, default=2019, help="of the draws [%(default)s]")
    parser.add_argument("--all", action="store_true", help="all solvers under Python too: hours")
    parser.add_argument("--times", type=Path, help="Python's times of all solvers, from an earlier run")
    parser.add_argument("--whole", action="store_true", help="all solvers on all training tasks")
    parser.add_argument("--scale", action="store_true", help="ten draws of 32 solvers on 800 tasks")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.add_argument("--python", default=sys.executable, help="interpreter to compare with")
    args = parser.parse_args()
    programs = args.checkout.resolve() / "solvers.py"
    if not programs.is_file():
        parser.error(f"{args.checkout} has no solvers.py; give the folder of an arc-dsl checkout")

    report: dict[str, Any] = {"machine": describe_machine(args.python)}
    with tempfile.TemporaryDirectory(prefix="arcloom-compare-") as name:
        scratch = Path(name)
        env = {**os.environ, "PYTHONPYCACHEPREFIX": str(scratch / "pycache")}
        time_library = build("time_library", "--package", "arcloom", "--example", "time_library")
        arcloom = Arcloom(build("arcloom", "--package", "arcloom-cli", "--bin", "arcloom"), programs, env)
        report["rows"] = both_sides(args, arcloom, time_library, scratch)
        if args.whole:
            one, two = (arcloom.best("--tasks", "arc1/training", jobs=n, turns=5) for n in (1, 2))
            report["whole"] = {
                "results": one["counts"]["results"],
                "cpu_seconds": one["cpu"],
                "wall_seconds": [one["wall"], two["wall"]],
                "speed_up": one["wall"] / two["wall"],
                "fits_and_right": [one["fits_count"], one["right_count"]],
                "saved_by_node": one["counts"]["saved_by_node"],
                "saved_by_value": one["counts"]["saved_by_value"],
                "calls": one["counts"]["calls"],
                "peak_memory_bytes": one["timing"]["peak_memory_bytes"],
            }
        if args.scale:
            sets = ["--tasks", "arc1/training", "--tasks", "arc1/evaluation", "--without", "a64e4611"]
            draws = [arcloom.run(*sets, "--program-count", "32", "--seed", str(n)) for n in range(10)]
            times = sorted(run["cpu"] for run in draws)
            report["scale"] = {
                "tasks": draws[0]["task_count"],
                "grids": draws[0]["counts"]["inputs"],
                "cpu_seconds": times,
                "median": statistics.median(times),
            }
    print(json.dumps(report) if args.json else describe(report))


def describe(report: dict[str, Any]) -> str:
    """The report for people."""
    machine = report["machine"]
    lines = [f"arcloom {machine['arcloom']} beside arc-dsl under {machine['python']}, {machine['date']}", ""]
    for work in report["rows"]:
        lines.append(
            f"{work['work']:26} {work['results']:8,} results: Python {seconds(work['python_seconds'])}, "
            f"arcloom {seconds(work['arcloom_seconds'])}, {work['ratio']:.0f}x"
        )
        if work.get("stopped"):
            lines.append(f"{'':26} at least: Python was stopped in {', '.join(work['stopped'])}")
        if work.get("left_out"):
            lines.append(f"{'':26} without {', '.join(work['left_out'])}")
        if work.get("not_timed"):
            lines.append(f"{'':26} not timed under Python: {', '.join(work['not_timed'])}")
    if whole := report.get("whole"):
        one, two = whole["wall_seconds"]
        lines.append(
            f"whole training set: {whole['results']:,} results in {seconds(whole['cpu_seconds'])} of processor "
            f"time; {seconds(one)} on one thread, {seconds(two)} on two ({whole['speed_up']:.2f}x)"
        )
    if scale := report.get("scale"):
        lines.append(
            f"32 programs on {scale['tasks']} tasks, {scale['grids']:,} grids: median {seconds(scale['median'])} of "
            f"ten draws, from {seconds(scale['cpu_seconds'][0])} to {seconds(scale['cpu_seconds'][-1])}"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
