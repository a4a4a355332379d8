"""The command `arcloom`: an entry point into the extension module."""

import pathlib
import signal
import sys
import tempfile

from . import _native


def main() -> None:
    words = sys.argv[1:]
    if "kaggle-bundle" in words and not any(word.startswith(("-h", "--h", "--wheel")) for word in words):
        from .kaggle import pack_wheel

        # The command copies the package's wheel; an installed package can be packed into one.
        with tempfile.TemporaryDirectory() as folder:
            sys.exit(_native.main(["arcloom", *words, "--wheel", str(pack_wheel(pathlib.Path(folder)))]))
    # The command handles interrupts itself; Python's handler would wait for Python code to run.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.main(["arcloom", *words]))


if __name__ == "__main__":
    main()
