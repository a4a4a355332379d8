"""Which nodes of the cluster take part, what is asked of each, and word of those that do not get it."""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass
from typing import Any

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

#: Seconds after which a node that gives no processor is told about.
UNHEARD = 10.0


@dataclass(frozen=True)
class Share:
    """What one actor asks of a node.

    `num_cpus` and `num_gpus` are what it takes of the node, by default all processors and no GPU; fewer leave
    room for others on a shared node. With `nodes` so many actors are asked for wherever there is room: a cluster
    that grows by demand starts machines for them. Without, every node that is there, or joins, gets one.
    """

    num_cpus: float | None = None
    num_gpus: float = 0
    nodes: int | None = None

    def places(self) -> list[Place]:
        """Where there are to be actors now."""
        if self.nodes is not None:
            return [Place(f"place {n}", None, self.num_cpus or 1, self.num_gpus) for n in range(self.nodes)]
        found = []
        for node in ray.nodes():
            cpus, gpus = node["Resources"].get("CPU", 0), node["Resources"].get("GPU", 0)
            if node["Alive"] and cpus >= (self.num_cpus or 1) and gpus >= self.num_gpus:
                found.append(Place(node["NodeID"], node["NodeID"], self.num_cpus or int(cpus), self.num_gpus))
        return found


@dataclass(frozen=True)
class Place:
    """A place for an actor: a node of the cluster, or one that is to come."""

    name: str
    node: str | None
    cpus: float
    gpus: float

    @property
    def threads(self) -> int:
        return max(1, int(self.cpus))

    def options(self) -> dict[str, Any]:
        """What an actor is made with so that it comes to be here."""
        strategy: Any = on(self.node) if self.node else "SPREAD"
        return {"num_cpus": self.cpus, "num_gpus": self.gpus, "scheduling_strategy": strategy}


def on(node: str) -> NodeAffinitySchedulingStrategy:
    return NodeAffinitySchedulingStrategy(node, soft=False)


def here() -> NodeAffinitySchedulingStrategy:
    """The driver's own node."""
    return on(ray.get_runtime_context().get_node_id())


class Patience:
    """Tells once of an actor that has not started within ten seconds, and what may be the reason."""

    def __init__(self, who: str, place: Place) -> None:
        self.who: str = who
        self.place: Place = place
        self.since: float = time.monotonic()
        self.told: str | None = None

    def look(self, say: Any) -> str | None:
        """What to tell, the first time that there is something."""
        if self.told is not None or time.monotonic() - self.since < UNHEARD:
            return None
        where = f"node {self.place.name[:8]}" if self.place.node else self.place.name
        free = ray.available_resources().get("CPU", 0)
        self.told = (
            f"{self.who} on {where} has not started within {UNHEARD:g} s: it asks for {self.place.cpus:g} processors, "
            f"and {free:g} of the cluster are free. Unless its process is just slow to start, ask for fewer with "
            "num_cpus=..., or end what holds them"
        )
        warnings.warn(self.told, RuntimeWarning, stacklevel=2)
        say(self.told)
        return self.told
