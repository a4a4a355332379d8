#!/usr/bin/env python3
"""Pairs per second of processor time: `Engine.augment` beside the generators of re-arc, task by task, in one run.

    python benches/compare_rearc.py RE_ARC_CHECKOUT [--pairs N] [--generated N] [--tasks SET]

`RE_ARC_CHECKOUT` is a checkout of github.com/michaelhodel/re-arc. The example `augment` of the crate `arcloom` is
built and run by cargo, with the programs of `library:rearc` and, as the second opinion, those of
`library:arc-dsl`; `arcloom data` says how to have both. Everything runs on one thread, and only processor time
counts. The last lines say how many times as many pairs arcloom makes.
"""

import argparse
import random
import statistics
import subprocess
import sys
import time
import types


def ours(args):
    """Pairs and seconds by task; the summary that the example prints goes to standard error."""
    command = ["cargo", "run", "--release", "-q", "-p", "arcloom", "--example", "augment", "--"]
    if args.binary:
        command = [args.binary]
    command += [args.tasks, args.programs, args.second, str(args.pairs)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    sys.stderr.write(run.stderr)
    speeds = {}
    for line in run.stdout.splitlines()[1:]:
        task, *numbers = line.split("\t")
        if len(numbers) == 5:
            speeds[task] = (int(numbers[1]), float(numbers[4]))
    return speeds


def theirs(args, tasks):
    """Pairs and seconds of re-arc's generators by task."""
    # Its utilities import what draws pictures, which nothing here needs.
    for name in ("matplotlib", "matplotlib.pyplot", "matplotlib.colors"):
        sys.modules.setdefault(name, types.ModuleType(name))
    for name in ("ListedColormap", "Normalize"):
        setattr(sys.modules["matplotlib.colors"], name, None)
    sys.path.insert(0, args.checkout)
    import generators

    speeds = {}
    for task in tasks:
        generate = getattr(generators, f"generate_{task}", None)
        if generate is None:
            continue
        random.seed(0)
        made = 0
        start = time.process_time()
        for _ in range(args.generated):
            try:
                generate(0, 1)
                made += 1
            except Exception:
                continue
        speeds[task] = (made, time.process_time() - start)
    return speeds


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout")
    parser.add_argument("--tasks", default="arc1/training")
    parser.add_argument("--programs", default="library:rearc")
    parser.add_argument("--second", default="library:arc-dsl")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--generated", type=int, default=20)
    parser.add_argument("--binary", help="the built example, instead of cargo")
    args = parser.parse_args()
    mine = ours(args)
    other = theirs(args, mine)
    ratios = []
    for task, (made, seconds) in sorted(other.items()):
        kept, took = mine[task]
        speeds = kept / max(took, 1e-6), made / max(seconds, 1e-6)
        ratios.append(speeds[0] / speeds[1])
        print(f"{task}\t{speeds[0]:.0f}\t{speeds[1]:.0f}\t{ratios[-1]:.1f}")
    total = lambda rows: sum(n for n, _ in rows) / sum(t for _, t in rows)
    rows = [mine[task] for task in other]
    print(f"tasks {len(ratios)}; arcloom {total(rows):.0f}, re-arc {total(other.values()):.0f} pairs per second, "
          f"{total(rows) / total(other.values()):.1f} times as many; median over tasks {statistics.median(ratios):.1f}")


if __name__ == "__main__":
    main()
