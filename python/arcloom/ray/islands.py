"""Evolution on several machines.

One island per node, each an engine of its own that evolves on its own and trades programs as bytes every
few seconds. One actor, on the driver's node, writes the archive and keeps the islands' checkpoints in a
folder beside it: an island that dies is started again from its last one, a node that joins gets an island,
and the same call on the same archive goes on from where the islands were.
"""

from __future__ import annotations

import collections
import hashlib
import json
import os
import pathlib
import random
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import ray

from .. import __version__, _native
from .._native import Engine, Library, TaskSet
from ..evolution import Evolution
from ..results import Fault, GenerationFigures
from .nodes import Patience, Share, here

#: A checkpoint copies a whole archive. However large that gets, it takes an island no more than one part
#: in so many of its time.
CHECKPOINT_SHARE = 20
#: Longest that an island may take to start or to answer before it counts as gone.
PATIENCE = 120.0


class Mailbox:
    """What an island's engine publishes to and polls; the driver carries what is in it."""

    def __init__(self) -> None:
        self.incoming: collections.deque[bytes] = collections.deque(maxlen=16)
        self.outgoing: collections.deque[bytes] = collections.deque(maxlen=4)

    def publish(self, migrants: bytes) -> None:
        self.outgoing.append(migrants)

    def poll(self) -> list[bytes]:
        return [self.incoming.popleft() for _ in range(len(self.incoming))]


class Island:
    """One engine on one node."""

    def __init__(
        self,
        tasks: str,
        programs: str,
        seed: int,
        threads: int,
        settings: dict[str, Any],
        primitives: dict[str, Callable[..., Any]],
        checkpoint: bytes | None,
    ) -> None:
        self.folder: tempfile.TemporaryDirectory[str] = tempfile.TemporaryDirectory(prefix="arcloom-island-")
        self.path: str = os.path.join(self.folder.name, "island.db")
        if checkpoint is not None:
            pathlib.Path(self.path).write_bytes(checkpoint)
        self.engine: Engine = Engine(threads=threads)
        for name, function in primitives.items():
            self.engine.register(function, name)
        self.library: Library = Library.parse(programs, "library", self.engine)
        self.tasks: TaskSet = TaskSet(json.loads(tasks))
        self.settings: dict[str, Any] = {**settings, "seed": seed}
        self.mailbox: Mailbox = Mailbox()
        self.progress: GenerationFigures | None = None
        self.errors: list[str] = list(self.library.errors)
        self.done: bool = False
        self.cpu: float = 0.0
        self.evolution: Evolution | None = None

    def ready(self) -> int:
        """Heard once the island can begin."""
        return os.getpid()

    def begin(self, seconds: float) -> None:
        self.cpu = time.process_time()
        self.evolution = self.engine.evolve(
            self.library, self.tasks, archive=self.path, timeout=seconds, exchange=self.mailbox, **self.settings
        )
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        try:
            evolution = self.evolution
            assert evolution is not None
            for self.progress in evolution:
                pass
            if self.progress is None:
                self.errors.append(evolution.result().message)
        except Exception as error:
            self.errors.append(str(error))
        self.done = True

    def stop(self) -> None:
        if self.evolution is not None:
            self.evolution.stop()

    def trade(self, packets: Sequence[bytes], checkpoint: bool) -> tuple[dict[str, Any], bytes | None]:
        """Takes packets in; gives how the island is doing, and what goes to others."""
        self.mailbox.incoming.extend(packets)
        out = [self.mailbox.outgoing.popleft() for _ in range(len(self.mailbox.outgoing))]
        done = self.done
        cpu = time.process_time() - self.cpu
        saved, began = None, time.monotonic()
        if (checkpoint or done) and self.progress is not None:
            saved = self._snapshot()
        told = {
            "out": out, "done": done, "cpu": cpu, "took": time.monotonic() - began,
            "errors": self.errors, "faults": () if self.evolution is None else self.evolution.faults,
            "generation": -1 if self.progress is None else self.progress.generation,
            "evaluations_total": 0 if self.progress is None else self.progress.evaluations_total,
            "fits": 0 if self.progress is None else self.progress.fits,
        }  # fmt: skip
        # Apart, so that it goes to the one who keeps it and not through the driver.
        return {**told, "saved": saved is not None}, saved

    def _snapshot(self) -> bytes:
        """A whole copy of the archive, which is being written."""
        copy = os.path.join(self.folder.name, "copy.db")
        _native.copy_archive(self.path, copy)
        bytes = pathlib.Path(copy).read_bytes()
        os.unlink(copy)
        return bytes


