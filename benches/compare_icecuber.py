#!/usr/bin/env python3
"""Solves the same tasks with icecuber's solver and with `arcloom solve`, one core each, and compares.

    benches/compare_icecuber.py --icecuber DIR --tasks FILE.json [--depth 2] [--count 100 --seed 7]
        [--budget 0.4,15] [--programs SPEC ...] [--folds] [--curve curve.svg] [--json out.json]

DIR is a checkout of top-quarks/ARC-solution with its `run` built with -O3. FILE.json has task ids as
keys, each with `train` and `test` pairs. Test outputs are hidden from both solvers: icecuber gets
files in which they are replaced by a blank, arcloom does not read them outside its report, and both
are judged here. Two attempts; a task counts when all its test outputs are right. Times are
processor time of the solving processes.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path


def cpu_of(command, **kwargs):
    """Runs a command; returns its processor time in seconds and its peak memory in MB."""
    process = subprocess.Popen(command, **kwargs)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode


def grid_of(text):
    return [[int(c) for c in row] for row in text.strip("|").split("|")]


def icecuber(home, tasks, depth):
    """Per task: whether two attempts are right, processor seconds."""
    results = {}
    for number, (name, task) in enumerate(sorted(tasks.items())):
        with tempfile.TemporaryDirectory() as place:
            place = Path(place)
            (place / "dataset/evaluation").mkdir(parents=True)
            (place / "output").mkdir()
            blind = {"train": task["train"],
                     "test": [{"input": t["input"], "output": [[0]]} for t in task["test"]]}
            (place / f"dataset/evaluation/{name}.json").write_text(json.dumps(blind))
            right, seconds, memory = True, 0.0, 0.0
            for k, test in enumerate(task["test"]):
                spent, peak, _ = cpu_of([str(home / "run"), str(k), str(depth)], cwd=place,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                seconds, memory = seconds + spent, max(memory, peak)
                answer = place / f"output/answer_{k}_{depth}.csv"
                lines = answer.read_text().splitlines()[1:3] if answer.exists() else []
                right &= any(grid_of(line.split()[0]) == test["output"] for line in lines)
            results[name] = (right, seconds, memory)
        print(f"\ricecuber {number + 1}/{len(tasks)}", end="", file=sys.stderr)
    print(file=sys.stderr)
    return results


def arcloom(binary, tasks, budget, programs, extra):
    """Per task: whether two attempts are right; and seconds and memory of the whole run."""
    with tempfile.TemporaryDirectory() as place:
        challenges = Path(place) / "challenges.json"
        blind = {name: {"train": task["train"], "test": [{"input": t["input"]} for t in task["test"]]}
                 for name, task in tasks.items()}
        challenges.write_text(json.dumps(blind))
        submission = Path(place) / "submission.json"
        command = [binary, "solve", str(challenges), "--jobs", "1", "--budget", f"{budget}s/task",
                   "--submission", str(submission), "--quiet", *extra]
        for spec in programs:
            command += ["--programs", spec]
        seconds, memory, code = cpu_of(command, stdout=subprocess.DEVNULL)
        if code != 0:
            raise SystemExit(f"`{' '.join(command)}` ended with {code}")
        answers = json.loads(submission.read_text())
    right = {name: all(any(attempt[key] == test["output"] for key in ("attempt_1", "attempt_2"))
                       for attempt, test in zip(answers[name], task["test"]))
             for name, task in tasks.items()}
    return right, seconds, memory


def draw_curve(path, points, tasks):
    """Tasks solved against processor seconds per task, on a logarithmic axis."""
    import math
    width, height, left, bottom = 640, 400, 60, 50
    times = [t for series in points.values() for t, _ in series]
    low, high = math.log10(min(times)) - 0.1, math.log10(max(times)) + 0.1
    top = max(n for series in points.values() for _, n in series) * 1.1
    x = lambda t: left + (math.log10(t) - low) / (high - low) * (width - left - 20)
    y = lambda n: height - bottom - n / top * (height - bottom - 20)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
             'font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for tick in range(math.floor(low), math.ceil(high) + 1):
        for step in (1, 2, 5):
            t = step * 10.0 ** tick
            if low <= math.log10(t) <= high:
                parts.append(f'<line x1="{x(t):.1f}" x2="{x(t):.1f}" y1="20" y2="{height - bottom}" '
                             f'stroke="#ddd"/><text x="{x(t):.1f}" y="{height - bottom + 16}" '
                             f'text-anchor="middle">{t:g}</text>')
    for n in range(0, int(top) + 1, max(1, int(top / 6) // 5 * 5 or 5)):
        parts.append(f'<line x1="{left}" x2="{width - 20}" y1="{y(n):.1f}" y2="{y(n):.1f}" '
                     f'stroke="#ddd"/><text x="{left - 6}" y="{y(n) + 4:.1f}" '
                     f'text-anchor="end">{n}</text>')
    for color, (name, series) in zip(("#0969da", "#cf222e", "#1a7f37"), points.items()):
        line = " ".join(f"{x(t):.1f},{y(n):.1f}" for t, n in series)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{x(t):.1f}" cy="{y(n):.1f}" r="3" fill="{color}"/>' for t, n in series]
        t, n = series[-1]
        parts.append(f'<text x="{x(t) - 8:.1f}" y="{y(n) - 8:.1f}" text-anchor="end" '
                     f'fill="{color}">{name}</text>')
    parts.append(f'<text x="{(width + left) / 2}" y="{height - 12}" text-anchor="middle">processor '
                 f'seconds per task</text><text x="14" y="{height / 2}" text-anchor="middle" '
                 f'transform="rotate(-90 14 {height / 2})">tasks solved of {tasks}</text></svg>')
    Path(path).write_text("\n".join(parts))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--icecuber", type=Path, help="checkout with `run` built")
    parser.add_argument("--tasks", type=Path, required=True)
    parser.add_argument("--key", help="take this member of the file, for files of several sets")
    parser.add_argument("--depth", default="2", help="icecuber's depths, separated by commas")
    parser.add_argument("--count", type=int)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--budget", default="0.4", help="seconds per task, separated by commas")
    parser.add_argument("--programs", nargs="*", default=[])
    parser.add_argument("--folds", action="store_true")
    parser.add_argument("--arcloom", default="target/release/arcloom")
    parser.add_argument("--curve", type=Path)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()

    tasks = json.loads(args.tasks.read_text())
    if args.key:
        tasks = tasks[args.key]
    names = sorted(tasks)
    if args.count:
        random.Random(args.seed).shuffle(names)
        names = names[:args.count]
    tasks = {name: tasks[name] for name in names}

    rows, curves, solved = [], {}, {}
    extra = ["--folds"] if args.folds else []
    for budget in args.budget.split(","):
        right, seconds, memory = arcloom(args.arcloom, tasks, budget, args.programs, extra)
        rows.append((f"arcloom {budget}", sum(right.values()), seconds, memory))
        curves.setdefault("arcloom", []).append((seconds / len(tasks), sum(right.values())))
        solved[f"arcloom {budget}"] = sorted(n for n in right if right[n])
    if args.icecuber:
        for depth in args.depth.split(","):
            result = icecuber(args.icecuber, tasks, depth)
            seconds = sum(r[1] for r in result.values())
            count = sum(r[0] for r in result.values())
            rows.append((f"icecuber {depth}", count, seconds, max(r[2] for r in result.values())))
            curves.setdefault("icecuber", []).append((seconds / len(tasks), count))
            solved[f"icecuber {depth}"] = sorted(n for n in result if result[n][0])
    print(f"{len(tasks)} tasks, two attempts, all outputs right")
    print(f"{'':16} {'solved':>7} {'CPU s':>9} {'s/task':>8} {'peak MB':>8}")
    for name, count, seconds, memory in rows:
        print(f"{name:16} {count:7} {seconds:9.1f} {seconds / len(tasks):8.3f} {memory:8.0f}")
    if args.curve:
        draw_curve(args.curve, {n: sorted(s) for n, s in curves.items()}, len(tasks))
    if args.json:
        args.json.write_text(json.dumps({"rows": rows, "solved": solved}))


if __name__ == "__main__":
    main()
