"""What the browser tests share: the command, where things are kept, and how they end."""

import os
import subprocess
import sys
import unittest

COMMAND = os.environ.get("ARCLOOM", "arcloom")
ARTIFACTS = os.environ.get("ARCLOOM_ARTIFACTS", "target/browser")


def run(*words, ok=(0,), **more):
    """Runs the command, which must end with one of these codes."""
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True, **more)
    if done.returncode not in ok:
        raise AssertionError(f"{words} ended with {done.returncode}: {done.stderr}{done.stdout}")
    return done


def has_set(name):
    """True when a public task set was fetched."""
    return name in run("data", "list").stdout


def main():
    """Runs the tests of a file, ending in the form in which `cargo xtask test` counts."""
    result = unittest.main(module="__main__", exit=False, verbosity=2).result
    for test, reason in result.skipped:
        print(f"   SKIPPED: {test}: {reason}")
    failed = len(result.failures) + len(result.errors)
    passed = result.testsRun - failed - len(result.skipped)
    print(f"test result: {'FAILED' if failed else 'ok'}. {passed} passed; {failed} failed; {len(result.skipped)} ignored")
    sys.exit(1 if failed else 0)