class Hall:
    """The one who writes the archive. What it knows is in files, so that another can go on."""

    def __init__(self, archive: str, key: str) -> None:
        self.archive: str = archive
        self.folder: pathlib.Path = pathlib.Path(f"{archive}.islands", key)
        if not os.path.exists(archive):
            # Checkpoints of an archive that is gone are not taken up.
            shutil.rmtree(f"{archive}.islands", ignore_errors=True)

    def keep(self, island: int, checkpoint: bytes) -> float:
        """Adds what an island has; gives the seconds that took."""
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            other = os.path.join(folder, "island.db")
            pathlib.Path(other).write_bytes(checkpoint)
            _native.merge_archive(self.archive, other)
        # Whole or not at all.
        self.folder.mkdir(parents=True, exist_ok=True)
        new = self.folder / f"{island}.new"
        new.write_bytes(checkpoint)
        new.replace(self.folder / f"{island}.db")
        return time.monotonic() - began

    def checkpoint(self, island: int) -> bytes | None:
        path = self.folder / f"{island}.db"
        return path.read_bytes() if path.is_file() else None

    def known(self) -> int:
        """Number of islands that can go on."""
        return len(list(self.folder.glob("*.db")))


class _Seat:
    """An island as the driver sees it: a place for one process after the other."""

    def __init__(self, number, place):
        self.number = number
        self.place = place
        self.node = place.name
        self.patience = None
        self.actor = None
        self.starting = None
        self.begun = False
        self.keeping = None
        self.inbox = []
        self.done = False
        self.due = 0.0
        self.generation = -1
        self.fits = 0
        self.pid = None
        self.restarts = -1
        # What processes that are gone did, and what this one does.
        self.before, self.now = {"evaluations": 0, "cpu_seconds": 0.0}, {"evaluations": 0, "cpu_seconds": 0.0}
        self.faults_before, self.faults_now = [], []
        self.errors = []

    @property
    def evaluations(self):
        return self.before["evaluations"] + self.now["evaluations"]

    def lose(self, reason):
        """Its process is gone; what that did stays counted."""
        self.actor = self.starting = None
        self.begun = False
        self.errors.append(reason)
        self.before = {key: value + self.now[key] for key, value in self.before.items()}
        self.now = dict.fromkeys(self.now, 0)
        self.faults_before, self.faults_now = self.faults(), []

    def faults(self):
        """What the user's functions raised: name, times, and why the first time."""
        all = {}
        for fault in [*self.faults_before, *self.faults_now]:
            known = all.setdefault(fault.name, [0, fault.reason])
            known[0] += fault.times
        return [Fault(name, times, reason) for name, (times, reason) in all.items()]

    def told(self):
        sums = {key: value + self.now[key] for key, value in self.before.items()}
        return {
            "number": self.number, "node": self.node, **sums, "generation": self.generation, "fits": self.fits,
            "restarts": self.restarts, "errors": self.errors, "faults": self.faults(),
        }  # fmt: skip


