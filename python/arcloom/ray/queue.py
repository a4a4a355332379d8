"""A queue of jobs over the nodes of a cluster.

Every node has one worker, which does as many jobs at a time as it was given processors. Whoever is free takes the
next job. What a job came to goes from the worker to the writer, one actor on the driver's node: it merges the
job's archive into the one archive, adds the job's rows to a journal beside it, and only then is the job done. So
driver, writer and nodes may be lost at any time: the same call goes on with the jobs that the journal does not have.
"""

from __future__ import annotations

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ray

from .. import _native
from .nodes import Patience, Place, Share, here

#: A job whose worker was lost so often is given up: it is likely to be the reason.
ATTEMPTS = 4


@dataclass(frozen=True)
class Job:
    """Words for the command `arcloom`, in a folder with the shared files.

    `archive` is the file it writes, if any. What is read from standard input is answered by a line for each line.
    """

    name: str
    words: list[str]
    archive: str | None = None
    stdin: str | None = None


class Worker:
    """Does jobs on one node, each in a process of its own."""

    def __init__(self, shared: dict[str, str]) -> None:
        self.shared: dict[str, str] = shared

    def ready(self) -> tuple[str, int]:
        return ray.get_runtime_context().get_node_id(), os.getpid()

    def do(self, job: Job) -> tuple[dict[str, Any], bytes | None]:
        """What it printed, and its archive. The second goes to the writer and not through the driver."""
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="arcloom-job-") as folder:
            for name, text in self.shared.items():
                pathlib.Path(folder, name).write_text(text)
            command = [sys.executable, "-m", "arcloom", *job.words]
            done = subprocess.run(command, cwd=folder, input=job.stdin or "", capture_output=True, text=True)
            path = pathlib.Path(folder, job.archive or "")
            archive = path.read_bytes() if job.archive and path.is_file() else None
        fault = None
        if done.returncode not in (0, 1) or not done.stdout.strip():
            fault = (done.stderr.strip() or f"exit code {done.returncode}")[-2000:]
        told = {"job": job.name, "code": done.returncode, "seconds": time.monotonic() - began, "fault": fault}
        lines = done.stdout.splitlines() if job.stdin else [done.stdout]
        out = None if fault else [json.loads(line) for line in lines]
        return {**told, "out": out if job.stdin or fault else out[0]}, archive


class Writer:
    """Keeps what jobs came to: archives in one archive, rows in a journal."""

    def __init__(self, archive: str | None, journal: str) -> None:
        self.archive: str | None = archive
        self.journal: pathlib.Path = pathlib.Path(journal)

    def known(self, key: str) -> dict[str, dict[str, Any]]:
        """What earlier calls of the same work came to, by job. A line that was not written whole is none."""
        rows = {}
        if self.journal.is_file() and (self.archive is None or os.path.exists(self.archive)):
            for line in self.journal.read_text().splitlines():
                try:
                    row = json.loads(line)
                except ValueError:
                    continue
                if row["key"] == key:
                    rows[row["job"]] = row
        return rows

    def keep(self, key: str, told: dict[str, Any], archive: bytes | None) -> dict[str, Any]:
        """Twice is as good as once, so it may be asked again when the answer was lost."""
        if archive is not None and self.archive is not None:
            with tempfile.TemporaryDirectory() as folder:
                other = os.path.join(folder, "job.db")
                pathlib.Path(other).write_bytes(archive)
                _native.merge_archive(self.archive, other)
        whole = not self.journal.is_file() or self.journal.read_bytes().endswith(b"\n")
        with self.journal.open("a") as file:
            file.write(("" if whole else "\n") + json.dumps({"key": key, **told}) + "\n")
            file.flush()
            os.fsync(file.fileno())
        return told


class _Post:
    """A worker as the driver sees it."""

    def __init__(self, place: Place, shared: Any) -> None:
        self.place: Place = place
        self.actor: Any = ray.remote(Worker).options(**place.options(), max_concurrency=place.threads).remote(shared)
        self.starting: Any = self.actor.ready.remote()
        self.patience: Patience = Patience("a worker", place)
        # What it is asked for: the job, and where its archive will be.
        self.flying: dict[Any, tuple[Job, Any]] = {}


