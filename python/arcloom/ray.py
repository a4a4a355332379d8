"""Islands on several machines, through Ray: `pip install arcloom[ray]`.

One island per node, with all its cores, each an engine of its own that evolves on its own and trades
programs as bytes every few seconds. One actor, on the driver's node, writes the archive and keeps the
islands' checkpoints: an island that dies is started again from its last one, and a node that joins gets
an island. docs/ray.md has the commands for two machines.
"""

import collections
import json
import os
import pathlib
import random
import tempfile
import threading
import time

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from . import _native
from ._native import Engine, Library, TaskSet


class Mailbox:
    """What an island's engine publishes to and polls; the driver carries what is in it."""

    def __init__(self):
        self.incoming = collections.deque(maxlen=16)
        self.outgoing = collections.deque(maxlen=4)

    def publish(self, migrants):
        self.outgoing.append(migrants)

    def poll(self):
        return [self.incoming.popleft() for _ in range(len(self.incoming))]


def _snapshot(path):
    """A whole copy of an archive that is being written."""
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, "copy.db")
        _native.copy_archive(path, copy)
        return pathlib.Path(copy).read_bytes()


class Island:
    """One engine on one node."""

    def __init__(self, tasks, programs, seed, threads, seconds, settings, checkpoint):
        self.folder = tempfile.TemporaryDirectory(prefix="arcloom-island-")
        self.path = os.path.join(self.folder.name, "island.db")
        if checkpoint is not None:
            pathlib.Path(self.path).write_bytes(checkpoint)
        self.mailbox = Mailbox()
        self.progress = {"generation": -1, "evaluations_total": 0, "solved": 0}
        self.done = False
        self.error = None
        self.evolution = Engine(threads=threads).evolve(
            Library.parse(programs, "library"),
            TaskSet(json.loads(tasks)),
            archive=self.path,
            seed=seed,
            timeout=seconds,
            exchange=self.mailbox,
            **settings,
        )
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self):
        try:
            for self.progress in self.evolution:
                pass
        except Exception as error:
            self.error = str(error)
        self.done = True

    def trade(self, packets, checkpoint):
        """Takes packets in and gives packets out, with how the island is doing."""
        self.mailbox.incoming.extend(packets)
        out = [self.mailbox.outgoing.popleft() for _ in range(len(self.mailbox.outgoing))]
        done = self.done
        saved = _snapshot(self.path) if (checkpoint or done) and self.progress["generation"] >= 0 else None
        return {"out": out, "done": done, "error": self.error, "checkpoint": saved, "pid": os.getpid(), **self.progress}

    def stop(self):
        self.evolution.stop()


class Hall:
    """The one who writes the archive."""

    def __init__(self, archive):
        self.archive = archive
        self.checkpoints = {}

    def keep(self, island, checkpoint):
        self.checkpoints[island] = checkpoint
        with tempfile.TemporaryDirectory() as folder:
            other = os.path.join(folder, "island.db")
            pathlib.Path(other).write_bytes(checkpoint)
            return _native.merge_archive(self.archive, other)

    def checkpoint(self, island):
        return self.checkpoints.get(island)


def evolve(
    tasks,
    library,
    archive,
    seconds,
    seed=0,
    trade_every=3.0,
    checkpoint_every=15.0,
    topology="ring",
    threads=None,
    say=lambda text: None,
    on_round=lambda islands: None,
    **settings,
):
    """Evolves on every node of the cluster for so many seconds; gives what each island did.

    `tasks` and `library` are as for `Engine.evolve`, as are `settings`. `topology` is `ring` or
    `random`. `threads` are those of each island, by default as many as its node has processors.
    """
    if topology not in ("ring", "random"):
        raise ValueError("a topology is `ring` or `random`")
    if not ray.is_initialized():
        ray.init()
    chosen = _native.tasks(tasks) if isinstance(tasks, str) else tasks
    known = _native.library(library) if isinstance(library, str) else library
    # Test answers stay here.
    text = json.dumps({task.id: task.without_answers().to_dict() for task in chosen})
    programs = "\n\n".join(program.text for program in known)
    here = ray.get_runtime_context().get_node_id()
    pin = lambda node: NodeAffinitySchedulingStrategy(node, soft=False)  # noqa: E731
    hall = ray.remote(num_cpus=0)(Hall).options(scheduling_strategy=pin(here)).remote(str(archive))
    end = time.monotonic() + seconds
    islands = {}
    settings = {"stop_when_solved": False, **settings}

    def start(node, cpus):
        name = node["NodeID"]
        old = islands.get(name, {})
        number = old.get("number", len(islands))
        checkpoint = ray.get(hall.checkpoint.remote(number))
        actor = ray.remote(num_cpus=cpus)(Island).options(scheduling_strategy=pin(name)).remote(
            text, programs, seed + number, threads or int(cpus), max(1.0, end - time.monotonic()), settings, checkpoint
        )
        # A new process counts from nothing; what the old one did stays counted.
        before = old.get("evaluations", 0)
        islands[name] = {
            **old, "number": number, "actor": actor, "inbox": [], "before": before, "evaluations": before,
            "restarts": old.get("restarts", -1) + 1, "saved": time.monotonic(), "done": False, "errors": old.get("errors", []),
        }  # fmt: skip
        say(f"island {number} on node {name[:8]}" + (", again" if old else ""))

    shuffle = random.Random(seed)
    while True:
        over = time.monotonic() >= end
        for node in ray.nodes():
            cpus = node["Resources"].get("CPU", 0)
            if node["Alive"] and cpus >= 1 and not over:
                island = islands.get(node["NodeID"])
                if island is None or island["actor"] is None:
                    start(node, cpus)
        asked = {}
        for name, island in islands.items():
            if island["actor"] is not None and not island["done"]:
                due = time.monotonic() - island["saved"] >= checkpoint_every
                packets, island["inbox"] = island["inbox"], []
                asked[name] = island["actor"].trade.remote(packets, due)
        for name, answer in asked.items():
            island = islands[name]
            try:
                told = ray.get(answer, timeout=120)
            except (ray.exceptions.RayActorError, ray.exceptions.GetTimeoutError) as error:
                island["actor"] = None
                island["errors"].append(type(error).__name__)
                say(f"island {island['number']} is gone")
                continue
            island.update(done=told["done"], generation=told["generation"], solved=told["solved"], pid=told["pid"])
            island["evaluations"] = island["before"] + told["evaluations_total"]
            if told["error"]:
                island["errors"].append(told["error"])
            if told["checkpoint"] is not None:
                ray.get(hall.keep.remote(island["number"], told["checkpoint"]))
                island["saved"] = time.monotonic()
            others = sorted((i for i in islands.values() if i is not island), key=lambda i: i["number"])
            if others and told["out"]:
                after = [i for i in others if i["number"] > island["number"]]
                to = (after or others)[0] if topology == "ring" else shuffle.choice(others)
                to["inbox"].extend(told["out"])
        on_round(islands)
        running = [i for i in islands.values() if i["actor"] is not None and not i["done"]]
        if islands and not running and (over or all(i["done"] for i in islands.values())):
            break
        time.sleep(min(trade_every, max(0.2, end - time.monotonic())))
    for island in islands.values():
        if island["actor"] is not None:
            ray.kill(island["actor"])
    ray.kill(hall)
    told = ("number", "evaluations", "generation", "solved", "restarts", "errors")
    return sorted(({key: island.get(key) for key in told} for island in islands.values()), key=lambda i: i["number"])
