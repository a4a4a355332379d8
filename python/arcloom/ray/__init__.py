"""arcloom on a Ray cluster: `pip install arcloom[ray]`. docs/ray.md has the commands for two machines.

| module | what it holds |
|---|---|
| `commands` | `solve`, `run`, `check`, `eval`: a queue of shares of the work over all nodes |
| `islands` | `evolve`: one island per node, which trade programs |
| `queue` | the queue, the worker of a node, and the writer of the results |
| `nodes` | which nodes there are, and what is asked of each |
"""

from .commands import check, eval, run, solve
from .islands import evolve

__all__ = ["check", "eval", "evolve", "run", "solve"]