def evolve(
    tasks: Any,
    library: Any,
    archive: str | os.PathLike[str],
    seconds: float,
    seed: int = 0,
    trade_every: float = 3.0,
    checkpoint_every: float = 15.0,
    topology: str = "ring",
    threads: int | None = None,
    primitives: Iterable[Callable[..., Any]] = (),
    num_cpus: float | None = None,
    num_gpus: float = 0,
    nodes: int | None = None,
    say: Callable[[str], object] = lambda text: None,
    on_round: Callable[[dict[str, Any]], object] = lambda islands: None,
    **settings: Any,
) -> list[dict[str, Any]]:
    """Evolves on every node of the cluster for so many seconds; gives what each island did.

    `tasks` and `library` are as for `Engine.evolve`, as are `settings`, proposers and operators among
    them. `topology` is `ring` or `random`. `threads` are those of each island, by default as many as its
    node has processors. `num_cpus` and `num_gpus` are what an island asks of its node, by default all
    processors; with `nodes` so many islands are asked for wherever there is room, for which a cluster may start
    machines. The same call on the same archive goes on from the islands' last checkpoints. `primitives` are functions that the programs call by their names; each island
    registers them. The time begins when the islands of the nodes that are there have started. `on_round`
    is called after every round of trading; when it gives something true, the run ends.

    Of each island are told: number, node, evaluations, cpu_seconds, generation, fits, restarts, errors
    (why processes were lost, that no processor was free, and that a time was too short for generation 0), and faults, which are `Fault`s of
    your functions.
    """
    if topology not in ("ring", "random"):
        raise ValueError("a topology is `ring` or `random`")
    if not ray.is_initialized():
        ray.init()
    functions = {function.__name__: function for function in primitives}
    engine = Engine(threads=1)
    for name, function in functions.items():
        engine.register(function, name)
    chosen, known = TaskSet(tasks), engine.library(library)
    # Expected outputs of tests stay here.
    text = json.dumps({task.id: task.without_answers().to_dict() for task in chosen})
    programs = "\n\n".join(program.text for program in known)
    settings = {"stop_when_solved": False, **settings}
    # What names the run. Functions are known by their names alone.
    named = {name: value for name, value in settings.items() if isinstance(value, (bool, int, float, str))}
    key = hashlib.sha256(json.dumps([__version__, text, programs, seed, sorted(functions), named]).encode()).hexdigest()[:16]
    path = os.path.abspath(os.fspath(archive))
    share = Share(num_cpus, num_gpus, nodes)
    driver = _Driver(path, key, share, (text, programs), seed, threads, settings, functions, checkpoint_every, topology, say)
    try:
        driver.seat_islands()
        driver.hear_who_started(wait=True)
        driver.end = time.monotonic() + seconds
        while driver.round():
            if on_round(driver.seats):
                driver.stop()
            time.sleep(min(trade_every, max(0.2, driver.end - time.monotonic())))
        return driver.told()
    finally:
        driver.leave()


