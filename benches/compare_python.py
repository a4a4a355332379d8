#!/usr/bin/env python3
"""Times arcloom beside CPython on the published arc-dsl solvers, and compares the results.

    benches/compare_python.py CHECKOUT [--tasks arc1/training] [--json] [--profile 25]

CHECKOUT is a folder with arc-dsl's `dsl.py`, `constants.py` and `solvers.py`. The tasks are whatever
`arcloom` knows under the name or path; `arcloom data pull` fetches `arc1/training`, and
ARCLOOM_DATA_DIR says where from if not the default folder. Needs cargo, and CPython 3.11 for the
figures that the project publishes (`--python` names another interpreter than the running one).

Two pieces of work, each first run once on both sides to compare every result:

own     every solver on all pairs of its own task (400 solvers, 1,718 grids), in total and without
        `a64e4611`, which alone takes most of Python's time;
cross   every solver on all pairs of ten small tasks (400 x 38 = 15,200 calls, mostly failures). The
        tasks are drawn with a fixed seed from those whose inputs all have at most 225 cells (15 x 15),
        again and again until ten have 38 pairs together. `--seed` and `--max-cells` draw others, to
        see how far the figures depend on the draw.

Both sides are then timed in turns, `--rounds` times: processor time on one thread, in the process
itself, around the calls alone, after loading. Python does one pass per round in a new process;
arcloom (the example `time_library` of the crate `arcloom`) does `--passes` passes and gives the
median, every pass with a new machine. Figures are the medians of the rounds. Beside that stands the
end-to-end time of whole processes that load, run and judge everything once: `run_arc_dsl.py` and
`arcloom check --jobs 1`.

Results may differ where CPython's order of sets decides; programs that name no order-dependent
primitive are counted apart and must not differ, except that arcloom drops unused lines and limits
the work of a call. Exits with 1 when one of those differs or a right answer of Python's is lost.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
WORKER = Path(__file__).resolve().with_name("run_arc_dsl.py")
SLOWEST = "a64e4611"
CROSS_TASKS = 10
CROSS_PAIRS = 38
FAILED = ("failed",)
KINDS = ["equal_values", "both_failed", "values_differ", "only_python_failed", "only_arcloom_failed"]


@dataclass
class Spent:
    """What a whole process took."""

    cpu: float
    wall: float
    output: str = field(repr=False)


@dataclass
class Tools:
    """The commands that are compared."""

    python: str
    checkout: Path
    time_library: str
    arcloom: str
    env: dict[str, str]

    def worker(self, tasks: Path, mode: str, *more: str) -> Spent:
        """One pass of Python over the work in a new process."""
        command = [self.python, str(WORKER), str(self.checkout), str(tasks), mode, *more]
        return run_timed(command, self.env)

    def rust(self, tasks: Path, mode: str, *more: str) -> dict[str, Any]:
        """The report of the Rust side on the same work."""
        cross = ["--cross"] if mode == "cross" else []
        solvers = str(self.checkout / "solvers.py")
        command = [self.time_library, solvers, str(tasks), *cross, *more]
        return json.loads(run_timed(command, self.env).output)

    def check(self, tasks: Path, mode: str) -> Spent:
        """`arcloom check` of the same work as a whole process."""
        cross = ["--all-tasks"] if mode == "cross" else []
        solvers = str(self.checkout / "solvers.py")
        command = [self.arcloom, "check", solvers, "--tasks", str(tasks), "--jobs", "1", *cross]
        return run_timed([*command, "--quiet"], self.env, good=(0, 1))


def run_timed(command: list[str], env: dict[str, str], good: tuple[int, ...] = (0,)) -> Spent:
    """Runs a command to its end; its output, elapsed time and processor time."""
    start = time.perf_counter()
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    if process.returncode not in good:
        sys.exit(f"exit code {process.returncode}: {' '.join(command)}")
    return Spent(usage.ru_utime + usage.ru_stime, wall, output)


def build(target: str, *selection: str) -> str:
    """Builds a release executable with cargo; its path."""
    command = ["cargo", "build", "--release", "--message-format=json-render-diagnostics", *selection]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"cannot build {target}")
    messages = map(json.loads, done.stdout.splitlines())
    paths = [m["executable"] for m in messages if m.get("executable") and m["target"]["name"] == target]
    return paths[-1]


def draw_tasks(tasks: dict[str, Any], seed: int, max_cells: int) -> list[str]:
    """Ten small tasks with 38 pairs together."""

    def cells(grid: list[list[int]]) -> int:
        return len(grid) * len(grid[0])

    def pairs(name: str) -> list[Any]:
        return tasks[name]["train"] + tasks[name]["test"]

    small = [n for n in sorted(tasks) if max(cells(p["input"]) for p in pairs(n)) <= max_cells]
    draw = random.Random(seed)
    for _ in range(10_000 if len(small) >= CROSS_TASKS else 0):
        names = sorted(draw.sample(small, CROSS_TASKS))
        if sum(len(pairs(name)) for name in names) == CROSS_PAIRS:
            return names
    sys.exit(f"found no {CROSS_TASKS} small tasks with {CROSS_PAIRS} pairs together")


def decode(value: Any) -> Any:
    """A result read back as Python's own value; all failures are alike."""
    if isinstance(value, list):
        return tuple(decode(item) for item in value)
    if isinstance(value, dict):
        if "set" in value:
            return frozenset(decode(item) for item in value["set"])
        return FAILED if "fail" in value else tuple(value.items())
    return value


