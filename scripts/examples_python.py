"""The Python definitions of primitives that arc-dsl lacks keep the documented examples.

Usage: examples_python.py DSL_DIR

DSL_DIR holds arc-dsl's `dsl.py` and `constants.py`. Examples are read from docs/reference, definitions
from crates/arcloom-dsl/src.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def names(dsl_dir: str) -> dict[str, object]:
    """Everything an example may use."""
    sys.path.insert(0, dsl_dir)
    found = {}
    exec("from dsl import *\nfrom constants import *", found)
    constants = (ROOT / "docs/reference/constants.md").read_text()
    for name, value in re.findall(r"^\| `(\w+)` \| `([^`]+)` \|", constants, re.M):
        found.setdefault(name, eval(value))
    for source in sorted((ROOT / "crates/arcloom-dsl/src").rglob("*.py")):
        exec(source.read_text(), found)
    return found


def examples(page: str) -> list[str]:
    """The examples of the primitives on a page that arc-dsl lacks."""
    found = []
    for section in page.split("\n## ")[1:]:
        if "not in arc-dsl" in section:
            for fence in re.findall(r"```python\n(.*?)```", section, re.S):
                found += [line for line in fence.splitlines() if line.strip()]
    return found


def holds(example: str, known: dict[str, object]) -> bool:
    if example.endswith(" fails"):
        try:
            eval(example.removesuffix(" fails"), known)
        except Exception:
            return True
        return False
    try:
        return bool(eval(example, known))
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
        return False


def main() -> int:
    known = names(sys.argv[1])
    lines = [line for page in sorted((ROOT / "docs/reference").glob("*.md")) for line in examples(page.read_text())]
    wrong = [line for line in lines if not holds(line, known)]
    for line in wrong:
        print(f"wrong: {line}")
    print(f"{len(lines)} examples, {len(wrong)} wrong")
    return 1 if wrong or not lines else 0


if __name__ == "__main__":
    sys.exit(main())
