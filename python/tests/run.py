"""Runs the tests of this folder with nothing but the standard library.

The closing line has the form that `cargo xtask test` counts.
"""

import pathlib
import sys
import unittest

here = pathlib.Path(__file__).parent
suite = unittest.defaultTestLoader.discover(str(here), pattern=sys.argv[1] if sys.argv[1:] else "test_*.py")
result = unittest.TextTestRunner(stream=sys.stdout, verbosity=1).run(suite)
for test, reason in result.skipped:
    print(f"   SKIPPED: {test}: {reason}")
failed = len(result.failures) + len(result.errors)
passed = result.testsRun - failed - len(result.skipped)
print(f"test result: {'ok' if failed == 0 else 'FAILED'}. {passed} passed; {failed} failed; {len(result.skipped)} skipped")
sys.exit(failed != 0)
