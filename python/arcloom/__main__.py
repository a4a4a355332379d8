"""`python -m arcloom`."""

from .cli import main

main()
