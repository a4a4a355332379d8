#!/usr/bin/env python3
"""Programs judged per second of processor time from Python: in a batch, one by one, and as old code did it.

    python3 benches/eval_python.py [LIBRARY] [TASKS] [COUNT]

Texts are the programs of a library (default `library:embedded` on `embedded`), each made distinct by a constant that nothing
uses up to the last line, so that no two are the same text. Said are programs per second of processor time of the process, all
on one thread: `batch` is one call of `Engine.eval`; `one by one` a call for each; `read first` makes a `Program` of each
text in Python and then judges them in one call, which is what a batch was before texts were read by the engine; `styled` is
the batch with fences and prose around every text.
"""

import sys
import time

import arcloom


def texts(library, tasks, count):
    pairs = [(program, tasks.get(program.task)) for program in library]
    pairs = [(program, task) for program, task in pairs if task is not None]
    if not pairs:
        sys.exit("no program of the library has its task in the set")
    for number in range(count):
        program, task = pairs[number % len(pairs)]
        # Read over by the parser, as comments of models are.
        yield f"{program.text.rstrip()}\n# text {number}\n", task


def measured(work):
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def main(library="library:embedded", tasks="embedded", count="4000"):
    jobs = list(texts(arcloom.library(library), arcloom.tasks(tasks), int(count)))
    styled = [(f"Here it is.\n\n```python\nfrom arc_dsl import *\n{text}```\nIt works.", task) for text, task in jobs]
    engine = arcloom.Engine(threads=1)
    ways = {
        "batch": lambda: engine.eval(jobs),
        "one by one": lambda: [engine.eval([job]) for job in jobs[: len(jobs) // 8]],
        "read first": lambda: engine.eval([(arcloom.Program(text), task) for text, task in jobs]),
        "styled": lambda: engine.eval(styled),
    }
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(5):
        for name, work in ways.items():
            seconds, _ = measured(work)
            best[name] = min(best[name], seconds / (len(jobs) // 8 if name == "one by one" else len(jobs)))
    rows = engine.eval(jobs)
    print(f"{len(rows)} programs, {rows.fits} fit, {rows.rejected} rejected")
    for name, seconds in best.items():
        print(f"{name:10}  {1 / seconds:8.0f} programs per second of processor time, {best['batch'] / seconds:.2f} of a batch")


if __name__ == "__main__":
    main(*sys.argv[1:])
