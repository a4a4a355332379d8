"""What is shown while someone waits: tqdm's bar where it is installed, else a line on standard error."""

import sys
import time
from typing import Any


class Bar:
    """Called with (done, total)."""

    def __init__(self) -> None:
        tqdm: Any = None
        try:
            from tqdm.auto import tqdm  # type: ignore[no-redef, import-untyped, unused-ignore]
        except ImportError:
            pass
        self.tqdm: Any = tqdm
        self.bar: Any = None
        self.written: float = 0.0

    def __call__(self, done: int, total: int) -> None:
        if self.tqdm is not None:
            if self.bar is None:
                self.bar = self.tqdm(total=total)
            self.bar.update(done - self.bar.n)
            if done >= total:
                self.bar.close()
            return
        now = time.monotonic()
        if now - self.written > 0.2 or done >= total:
            self.written = now
            end = "\n" if done >= total else ""
            print(f"\r{done} of {total}", end=end, file=sys.stderr, flush=True)
