"""Programs printed by `arcloom fmt --arc-dsl` give, under Python, exactly what their sources give.

Usage: roundtrip_python.py DSL_DIR SOURCE.py PRINTED.py TASKS.json

DSL_DIR holds arc-dsl's `dsl.py` and `constants.py`; TASKS.json is a combined task file with a
`train` split (`arc1` in the data folder). Every program runs on every pair of its task, demo and
test, from both files; results must be equal, exceptions included by their type. With `-` as SOURCE
only the printed programs run, and how many tasks they solve is said.
"""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType


def load(path: str, name: str) -> ModuleType:
    """A module from a file."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def programs(module: ModuleType) -> dict[str, object]:
    """The programs of a module by task."""
    named = {n: f for n, f in vars(module).items() if n.startswith(("solve_", "verify_"))}
    return {name.split("_", 1)[1]: function for name, function in named.items()}


def outcome(function, grid, samples):
    """What a program gives, or the type of what it raises."""
    arguments = (grid,) if function.__code__.co_argcount == 1 else (samples, grid, None)
    try:
        return function(*arguments)
    except Exception as error:
        return type(error)


def grid(rows: list) -> tuple:
    return tuple(tuple(row) for row in rows)


def main() -> int:
    dsl_dir, source, printed, tasks_file = sys.argv[1:]
    sys.path.insert(0, dsl_dir)
    # re-arc's verifiers expect the constants from `dsl`; the original keeps them apart.
    import constants
    import dsl

    for name, value in vars(constants).items():
        if name.isupper():
            setattr(dsl, name, value)
    tasks = json.loads(Path(tasks_file).read_text())["train"]
    new = programs(load(printed, "printed"))
    old = programs(load(source, "source")) if source != "-" else {}
    runs = differing = tasks_right = 0
    for task_id, function in new.items():
        task = tasks[task_id]
        samples = tuple((grid(p["input"]), grid(p["output"])) for p in task["train"])
        right = True
        for pair in task["train"] + task["test"]:
            result = outcome(function, grid(pair["input"]), samples)
            right &= result == grid(pair["output"])
            runs += 1
            if old and outcome(old[task_id], grid(pair["input"]), samples) != result:
                differing += 1
                print(f"differs: {task_id}")
        tasks_right += right
    missing = sorted(set(old) - set(new))
    print(f"{len(new)} programs, {runs} runs, {differing} differ, {len(missing)} missing, {tasks_right} tasks right")
    return 1 if differing or missing else 0


if __name__ == "__main__":
    sys.exit(main())
