"""`solve`, `run`, `check` and `eval` over a cluster.

Each is the command of the same name, on shares of the tasks or programs, wherever a node has a processor free. The
same call on the same file goes on where an earlier one ended, however that ended.
"""

from __future__ import annotations

import hashlib
import json
import os
import pathlib
from collections.abc import Callable, Iterable
from typing import Any

import ray

from .. import __version__
from .._native import Engine, TaskSet
from .nodes import Share
from .queue import Job, Queue

_Path = str | os.PathLike[str]
_Row = dict[str, Any]


def solve(
    tasks: Any,
    library: Any = None,
    archive: _Path = "archive.db",
    budget: float = 1.0,
    seed: int = 0,
    *,
    num_cpus: float | None = None,
    num_gpus: float = 0,
    nodes: int | None = None,
    device: str | None = None,
    options: Iterable[str] = (),
    say: Callable[[str], object] = lambda text: None,
    on_task: Callable[[_Row], object] = lambda row: None,
) -> dict[str, _Row]:
    """Solves tasks on every node of the cluster; gives the row of each task as `arcloom solve --json` has it.

    `budget` is in processor seconds per task. `archive` is what one machine would write with the same arguments.
    Tasks are handed out one by one; `on_task` is called with each row as it comes. A node that is lost costs the
    tasks it was at work on, which are done again elsewhere; one that joins is given tasks. The same call on the same
    archive leaves out what is in it already. Expected outputs of tests stay with the driver, so `tests` of a row
    says `unknown`: `Archive(archive, ...)` and `arcloom archive stats` judge.

    `num_cpus` and `num_gpus` are what is asked of each node (by default all its processors), `nodes` is how many
    workers to ask the cluster for, which may start machines for them. `options` are further words for the command.
    """
    chosen = TaskSet([task.without_answers() for task in TaskSet(tasks)])
    words = ["solve", "tasks.json", "--budget", f"{budget}s/task", "--seed", str(seed), "-a", "share.db", *options]
    call = _Call(words, chosen, library, device, Share(num_cpus, num_gpus, nodes), say)
    return call.rows(len(chosen), "tasks", "task", os.fspath(archive), f"{os.fspath(archive)}.ray", on_task)