def outcome(left: Any, right: Any) -> str:
    """What Python's result beside arcloom's is counted as."""
    if left == right:
        return "both_failed" if left == FAILED else "equal_values"
    if left == FAILED:
        return "only_python_failed"
    return "only_arcloom_failed" if right == FAILED else "values_differ"


def compare(python: Path, rust: Path, order_independent: set[str]) -> dict[str, Any]:
    """Counts where two files of results agree, and lists where they do not."""
    counts: Counter[str] = Counter()
    differing = []
    with python.open() as python_lines, rust.open() as rust_lines:
        for python_line, rust_line in zip(python_lines, rust_lines, strict=True):
            *key, left = json.loads(python_line)
            *rust_key, right = json.loads(rust_line)
            if key != rust_key:
                sys.exit(f"the sides did not run the same calls: {key} and {rust_key}")
            reason = right.get("fail") if isinstance(right, dict) else None
            left, right = decode(left), decode(right)
            kind = outcome(left, right)
            counts[kind] += 1
            if left != right:
                call = {"program": key[0], "task": key[1], "pair": key[2], "kind": kind}
                by_order = key[0] not in order_independent
                differing.append({**call, "reason": reason, "order_dependent": by_order})
    unexplained = sum(not call["order_dependent"] for call in differing)
    return {
        "calls": counts.total(),
        **{kind: counts[kind] for kind in KINDS},
        "differ": len(differing),
        "differ_without_order": unexplained,
        "differing": differing,
    }


def compare_work(tools: Tools, tasks: Path, mode: str, scratch: Path) -> dict[str, Any]:
    """Runs the work once on both sides and compares all results."""
    files = [scratch / f"{side}-{mode}.jsonl" for side in ("python", "arcloom")]
    python = json.loads(tools.worker(tasks, mode, "--results", str(files[0])).output)
    rust = tools.rust(tasks, mode, "--results", str(files[1]))
    report = compare(*files, set(rust["order_independent"]))
    sides = {"python": python, "arcloom": rust}
    for count in ("failures", "right"):
        report[count] = {side: figures[count] for side, figures in sides.items()}
    report["over_budget"] = rust["over_budget"]
    return report


