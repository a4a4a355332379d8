"""What the notebook of `arcloom kaggle-bundle` does, and the wheel that goes into its folder."""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import os
import pathlib
import time
import zipfile
from collections.abc import Callable, Iterable

from . import Engine, devices, library, tasks, write_submission
from .results import Attempts

#: Seconds that the competition gives a submission, and what of them is not used: its clock starts before ours.
TIME_LIMIT, RESERVE = 12 * 3600.0, 1800.0
#: Seconds that are left over at the end, to write the file and leave.
MARGIN = 10.0
#: Processor seconds a task that are searched at first, and at most.
FIRST_SEARCH, LONGEST_SEARCH = 0.1, 60.0


def cores() -> int:
    """Processors this process may use, which a container keeps below those of the machine."""
    found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = pathlib.Path("/sys/fs/cgroup/cpu.max").read_text().split()
        if quota != "max":
            found = min(found, max(1, int(quota) // int(period)))
    except (OSError, ValueError):
        pass
    return found


def solve(
    challenges: str | os.PathLike[str],
    programs: Iterable[str | os.PathLike[str]],
    output: str | os.PathLike[str] = "submission.json",
    seconds: float = TIME_LIMIT - RESERVE,
    threads: int | None = None,
    say: Callable[[str], object] = print,
) -> int:
    """Two attempts for every test of a challenges file, within so many seconds.

    A valid file is there from the first second on and is replaced whenever there is something better:
    blank attempts, then the best of all programs, then what a search and what evolution find. Whoever ends the process
    leaves the last one. A malformed task costs itself alone: it gets blank attempts and a line of warning. Gives the
    number of tasks whose demos some program fits.
    """
    end = time.monotonic() + seconds - min(MARGIN, seconds / 10)
    left = lambda: max(0.0, end - time.monotonic())  # noqa: E731
    given = tasks(str(challenges), skip_malformed=True)
    for problem in given.malformed.values():
        say(f"warning: {problem}; the submission has blank attempts at this task")
    attempts: dict[str, Attempts] = {}
    write_submission(given, attempts, output)
    # A device is taken where it is faster than the processors in a short trial; the results are the same.
    engine = Engine(threads=threads or cores(), device="auto")
    found_devices = ", ".join(device.name for device in devices()) or "none"
    say(f"{len(given)} tasks, {engine.threads} threads, devices to choose from: {found_devices}, {left():.0f} s")
    known = library(*map(str, programs)) if programs else library()
    run = engine.run(known, given, timeout=left() * 0.5)
    attempts.update((task.task, task.attempts) for task in run)
    write_submission(given, attempts, output)
    fits = run.fits
    say(f"{fits} of {len(given)} fit by {len(known)} programs, {left():.0f} s left")
    # Searches that get longer: each begins anew, and the file is the better for every one of them.
    fitting: set[str] = set()
    budget = FIRST_SEARCH
    while left() > 2:
        # The rest is for evolution.
        most = min(LONGEST_SEARCH, 0.6 * left() * engine.threads / max(1, len(given)))
        budget = min(budget, most)
        found = engine.solve(given, known, budget=budget, timeout=left() * 0.7)
        new = {task for task, one in found.items() if one.is_fit}
        for task, one in found.items():
            if any(one.attempts) and (task in new or task not in fitting):
                attempts[task] = one.attempts
        fitting |= new
        write_submission(given, attempts, output)
        fits = max(fits, len(fitting))
        say(f"{len(fitting)} of {len(given)} fit after a search of {budget:.2f} s a task, {left():.0f} s left")
        if budget == most:
            break
        budget *= 5
    # Rounds that get longer: each goes on from the archive of the one before.
    archive = pathlib.Path(output).with_suffix(".db")
    archive.unlink(missing_ok=True)
    generations = 4
    while left() > 1:
        found = engine.evolve(known, given, archive=str(archive), generations=generations, timeout=left()).result()
        new = set(found.found) - fitting
        for task, tests in found.attempts.items():
            if any(tests) and (task in new or task not in attempts):
                attempts[task] = tests
        write_submission(given, attempts, output)
        fits = max(fits, found.fits)
        say(f"{found.fits} of {len(given)} fit after {found.generations} generations, {left():.0f} s left")
        if found.stopped or found.fits == len(given):
            break
        generations *= 2
    return fits


def pack_wheel(folder: pathlib.Path) -> pathlib.Path:
    """The wheel that this package was installed from, put together again from its files."""
    distribution = importlib.metadata.distribution("arcloom")
    tags = [line[5:] for line in (distribution.read_text("WHEEL") or "").splitlines() if line.startswith("Tag: ")]
    if not tags or not distribution.files:
        raise SystemExit("arcloom: the package is not installed from a wheel; give one with --wheel")
    path = folder / f"arcloom-{distribution.version}-{tags[0]}.whl"
    record = f"arcloom-{distribution.version}.dist-info/RECORD"
    rows: list[list[object]] = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for file in sorted(distribution.files, key=str):
            name = file.as_posix()
            made = name.startswith("..") or name.endswith((".pyc", "/INSTALLER", "/REQUESTED", "/direct_url.json", "/RECORD"))
            if made or not file.locate().is_file():
                continue
            data = file.locate().read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            rows.append([name, f"sha256={digest}", len(data)])
            wheel.writestr(name, data)
        if not any(name.startswith("arcloom/_native") for name, *_ in rows):
            raise SystemExit("arcloom: the package is installed for development; give a wheel with --wheel")
        with wheel.open(record, "w") as out:
            lines = [*rows, [record, "", ""]]
            out.write("".join(",".join(map(_quoted, row)) + "\n" for row in lines).encode())
    return path


def _quoted(field: object) -> str:
    text = str(field)
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\n') else text
