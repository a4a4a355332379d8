"""Programs made by a search give, under Python, what the search gave.

Usage: programs_python.py DSL_DIR PRINTED.py OUTPUTS.json

DSL_DIR holds arc-dsl's `dsl.py` and `constants.py`. OUTPUTS.json and the programs come from the examples
`prove` (answers to tasks) or `vectors` (every step on random sheets) of arcloom-search; PRINTED.py is what
`arcloom fmt --arc-dsl` makes of the programs. Where the search has no result, Python must raise.
"""

import json
import sys
from pathlib import Path

from roundtrip_python import load, outcome, programs


def tuples(value):
    """Lists as tuples, all the way down."""
    return tuple(tuples(item) for item in value) if isinstance(value, list) else value


def main() -> int:
    dsl_dir, printed, outputs = sys.argv[1:]
    sys.path.insert(0, dsl_dir)
    wanted = json.loads(Path(outputs).read_text())
    found = programs(load(printed, "printed"))
    runs = differing = 0
    for task_id, task in wanted.items():
        samples = tuples(task["demos"])
        for given, output in task["demos"] + task["tests"]:
            runs += 1
            result = outcome(found[task_id], tuples(given), samples)
            same = isinstance(result, type) if output is None else result == tuples(output)
            if not same:
                differing += 1
                print(f"differs: {task_id}: {result}, not {output}, on {given}")
    print(f"{len(wanted)} programs, {runs} runs, {differing} differ")
    return 1 if differing or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
