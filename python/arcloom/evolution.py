"""A run of evolution, to iterate over, wait for, watch in a notebook, or leave."""

from __future__ import annotations

import asyncio
import importlib
import inspect
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from types import TracebackType
from typing import Any

from . import _native
from .results import Evolved, Fault, GenerationFigures

__all__ = ["Evolution"]

_loop: asyncio.AbstractEventLoop | None = None
_lock = threading.Lock()


def _settled(given: Any) -> Any:
    """What a proposer gave; an `async def` is waited for, on one loop for all of them."""
    if not inspect.isawaitable(given):
        return given
    global _loop
    with _lock:
        if _loop is None or _loop.is_closed():
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="arcloom proposers", daemon=True).start()

    async def wait() -> Any:
        return await given

    coroutine: Coroutine[Any, Any, Any] = wait()
    return asyncio.run_coroutine_threadsafe(coroutine, _loop).result()


class Evolution:
    """A run that goes on in the background.

    Iterating, with `for` or `async for`, gives the figures of each generation; `result()` waits for the end. As a context
    manager it is stopped at the end of the block; it is also stopped when nobody holds it any more. In a notebook, `watch()` draws it
    while it goes on.
    """

    def __init__(self, run: _native.EvolutionRun) -> None:
        self._run = run
        self._seen: list[GenerationFigures] = []

    @property
    def generations(self) -> tuple[GenerationFigures, ...]:
        """The generations that were looked at so far."""
        return tuple(self._seen)

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What failed of what you gave: proposers, operators, the exchange, registered functions."""
        return self._run.faults

    def __iter__(self) -> Iterator[GenerationFigures]:
        return self

    def __next__(self) -> GenerationFigures:
        figures = next(self._run)
        self._seen.append(figures)
        return figures

    def __aiter__(self) -> AsyncIterator[GenerationFigures]:
        return self

    async def __anext__(self) -> GenerationFigures:
        # `StopIteration` cannot leave a thread: a default stands for it.
        figures = await asyncio.to_thread(next, self, None)
        if figures is None:
            raise StopAsyncIteration
        return figures

    def stop(self) -> None:
        """Asks the run to end with the generations it has."""
        self._run.stop()

    def result(self) -> Evolved:
        """Waits for the end, passing progress over, and says what came of it."""
        for _ in self:
            pass
        return self._run.result()

    async def wait(self) -> Evolved:
        """The same for `async` code."""
        return await asyncio.to_thread(self.result)

    def watch(self, every: int = 1) -> Evolved:
        """Draws the run in a notebook while it goes on, and waits for its end."""
        try:
            notebook: Any = importlib.import_module("IPython.display")
        except ImportError:
            return self.result()
        handle = notebook.display(self, display_id=True)
        for number, _ in enumerate(self):
            if handle is not None and number % max(1, every) == 0:
                handle.update(self)
        if handle is not None:
            handle.update(self)
        return self._run.result()

    def __enter__(self) -> Evolution:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None) -> None:
        self.stop()
        for _ in self:
            pass

    async def __aenter__(self) -> Evolution:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None) -> None:
        self.stop()
        await asyncio.to_thread(self.__exit__, kind, value, traceback)

    def __repr__(self) -> str:
        if not self._seen:
            return "Evolution(not looked at yet)"
        last = self._seen[-1]
        return f"Evolution(generation {last.generation}, {last.fits} of {last.tasks} tasks fit, {last.evaluations_total} evaluations)"

    def _repr_html_(self) -> str:
        return f"<p><b>{self!r}</b></p>{_curve(self._seen)}"


def _curve(seen: list[GenerationFigures]) -> str:
    """Tasks that fit over generations, as a drawing in the colours of the notebook."""
    if len(seen) < 2:
        return ""
    width, height = 480, 120
    most = max(1, seen[-1].tasks)
    last = max(1, seen[-1].generation - seen[0].generation)
    points = " ".join(
        f"{40 + (width - 50) * (one.generation - seen[0].generation) / last:.1f},{10 + (height - 30) * (1 - one.fits / most):.1f}" for one in seen
    )
    text = 'font-size="11" fill="currentColor" font-family="system-ui, sans-serif"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" style="max-width:100%;height:auto" role="img">'
        f"<title>tasks that fit over generations</title>"
        f'<path d="M40 10V{height - 20}H{width - 10}" fill="none" stroke="currentColor" stroke-opacity=".4"/>'
        f'<polyline points="{points}" fill="none" stroke="#2a78d6" stroke-width="2"/>'
        f'<text x="34" y="16" text-anchor="end" {text}>{most}</text><text x="34" y="{height - 18}" text-anchor="end" {text}>0</text>'
        f'<text x="{width - 10}" y="{height - 5}" text-anchor="end" {text}>generation {seen[-1].generation}</text></svg>'
    )
