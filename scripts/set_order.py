"""CPython with its sets walked in arcloom's order gives exactly what arcloom gives.

Usage: set_order.py CHECKOUT TASKS.json RESULTS.jsonl [SKIPPED,PROGRAMS]

CHECKOUT is an arc-dsl checkout. TASKS.json and RESULTS.jsonl come from the example `time_library`:

    time_library CHECKOUT/solvers.py arc1/training --only ID,ID --dump-tasks TASKS.json
    time_library CHECKOUT/solvers.py TASKS.json --cross --results RESULTS.jsonl

arc-dsl is run with `set` and `frozenset` replaced by classes that iterate in the order written down
in `crates/arcloom-value/src/order.rs`; every result, failures included, must then be arcloom's. So
whatever differs without this replacement is due to the order of sets and to nothing else.
"""

import json
import sys
from collections import Counter


def order_key(value):
    """A sort key that puts values in arcloom's order."""
    if value is None:
        return (0,)
    if isinstance(value, int):
        return (1, int(value))
    if isinstance(value, tuple):
        return (2, tuple(order_key(v) for v in value))
    if isinstance(value, OrderedFrozenSet):
        return value.key()
    return (4, id(value))


class OrderedFrozenSet(frozenset):
    """A frozenset that iterates in ascending order; the order is worked out once."""

    def items(self) -> list:
        if not hasattr(self, "_items"):
            self._items = sorted(frozenset.__iter__(self), key=order_key)
        return self._items

    def key(self) -> tuple:
        if not hasattr(self, "_key"):
            self._key = (3, tuple(order_key(v) for v in self.items()))
        return self._key

    def __iter__(self):
        return iter(self.items())

    def __and__(self, other):
        return OrderedFrozenSet(frozenset.__and__(self, other))

    def __or__(self, other):
        return OrderedFrozenSet(frozenset.__or__(self, other))

    def __sub__(self, other):
        return OrderedFrozenSet(frozenset.__sub__(self, other))

    def union(self, *others):
        return OrderedFrozenSet(frozenset.union(self, *others))


class OrderedSet(set):
    """A set that iterates in ascending order."""

    def __iter__(self):
        return iter(sorted(set.__iter__(self), key=order_key))


def outcome(program, rows):
    """A program's result as JSON has it, or `None` where it raises."""
    try:
        result = program(tuple(tuple(row) for row in rows))
    except Exception:
        return None
    return json.loads(json.dumps(result)) if isinstance(result, tuple) else str(result)


def main() -> int:
    checkout, tasks_file, results_file = sys.argv[1:4]
    skipped = set(sys.argv[4].split(",")) if len(sys.argv) > 4 else set()
    sys.path.insert(0, checkout)
    import dsl

    dsl.frozenset, dsl.set = OrderedFrozenSet, OrderedSet
    import solvers

    with open(tasks_file) as file:
        tasks = json.load(file)
    with open(results_file) as file:
        wanted = {tuple(row[:3]): row[3] for row in map(json.loads, file)}
    calls, differing = 0, Counter()
    for name, program in vars(solvers).items():
        if not name.startswith("solve_") or name.removeprefix("solve_") in skipped:
            continue
        for task_id, task in tasks.items():
            for n, pair in enumerate(task["train"] + task["test"]):
                ours = wanted[(name, task_id, n)]
                if isinstance(ours, dict):
                    ours = None
                calls += 1
                differing[name] += outcome(program, pair["input"]) != ours
    total = differing.total()
    print(f"{calls} calls, {total} differ")
    for name, count in differing.most_common(20):
        if count:
            print(f"  {name} {count}")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
