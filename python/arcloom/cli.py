"""The command `arcloom`: an entry point into the extension module."""

import signal
import sys

from . import _native


def main() -> None:
    words = sys.argv[1:]
    if words[:1] == ["kaggle-bundle"]:
        from .kaggle import main as kaggle

        sys.exit(kaggle(words[1:]))
    # The command handles interrupts itself; Python's handler would wait for Python code to run.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.main(["arcloom", *words]))


if __name__ == "__main__":
    main()