def time_work(tools: Tools, tasks: Path, mode: str, rounds: int, passes: int) -> dict[str, Any]:
    """Times the work on both sides in turns; medians of the rounds."""
    seen: dict[str, list[float]] = {}

    def note(name: str, seconds: float) -> None:
        seen.setdefault(name, []).append(seconds)

    for _ in range(rounds):
        whole = tools.worker(tasks, mode)
        python = json.loads(whole.output)
        note("python", python["cpu_seconds"])
        note("python_end_to_end_cpu", whole.cpu)
        note("python_end_to_end_wall", whole.wall)
        rust = tools.rust(tasks, mode, "--repeats", str(passes))
        note("arcloom", rust["cpu_seconds_median"])
        note("arcloom_min", rust["cpu_seconds_min"])
        note("arcloom_first_pass", rust["cpu_seconds_first"])
        if mode == "own":
            without = tools.rust(tasks, mode, "--repeats", str(passes), "--skip", SLOWEST)
            slowest = python["cpu_seconds_by_program"].get(SLOWEST, 0.0)
            note("python_without_slowest", python["cpu_seconds"] - slowest)
            note("arcloom_without_slowest", without["cpu_seconds_median"])
        for _ in range(3):
            check = tools.check(tasks, mode)
            note("arcloom_end_to_end_cpu", check.cpu)
            note("arcloom_end_to_end_wall", check.wall)
    return {"calls": python["calls"], **{k: statistics.median(v) for k, v in seen.items()}}


def describe_machine(python: str) -> dict[str, Any]:
    """What the figures were measured on and with."""

    def first_line(*command: str) -> str:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        return (done.stdout.strip().splitlines() or ["unknown"])[0]

    cpuinfo = Path("/proc/cpuinfo")
    model = re.search(r"model name\s*:\s*(.*)", cpuinfo.read_text()) if cpuinfo.exists() else None
    ask = "import platform as p; print(p.python_implementation(), p.python_version())"
    return {
        "date": datetime.date.today().isoformat(),
        "processor": model[1] if model else platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.release()}",
        "python": first_line(python, "-c", ask),
        "rustc": first_line("rustc", "--version"),
        "arcloom": first_line("git", "describe", "--always", "--dirty"),
        "load_at_start": round(os.getloadavg()[0], 1),
    }


def seconds(value: float) -> str:
    """Seconds for a table, three digits."""
    return f"{value:.2f} s" if value >= 1 else f"{value * 1e3:.3g} ms"