def run(
    tasks: Any,
    library: Any,
    results: _Path,
    *,
    tasks_at_once: int = 8,
    num_cpus: float | None = None,
    num_gpus: float = 0,
    nodes: int | None = None,
    device: str | None = None,
    options: Iterable[str] = (),
    say: Callable[[str], object] = lambda text: None,
    on_task: Callable[[_Row], object] = lambda row: None,
) -> dict[str, _Row]:
    """Runs a library on tasks; gives the row of each task as `arcloom run --json` has it.

    Shares of about `tasks_at_once` tasks are handed out. `results` is a file with a line per share, from which the
    same call goes on. The other arguments are those of `solve`.
    """
    chosen = TaskSet(tasks)
    words = ["run", "-t", "tasks.json", *options]
    call = _Call(words, chosen, library, device, Share(num_cpus, num_gpus, nodes), say)
    return call.rows(-(-len(chosen) // tasks_at_once), "results", "task", None, os.fspath(results), on_task)


def check(
    programs: Any,
    tasks: Any,
    results: _Path,
    *,
    tasks_at_once: int = 32,
    num_cpus: float | None = None,
    num_gpus: float = 0,
    nodes: int | None = None,
    options: Iterable[str] = (),
    say: Callable[[str], object] = lambda text: None,
    on_program: Callable[[_Row], object] = lambda row: None,
) -> list[_Row]:
    """Checks programs on their tasks; gives the rows of `arcloom check --json`, by program.

    Shares are of about `tasks_at_once` tasks with the programs for them. The other arguments are those of `run`.
    """
    chosen = TaskSet(tasks)
    words = ["check", "library.py", "-t", "tasks.json", *options]
    call = _Call(words, chosen, programs, None, Share(num_cpus, num_gpus, nodes), say, takes_library=False)
    shares = -(-len(chosen) // tasks_at_once)
    return list(call.rows(shares, "results", None, None, os.fspath(results), on_program).values())


def eval(
    jobs: Iterable[tuple[Any, Any]],
    results: _Path,
    *,
    jobs_at_once: int = 256,
    num_cpus: float | None = None,
    nodes: int | None = None,
    say: Callable[[str], object] = lambda text: None,
    on_row: Callable[[_Row], object] = lambda row: None,
) -> list[_Row]:
    """Judges texts of programs, each on its task; gives the rows of `arcloom eval`, in the order of the jobs.

    A job is a `Program` or a text, and a `Task`. So many `jobs_at_once` are handed out. The other arguments are
    those of `run`.
    """
    known: dict[Any, int] = {}
    texts: list[dict[str, Any]] = []
    for program, task in jobs:
        known.setdefault(task, len(known))
        texts.append({"id": len(texts), "task": f"t{known[task]}", "program": getattr(program, "text", program)})
    named = {f"t{n}": task.to_dict() for task, n in known.items()}
    files = {"tasks.json": json.dumps(named)}
    lines = [json.dumps(text) for text in texts]
    parts = ["\n".join(lines[n : n + jobs_at_once]) + "\n" for n in range(0, len(lines), jobs_at_once)]
    words = ["eval", "--stdin", "-t", "tasks.json", "--no-config"]
    shares = [Job(f"{n + 1}/{len(parts)}", words, stdin=part) for n, part in enumerate(parts)]
    key = _key(words, files, [str(jobs_at_once), *parts])
    done = _queue(key, files, None, os.fspath(results), Share(num_cpus, 0, nodes), say, shares, _each(None, on_row))
    return sorted((row for job in shares for row in done[job.name]["out"]), key=lambda row: row["id"])


class _Call:
    """A command and what it works on, cut into shares."""

    def __init__(
        self,
        words: list[str],
        tasks: TaskSet,
        library: Any,
        device: str | None,
        share: Share,
        say: Callable[[str], object],
        takes_library: bool = True,
    ) -> None:
        # The threads of a node are its jobs: each job has one.
        self.words: list[str] = [*words, "--json", "--quiet", "--jobs", "1", "--no-config"]
        self.files: dict[str, str] = {"tasks.json": json.dumps({task.id: task.to_dict() for task in tasks})}
        if library is not None:
            programs = Engine(threads=1).library(library)
            self.files["library.py"] = "\n\n".join(program.text for program in programs) + "\n"
            self.words += ["-p", "library.py"] if takes_library else []
        if device is not None:
            self.words += ["--device", device]
        self.share: Share = share
        self.say: Callable[[str], object] = say

    def rows(
        self, shares: int, rows: str, name: str | None, archive: str | None, journal: str, on_row: Callable[[_Row], object]
    ) -> dict[Any, _Row]:
        """The rows of all shares: by task, or by number."""
        shares = max(1, shares)
        jobs = [
            Job(f"{n}/{shares}", [*self.words, "--shard", f"{n}/{shares}"], archive="share.db" if archive else None)
            for n in range(1, shares + 1)
        ]
        key = _key(self.words, self.files, [str(shares)])
        done = _queue(key, self.files, archive, journal, self.share, self.say, jobs, _each(rows, on_row))
        every = [row for job in jobs for row in done[job.name]["out"][rows]]
        return {row[name] if name else n: row for n, row in enumerate(every)}


def _each(rows: str | None, on_row: Callable[[_Row], object]) -> Callable[[_Row], object]:
    def hear(told: _Row) -> None:
        for row in told["out"][rows] if rows else told["out"]:
            on_row(row)

    return hear


def _key(words: list[str], files: dict[str, str], more: list[str]) -> str:
    """What names the work: the same call has the same."""
    return hashlib.sha256(json.dumps([__version__, words, files, more], sort_keys=True).encode()).hexdigest()


def _queue(
    key: str,
    files: dict[str, str],
    archive: str | None,
    journal: str,
    share: Share,
    say: Callable[[str], object],
    jobs: list[Job],
    on_row: Callable[[_Row], object],
) -> dict[str, _Row]:
    if not ray.is_initialized():
        ray.init()
    absolute = str(pathlib.Path(archive).absolute()) if archive else None
    queue = Queue(key, files, absolute, str(pathlib.Path(journal).absolute()), share, say)
    try:
        return queue.run(jobs, on_row)
    finally:
        queue.leave()
