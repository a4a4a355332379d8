"""How many programs `arcloom eval --stdin` judges per second of one core.

    python3 benches/eval_stdin.py library:rearc target/release/arcloom [--count 20000]

Every line is another program: one of the library's with its result turned, mirrored or recoloured in
another way. Processor seconds of the whole command count, parsing and output included, less those of
starting and loading the tasks; the wall clock is beside them. Needs `arcloom data pull`.
"""

import argparse
import itertools
import json
import os
import re
import subprocess
import tempfile
import time

TURNS = ["rot90", "rot180", "rot270", "hmirror", "vmirror", "dmirror", "cmirror"]


def endings():
    """Ways to end a program, each another one."""
    yield ""
    for turn in TURNS:
        yield f"    O = {turn}(O)\n"
    for a, b in itertools.permutations(range(10), 2):
        for turn in TURNS:
            yield f"    x = replace(O, {a}, {b})\n    O = {turn}(x)\n"


def programs(command, spec):
    """Programs of a library as (task, text up to the return line)."""
    text = subprocess.run([command, "fmt", spec], capture_output=True, text=True).stdout
    for function in re.findall(r"^def \w+\(.*?(?=^def |\Z)", text, flags=re.S | re.M):
        name = re.match(r"def (?:solve|verify)_(\w+)", function)[1]
        yield name, function[: function.index("    return O")]


def run(command, words, lines):
    """Processor and wall seconds of judging these lines."""
    with tempfile.TemporaryFile() as source, tempfile.TemporaryFile() as answers:
        source.write(lines)
        source.seek(0)
        began, before = time.monotonic(), os.times()
        subprocess.run([command, "eval", "--stdin", "--jobs", "1", *words], stdin=source, stdout=answers, check=True)
        after = os.times()
        took = (after[2] - before[2] + after[3] - before[3], time.monotonic() - began)
        answers.seek(0)
        return took, answers.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library")
    parser.add_argument("arcloom")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--tasks", nargs="+", default=["arc1/training", "arc2/training"])
    parser.add_argument("--lines", help="write the lines to this file and end")
    args = parser.parse_args()
    words = [word for name in args.tasks for word in ("--tasks", name)]
    known = list(programs(args.arcloom, args.library))
    # Programs whose task is not loaded would be answered with an error, which costs nothing.
    probe = [json.dumps({"task": task, "program": "I"}) + "\n" for task, _ in known]
    answers = run(args.arcloom, words, "".join(probe).encode())[1].splitlines()
    known = [one for one, answer in zip(known, answers) if b'"error": "no task' not in answer.replace(b'":"', b'": "')]
    lines = []
    for ending in endings():
        for task, text in known:
            lines.append(json.dumps({"task": task, "program": f"{text}{ending}    return O\n"}))
    lines = lines[: args.count]
    assert len(set(lines)) == args.count, "too few programs"
    data = ("\n".join(lines) + "\n").encode()
    if args.lines:
        with open(args.lines, "wb") as out:
            out.write(data)
        return
    for _ in range(3):
        idle = run(args.arcloom, words, b"")[0]
        took, answers = run(args.arcloom, words, data)
        cpu, wall = took[0] - idle[0], took[1] - idle[1]
        wrong = sum(b'"error": "' in line.split(b', "task"')[0] for line in answers.splitlines())
        print(
            f"{args.count} programs of {args.library} on {len(known)} tasks: {args.count / cpu:.0f} per processor second, "
            f"{args.count / wall:.0f} per second of the clock, {wrong} not read; loading {idle[0]:.2f} s; load {os.getloadavg()[0]:.1f}"
        )


if __name__ == "__main__":
    main()