def print_report(report: dict[str, Any]) -> None:
    """The report for people."""
    machine = report["machine"]
    print(f"arcloom {machine['arcloom']} beside arc-dsl under {machine['python']}, {machine['date']}")
    print(f"{machine['processor']}, {machine['cores']} cores, {machine['system']}, {machine['rustc']}, "
          f"load {machine['load_at_start']}")
    print("\nResults")
    for mode, same in report["results"].items():
        agree = same["calls"] - same["differ"]
        right = same["right"]
        print(f"  {mode:6} {same['calls']:6,} calls: {agree:,} agree ({same['both_failed']:,} failures), "
              f"{same['differ']:,} differ ({same['values_differ']} values, "
              f"{same['only_python_failed']} fail in Python alone, "
              f"{same['only_arcloom_failed']} in arcloom alone, {same['over_budget']} over budget)")
        print(f"         right: {right['python']:,} in Python, {right['arcloom']:,} in arcloom; "
              f"{same['differ_without_order']} differ without an order-dependent primitive")

    own, cross = report["times"]["own"], report["times"]["cross"]
    rows = [
        ("own grids", own["calls"], own["python"], own["arcloom"]),
        (f"  without {SLOWEST}", None, own["python_without_slowest"], own["arcloom_without_slowest"]),
        ("ten tasks x all", cross["calls"], cross["python"], cross["arcloom"]),
    ]
    print("\nProcessor time, one thread, after loading")
    print(f"  {'work':22}{'calls':>8}{'Python':>12}{'arcloom':>12}{'ratio':>9}")
    for name, calls, python, rust in rows:
        count = "" if calls is None else f"{calls:,}"
        print(f"  {name:22}{count:>8}{seconds(python):>12}{seconds(rust):>12}{python / rust:>8.0f}x")
    rates = [cross["calls"] / cross[side] for side in ("python", "arcloom")]
    print(f"  ten tasks: {rates[0]:,.0f} calls per second in Python, {rates[1]:,.0f} in arcloom; "
          f"tasks {' '.join(report['cross_tasks'])}")
    print(f"  fastest passes of arcloom: {seconds(own['arcloom_min'])}, {seconds(cross['arcloom_min'])}; "
          f"first passes: {seconds(own['arcloom_first_pass'])}, "
          f"{seconds(cross['arcloom_first_pass'])}")

    print("\nWhole processes, loading and judging included")
    print(f"  {'work':22}{'':8}{'Python':>12}{'arcloom':>12}{'ratio':>9}")
    for name, times in (("own grids", own), ("ten tasks x all", cross)):
        for kind in ("cpu", "wall"):
            python, rust = times[f"python_end_to_end_{kind}"], times[f"arcloom_end_to_end_{kind}"]
            label = f"{name}, {kind}"
            print(f"  {label:30}{seconds(python):>12}{seconds(rust):>12}{python / rust:>8.0f}x")

    for mode, rows in report["profile"].items():
        total = sum(row["ns"] for row in rows)
        print(f"\nTime by primitive, {mode} (functions called by a primitive count as its own time)")
        print(f"  {'primitive':16}{'calls':>9}{'ns/call':>10}{'ms':>9}{'share':>8}")
        for row in rows[: report["profile_rows"]]:
            print(f"  {row['name']:16}{row['calls']:>9,}{row['ns_per_call']:>10,.0f}"
                  f"{row['ns'] / 1e6:>9.2f}{row['ns'] / total:>8.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0], epilog="The file's header says what is measured."
    )
    parser.add_argument("checkout", type=Path, help="folder of an arc-dsl checkout")
    parser.add_argument("--tasks", default="arc1/training", help="task set or path [%(default)s]")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of text")
    parser.add_argument("--rounds", type=int, default=3, help="timed turns of both sides [%(default)s]")
    parser.add_argument("--passes", type=int, default=41, help="arcloom's passes per turn [%(default)s]")
    parser.add_argument("--seed", type=int, default=2019, help="of the draw of tasks [%(default)s]")
    parser.add_argument("--max-cells", type=int, default=225, metavar="N", help="largest input of the "
                        "drawn tasks [%(default)s]")
    parser.add_argument("--profile", type=int, default=25, metavar="ROWS", help="rows of the tables by "
                        "primitive, 0 for none [%(default)s]")
    parser.add_argument("--python", default=sys.executable, help="interpreter to compare with")
    args = parser.parse_args()
    checkout = args.checkout.resolve()
    if not (checkout / "solvers.py").is_file():
        parser.error(f"{checkout} has no solvers.py; give the folder of an arc-dsl checkout")

    with tempfile.TemporaryDirectory(prefix="arcloom-compare-") as name:
        scratch = Path(name)
        # Python keeps its compiled files, but not in the checkout.
        env = {**os.environ, "PYTHONPYCACHEPREFIX": str(scratch / "pycache")}
        time_library = build("time_library", "--package", "arcloom", "--example", "time_library")
        arcloom = build("arcloom", "--package", "arcloom-cli", "--bin", "arcloom")
        tools = Tools(args.python, checkout, time_library, arcloom, env)

        files = {mode: scratch / f"{mode}.json" for mode in ("own", "cross")}
        tasks = "arc1/training" if args.tasks == "arc1" else args.tasks
        dump = [time_library, "-", tasks, "--dump-tasks", str(files["own"])]
        run_timed(dump, env)
        loaded = json.loads(files["own"].read_text())
        drawn = draw_tasks(loaded, args.seed, args.max_cells)
        files["cross"].write_text(json.dumps({name: loaded[name] for name in drawn}))

        report: dict[str, Any] = {
            "machine": describe_machine(args.python),
            "cross_tasks": drawn,
            "results": {m: compare_work(tools, f, m, scratch) for m, f in files.items()},
            "times": {m: time_work(tools, f, m, args.rounds, args.passes) for m, f in files.items()},
            "profile_rows": args.profile,
            "profile": {
                m: tools.rust(f, m, "--profile")["by_primitive"] for m, f in files.items() if args.profile
            },
        }
    if args.json:
        print(json.dumps(report))
    else:
        print_report(report)
    results = report["results"]
    lost = results["own"]["right"]["arcloom"] < results["own"]["right"]["python"]
    if lost or any(same["differ_without_order"] for same in results.values()):
        sys.exit(1)


if __name__ == "__main__":
    main()
