"""A batt written as Python gives, under Python, exactly what its source programs give.

Usage: batt_python.py CHECKOUT [--programs FILE] [--count 32] [--seed 0] [--tasks 20]
                      [--task-set arc1/training] [--arcloom PATH] [--time-library PATH] [--skip ID,ID]

CHECKOUT is an arc-dsl checkout. Programs and tasks are drawn by the seed; `arcloom card --python`
merges the programs into one function, which runs beside the sources, in the same Python, on every
input of the tasks. Values must be equal and failures must meet failures. Where the example
`time_library` is at hand, arcloom's own results are compared too: those may differ where a program
uses a primitive marked order-dependent, because CPython walks sets by hash.

The commands are taken from CARGO_TARGET_DIR (or `target`), release before debug.
"""

import argparse
import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import ModuleType


def load(path: Path, name: str) -> ModuleType:
    """A module from a file."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def find(name: str) -> Path | None:
    """A built command, release before debug."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", "target"))
    found = [target / profile / name for profile in ("release", "debug")]
    return next((path for path in found if path.exists()), None)


def grid(rows: list) -> tuple:
    return tuple(tuple(row) for row in rows)


def outcome(function, samples, rows):
    """What a program gives, or the exception that it raises."""
    arguments = (rows,) if function.__code__.co_argcount == 1 else (samples, rows, None)
    try:
        return function(*arguments)
    except Exception as error:
        return error


def same(a, b) -> bool:
    """Equal values, or two failures. Functions count as equal: each run builds its own."""
    if isinstance(a, Exception) or isinstance(b, Exception):
        return isinstance(a, Exception) and isinstance(b, Exception)
    return a == b or (callable(a) and callable(b))


def plain(value):
    """A value as `time_library` writes it."""
    if isinstance(value, Exception):
        return "fail"
    if isinstance(value, int):
        return int(value)
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    if isinstance(value, frozenset):
        return {"set": sorted((plain(item) for item in value), key=json.dumps)}
    return {"function": True} if callable(value) else None


def ours(value):
    """A value that `time_library` wrote, with the elements of sets in the order of `plain`."""
    if isinstance(value, list):
        return [ours(item) for item in value]
    if isinstance(value, dict) and "set" in value:
        return {"set": sorted((ours(item) for item in value["set"]), key=json.dumps)}
    return "fail" if isinstance(value, dict) and "fail" in value else value


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--programs", type=Path)
    parser.add_argument("--count", type=int, default=32)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tasks", type=int, default=20)
    parser.add_argument("--task-set", default="arc1/training")
    parser.add_argument("--arcloom", type=Path, default=find("arcloom"))
    parser.add_argument("--time-library", type=Path, default=find("examples/time_library"))
    parser.add_argument("--skip", default="", help="tasks whose programs are too slow under Python")
    args = parser.parse_args()
    if args.arcloom is None:
        parser.error("no arcloom binary: build it with `cargo build`, or name it with --arcloom")
    source_file = args.programs or args.checkout / "solvers.py"
    sys.path.insert(0, str(args.checkout))
    # re-arc's verifiers expect the constants from `dsl`; the original keeps them apart.
    import constants
    import dsl

    for name, value in vars(constants).items():
        if name.isupper():
            setattr(dsl, name, value)
    source = load(source_file, "source")
    functions = {n: f for n, f in vars(source).items() if n.startswith(("solve_", "verify_"))}
    for skipped in args.skip.split(","):
        functions = {n: f for n, f in functions.items() if not n.endswith("_" + skipped)}
    draw = random.Random(args.seed)
    names = sorted(draw.sample(sorted(functions), min(args.count, len(functions))))

    with tempfile.TemporaryDirectory() as folder:
        exported = Path(folder) / "batt.py"
        command = [args.arcloom, "card", source_file, "--ids", ",".join(names), "--python", exported]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        batt = load(exported, "exported_batt").batt
        tasks_file = Path(folder) / "tasks.json"
        if args.time_library is None:
            parser.error("no time_library: `cargo build -p arcloom --example time_library`")
        dump = [args.time_library, source_file, args.task_set, "--dump-tasks", tasks_file]
        subprocess.run(dump, check=True)
        tasks = json.loads(tasks_file.read_text())
        chosen = sorted(draw.sample(sorted(tasks), min(args.tasks, len(tasks))))
        tasks_file.write_text(json.dumps({task: tasks[task] for task in chosen}))
        # Only the drawn programs, so that arcloom does no work nobody looks at.
        skip = ",".join(n.split("_", 1)[1] for n in functions if n not in names) or "-"
        if args.skip:
            skip += "," + args.skip
        all_results = Path(folder) / "results.jsonl"
        run = [args.time_library, source_file, tasks_file, "--cross", "--skip", skip]
        report = subprocess.run([*run, "--results", all_results], check=True, capture_output=True)
        independent = set(json.loads(report.stdout)["order_independent"])
        with open(all_results) as file:
            results = {tuple(row[:3]): ours(row[3]) for row in map(json.loads, file)}

    calls = differ = failed = agree = traced = 0
    seconds = {"sources": 0.0, "batt": 0.0}
    unexplained = []
    for task in chosen:
        samples = tuple((grid(p["input"]), grid(p["output"])) for p in tasks[task]["train"])
        for n, pair in enumerate(tasks[task]["train"] + tasks[task]["test"]):
            rows = grid(pair["input"])
            start = time.process_time()
            alone = {name: outcome(functions[name], samples, rows) for name in names}
            middle = time.process_time()
            together = batt(samples, rows)
            seconds["sources"] += middle - start
            seconds["batt"] += time.process_time() - middle
            for name in names:
                calls += 1
                failed += isinstance(alone[name], Exception)
                if not same(alone[name], together[name]):
                    differ += 1
                    print(f"differs: {name} on {task}:{n}: {alone[name]!r} and {together[name]!r}")
                if plain(alone[name]) == results[(name, task, n)]:
                    agree += 1
                elif name not in independent:
                    traced += 1
                else:
                    unexplained.append((name, task, n))
    print(
        f"{len(names)} programs, {len(chosen)} tasks, {calls} calls of which {failed} fail: "
        f"batt and sources differ on {differ}"
    )
    print(f"CPU seconds: sources {seconds['sources']:.2f}, batt {seconds['batt']:.2f}")
    print(
        f"arcloom agrees with Python on {agree}; {traced} others use an order-dependent primitive; "
        f"{len(unexplained)} unexplained"
    )
    for name, task, n in unexplained[:20]:
        print(f"  unexplained: {name} on {task}:{n}")
    return 1 if differ or unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
