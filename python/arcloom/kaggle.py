"""A folder that runs on Kaggle with the internet switched off: wheel, programs, notebook.

`arcloom kaggle-bundle DIR` writes it. Upload the folder as a dataset, open the notebook in it, add the
competition's data, submit. The notebook installs the wheel without an index and calls `solve` below.
"""

import argparse
import base64
import hashlib
import importlib.metadata
import json
import os
import pathlib
import shutil
import sys
import time
import zipfile

from . import Engine, library, tasks, write_submission

#: Seconds that are left over at the end, to write the file and leave.
MARGIN = 10.0


def cores():
    """Processors this process may use, which a container keeps below those of the machine."""
    found = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = pathlib.Path("/sys/fs/cgroup/cpu.max").read_text().split()
        if quota != "max":
            found = min(found, max(1, int(quota) // int(period)))
    except (OSError, ValueError):
        pass
    return found


def solve(challenges, programs, output="submission.json", seconds=11.5 * 3600, threads=None, say=print):
    """Two attempts for every test of a challenges file, within so many seconds.

    A valid file is there from the first second on and is replaced whenever there is something better:
    blank attempts, then the best of all programs, then what a search and what evolution find. Whoever ends the process
    leaves the last one. Gives the number of tasks whose demos some program fits.
    """
    end = time.monotonic() + seconds - min(MARGIN, seconds / 10)
    left = lambda: max(0.0, end - time.monotonic())  # noqa: E731
    given = tasks(str(challenges))
    attempts = {}
    write_submission(given, attempts, output)
    engine = Engine(threads=threads or cores())
    say(f"{len(given)} tasks, {engine.threads} threads, {left():.0f} s")
    known = library(*map(str, programs)) if programs else library()
    run = engine.run(known, given, timeout=left() * 0.5)
    attempts.update((task, run.attempts(task)) for task in run.columns["task"])
    write_submission(given, attempts, output)
    fitted = run.fitted
    say(f"{fitted} of {len(given)} fitted by {len(known)} programs, {left():.0f} s left")
    # Search, first a little and then for longer, with half of the time that is left each.
    solved = set()
    for _ in range(2):
        if left() < 2:
            break
        budget = max(0.02, 0.4 * left() * engine.threads / max(1, len(given)))
        found = engine.solve(given, known, budget=min(budget, 60.0), timeout=left() * 0.6)
        for task, one in found.items():
            if any(one["attempts"]) and (one["solved"] or task not in solved):
                attempts[task] = one["attempts"]
        solved.update(task for task, one in found.items() if one["solved"])
        write_submission(given, attempts, output)
        fitted = max(fitted, len(solved))
        say(f"{len(solved)} of {len(given)} fitted after a search of {budget:.2f} s a task, {left():.0f} s left")
    # Rounds that get longer: each goes on from the archive of the one before.
    archive = pathlib.Path(output).with_suffix(".db")
    archive.unlink(missing_ok=True)
    generations = 4
    while left() > 1:
        found = engine.evolve(known, given, archive=str(archive), generations=generations, timeout=left()).result()
        new = set(found["found"]) - solved
        for task, tests in found["attempts"].items():
            if any(tests) and (task in new or task not in attempts):
                attempts[task] = tests
        write_submission(given, attempts, output)
        fitted = max(fitted, found["solved"])
        say(f"{found['solved']} of {len(given)} after {found['generations']} generations, {left():.0f} s left")
        if found["stopped"] or found["solved"] == len(given):
            break
        generations *= 2
    return fitted


def notebook(files):
    """The notebook, as Jupyter has it."""
    cells = [
        ("markdown", "# ARC with arcloom\n\nRuns offline. Set the paths and the time in the first cell."),
        (
            "code",
            "import os, pathlib\n"
            "HERE = pathlib.Path(os.environ.get('ARCLOOM_BUNDLE', '/kaggle/input/arcloom-bundle'))\n"
            "CHALLENGES = os.environ.get('ARCLOOM_CHALLENGES') or next(\n"
            "    map(str, pathlib.Path('/kaggle/input').glob('**/arc-agi_test_challenges.json')), None\n"
            ")\n"
            "SECONDS = float(os.environ.get('ARCLOOM_SECONDS', 11.5 * 3600))\n"
            "OUTPUT = os.environ.get('ARCLOOM_OUTPUT', 'submission.json')",
        ),
        (
            "code",
            "import subprocess, sys\n"
            "wheel = next(HERE.glob('arcloom-*.whl'))\n"
            "subprocess.run([sys.executable, '-m', 'pip', 'install', '--quiet', '--no-index',\n"
            "                '--disable-pip-version-check', str(wheel)], check=True)",
        ),
        (
            "code",
            "import arcloom.kaggle\n"
            f"programs = [HERE / name for name in {sorted(files)!r}]\n"
            "arcloom.kaggle.solve(CHALLENGES, programs, output=OUTPUT, seconds=SECONDS)",
        ),
    ]
    made = []
    for n, (kind, source) in enumerate(cells):
        cell = {"cell_type": kind, "id": f"cell-{n}", "metadata": {}, "source": source.splitlines(keepends=True)}
        if kind == "code":
            cell.update(execution_count=None, outputs=[])
        made.append(cell)
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": made, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def pack_wheel(folder):
    """The wheel that this package was installed from, put together again from its files."""
    distribution = importlib.metadata.distribution("arcloom")
    tags = [line[5:] for line in (distribution.read_text("WHEEL") or "").splitlines() if line.startswith("Tag: ")]
    if not tags or not distribution.files:
        raise SystemExit("arcloom: the package is not installed from a wheel; give one with --wheel")
    path = folder / f"arcloom-{distribution.version}-{tags[0]}.whl"
    record = f"arcloom-{distribution.version}.dist-info/RECORD"
    rows = []
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


def _quoted(field):
    text = str(field)
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"\n') else text


def bundle(folder, wheel=None, programs=()):
    """Writes wheel, programs and notebook into a folder; gives the paths."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written = [pathlib.Path(shutil.copy(wheel, folder)) if wheel else pack_wheel(folder)]
    names = []
    for n, spec in enumerate(programs):
        # Whatever the name stands for becomes a file of its own, so that nothing needs to be fetched.
        found = library(spec)
        name = f"programs_{n + 1}.py"
        text = "\n\n".join(program.text for program in found)
        (folder / name).write_text(text)
        names.append(name)
        written.append(folder / name)
    (folder / "arcloom.ipynb").write_text(json.dumps(notebook(names), indent=1) + "\n")
    return [*written, folder / "arcloom.ipynb"]


def main(words):
    parser = argparse.ArgumentParser(prog="arcloom kaggle-bundle", description=__doc__.splitlines()[0])
    parser.add_argument("folder", help="where to write")
    parser.add_argument("--wheel", help="the wheel to take [default: made from the installed package]")
    parser.add_argument("-p", "--programs", action="append", default=[], help="a library or file of programs, may be repeated [default: the built-in ones]")
    args = parser.parse_args(words)
    for path in bundle(args.folder, args.wheel, args.programs):
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