class Queue:
    """Shares jobs out until all are done."""

    def __init__(
        self, key: str, shared: dict[str, str], archive: str | None, journal: str, share: Share, say: Callable[[str], object]
    ) -> None:
        self.key: str = key
        self.shared: Any = ray.put(shared)
        self.share: Share = share
        self.say: Callable[[str], object] = say
        kind = ray.remote(Writer).options(num_cpus=0, max_restarts=-1, max_task_retries=-1, scheduling_strategy=here())
        self.writer: Any = kind.remote(archive, journal)
        self.posts: dict[str, _Post] = {}
        self.lost: collections.Counter[str] = collections.Counter()
        self.done: dict[str, dict[str, Any]] = {}

    def run(self, jobs: list[Job], on_row: Callable[[dict[str, Any]], object]) -> dict[str, dict[str, Any]]:
        """What all jobs came to, by name."""
        self.done = ray.get(self.writer.known.remote(self.key))
        waiting = collections.deque(job for job in jobs if job.name not in self.done)
        if len(waiting) < len(jobs):
            self.say(f"{len(jobs) - len(waiting)} of {len(jobs)} jobs were done before")
        keeping: dict[Any, Job] = {}
        looked = 0.0
        while waiting or keeping or any(post.flying for post in self.posts.values()):
            if time.monotonic() - looked > 1:
                looked = time.monotonic()
                self.seat(waiting)
            for post in self.posts.values():
                while post.starting is None and waiting and len(post.flying) < post.place.threads:
                    job = waiting.popleft()
                    told, archive = post.actor.do.options(num_returns=2).remote(job)
                    post.flying[told] = (job, archive)
            asked = [ref for post in self.posts.values() for ref in post.flying] + list(keeping)
            asked += [post.starting for post in self.posts.values() if post.starting is not None]
            ready = ray.wait(asked, timeout=1)[0] if asked else []
            if not asked:
                time.sleep(0.2)
            for ref in ready:
                self.hear(ref, waiting, keeping, on_row)
        return self.done

    def seat(self, waiting: collections.deque[Job]) -> None:
        """A worker for every place that has none, and word of those that do not start."""
        for place in self.share.places():
            if place.name not in self.posts and waiting:
                self.posts[place.name] = _Post(place, self.shared)
        for post in self.posts.values():
            if post.starting is not None:
                post.patience.look(self.say)

    def hear(self, ref: Any, waiting: collections.deque[Job], keeping: dict[Any, Job], on_row: Callable[[Any], object]) -> None:
        if ref in keeping:
            job = keeping.pop(ref)
            try:
                row = ray.get(ref)
            except (ray.exceptions.ObjectLostError, ray.exceptions.OwnerDiedError):
                self.again(job, waiting)  # Its node went before the archive had left it.
            else:
                self.done[job.name] = row
                on_row(row)
            return
        for name, post in list(self.posts.items()):
            try:
                if ref is post.starting:
                    node, pid = ray.get(ref)
                    post.starting = None
                    self.say(f"a worker on node {node[:8]}, process {pid}, {post.place.threads} jobs at a time")
                elif ref in post.flying:
                    told = ray.get(ref)
                    job, archive = post.flying.pop(ref)
                    if told["fault"]:
                        raise RuntimeError(f"{job.name}: {told['fault']}")
                    keeping[self.writer.keep.remote(self.key, told, archive)] = job
            except ray.exceptions.RayActorError as error:
                del self.posts[name]
                self.say(f"a worker is gone ({type(error).__name__}): {len(post.flying)} jobs are done again")
                for other, _ in post.flying.values():
                    self.again(other, waiting)

    def again(self, job: Job, waiting: collections.deque[Job]) -> None:
        self.lost[job.name] += 1
        if self.lost[job.name] >= ATTEMPTS:
            raise RuntimeError(f"{job.name}: {ATTEMPTS} workers were lost over it")
        waiting.appendleft(job)

    def leave(self) -> None:
        for actor in [self.writer, *(post.actor for post in self.posts.values())]:
            ray.kill(actor)