class _Driver:
    """Seats islands, carries what they send, and counts."""

    def __init__(self, archive, key, share, texts, seed, threads, settings, functions, checkpoint_every, topology, say):
        kind = ray.remote(Hall).options(num_cpus=0, max_restarts=-1, max_task_retries=-1, scheduling_strategy=here())
        self.hall = kind.remote(archive, key)
        self.share = share
        known = ray.get(self.hall.known.remote())
        if known:
            say(f"{known} islands go on from their checkpoints")
        self.texts = [ray.put(text) for text in texts]
        self.seed, self.threads, self.settings, self.functions = seed, threads, settings, functions
        self.checkpoint_every, self.topology, self.say = checkpoint_every, topology, say
        self.shuffle = random.Random(seed)
        self.seats = {}
        self.end = float("inf")

    def seat_islands(self):
        """An island for every node that has none."""
        for place in self.share.places():
            seat = self.seats.setdefault(place.name, _Seat(len(self.seats), place))
            if seat.actor is not None:
                continue
            checkpoint = self.hall.checkpoint.remote(seat.number)
            kind = ray.remote(Island).options(**place.options())
            seat.actor = kind.remote(
                *self.texts, self.seed + seat.number, self.threads or place.threads, self.settings, self.functions, checkpoint
            )
            seat.patience = Patience(f"island {seat.number}", place)
            seat.starting = (seat.actor.ready.remote(), time.monotonic() + PATIENCE)
            seat.restarts += 1
            self.say(f"island {seat.number} on node {place.name[:8]}" + (", again" if seat.restarts else ""))

    def hear_who_started(self, wait=False):
        """Notes who can begin. An island that cannot even start at first is an error; later, one is lost. With
        `wait` until all have started, but no longer for one that no processor is free for."""
        for seat in self.seats.values():
            while seat.starting is not None:
                answer, patience = seat.starting
                try:
                    seat.pid = ray.get(answer, timeout=1 if wait else 0)
                    seat.starting = None
                except ray.exceptions.GetTimeoutError as error:
                    told = seat.patience.look(self.say)
                    if told:
                        seat.errors.append(told)
                    if time.monotonic() >= patience:
                        self.lose(seat, error)
                    # The others need not wait for it; it begins when it can.
                    elif not wait or (seat.patience.told and any(other.pid for other in self.seats.values())):
                        break
                except ray.exceptions.RayActorError as error:
                    if wait:
                        raise
                    self.lose(seat, error)

    def lose(self, seat, error):
        ray.kill(seat.actor)
        seat.lose(type(error).__name__)
        self.say(f"island {seat.number} is gone")

    def round(self):
        """Once through all islands; false when there is nothing more to come."""
        over = time.monotonic() >= self.end
        if not over:
            self.seat_islands()
            self.hear_who_started()
        there = [seat for seat in self.seats.values() if seat.actor is not None and seat.starting is None and not seat.done]
        self.hear(self.begin, [seat for seat in there if not seat.begun])
        self.hear(self.trade, [seat for seat in there if seat.begun])
        if over:
            return any(seat.actor is not None and seat.starting is None and not seat.done for seat in self.seats.values())
        return not self.seats or not all(seat.done for seat in self.seats.values())

    def hear(self, ask, seats):
        """Asks all of them, and then hears them one by one. Who does not answer is lost."""
        for seat, answer, then in [(seat, *ask(seat)) for seat in seats]:
            try:
                told = ray.get(answer, timeout=PATIENCE)
            except (ray.exceptions.RayActorError, ray.exceptions.GetTimeoutError) as error:
                self.lose(seat, error)
            else:
                then(told)

    def begin(self, seat):
        def then(_):
            seat.begun, seat.due = True, time.monotonic() + self.checkpoint_every

        return seat.actor.begin.remote(max(0.0, self.end - time.monotonic())), then

    def trade(self, seat):
        self.hear_what_was_kept(seat)
        due = seat.keeping is None and time.monotonic() >= seat.due
        packets, seat.inbox = seat.inbox, []
        answer, checkpoint = seat.actor.trade.options(num_returns=2).remote(packets, due)
        return answer, lambda told: self.note(seat, told, checkpoint)

    def note(self, seat, told, checkpoint):
        seat.done, seat.generation, seat.fits = told["done"], told["generation"], told["fits"]
        seat.now = {"evaluations": told["evaluations_total"], "cpu_seconds": told["cpu"]}
        seat.faults_now = told["faults"]
        seat.errors.extend(error for error in told["errors"] if error not in seat.errors)
        if told["saved"]:
            self.hear_what_was_kept(seat, wait=True)
            seat.keeping = (self.hall.keep.remote(seat.number, checkpoint), told["took"])
        others = sorted((other for other in self.seats.values() if other is not seat), key=lambda other: other.number)
        if others and told["out"]:
            after = [other for other in others if other.number > seat.number]
            to = (after or others)[0] if self.topology == "ring" else self.shuffle.choice(others)
            to.inbox.extend(told["out"])

    def hear_what_was_kept(self, seat, wait=False):
        """The next checkpoint is due after a while that is long beside what this one took."""
        if seat.keeping is None:
            return
        kept, took = seat.keeping
        if wait or ray.wait([kept], timeout=0)[0]:
            try:
                took += ray.get(kept)
            except ray.exceptions.ObjectLostError:
                pass  # Its node went before the copy had left it; the next one brings what it has.
            seat.due = time.monotonic() + max(self.checkpoint_every, CHECKPOINT_SHARE * took)
            seat.keeping = None

    def stop(self):
        self.end = min(self.end, time.monotonic())
        for seat in self.seats.values():
            if seat.begun:
                seat.actor.stop.remote()

    def told(self):
        for seat in self.seats.values():
            self.hear_what_was_kept(seat, wait=True)
        return [seat.told() for seat in sorted(self.seats.values(), key=lambda seat: seat.number)]

    def leave(self):
        for actor in [self.hall, *(seat.actor for seat in self.seats.values() if seat.actor is not None)]:
            ray.kill(actor)
