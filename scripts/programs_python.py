"""Programs made by a search give, under Python, the grids that the search gave.

Usage: programs_python.py DSL_DIR PRINTED.py OUTPUTS.json

DSL_DIR holds arc-dsl's `dsl.py` and `constants.py`. PRINTED.py comes from `arcloom fmt --arc-dsl`,
OUTPUTS.json from `cargo run --example prove`: for each task its inputs with what came out.
"""

import json
import sys
from pathlib import Path

from roundtrip_python import grid, load, outcome, programs


def main() -> int:
    dsl_dir, printed, outputs = sys.argv[1:]
    sys.path.insert(0, dsl_dir)
    wanted = json.loads(Path(outputs).read_text())
    found = programs(load(printed, "printed"))
    runs = differing = 0
    for task_id, task in wanted.items():
        samples = tuple((grid(given), grid(output)) for given, output in task["demos"])
        for given, output in task["demos"] + task["tests"]:
            runs += 1
            result = outcome(found[task_id], grid(given), samples)
            if result != grid(output):
                differing += 1
                print(f"differs: {task_id}: {result}")
    print(f"{len(wanted)} programs, {runs} runs, {differing} differ")
    return 1 if differing or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
