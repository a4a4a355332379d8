#!/usr/bin/env python3
"""re-arc's generators and verifiers, unchanged, on the original functions and on `arcloom.dsl`.

    python3 scripts/rearc_python.py RE_ARC_CHECKOUT [INSTANCES]

Every generator makes so many instances on either, and both sets of verifiers run on both sets of instances. Said are
generators that raise, verifiers that raise or differ where those of the original do not on the same instance, and the
processor time of each. Exit code 1 when something raises here alone.
"""

import collections
import importlib
import pathlib
import random
import sys
import time
import types

#: Difficulties: small instances, so that every generator is asked often.
EASY, HARD = 0.0, 0.3


def modules(folder, dsl):
    """The generators and verifiers with this module in the place of `dsl`, or with the original."""
    names = ("dsl", "utils", "generators", "verifiers")
    for name in names:
        sys.modules.pop(name, None)
    if dsl is not None:
        sys.modules["dsl"] = dsl
    sys.path.insert(0, str(folder))
    try:
        return importlib.import_module("generators"), importlib.import_module("verifiers")
    finally:
        sys.path.pop(0)


def ours():
    import arcloom.constants
    import arcloom.dsl

    # re-arc's module has the constants in it too.
    module = types.ModuleType("dsl")
    module.__dict__.update((name, getattr(arcloom.dsl, name)) for name in arcloom.dsl.__all__)
    module.__dict__.update((name, value) for name, value in vars(arcloom.constants).items() if not name.startswith("_"))
    return module


def verdict(verify, one):
    try:
        return "right" if verify(one["input"]) == one["output"] else "wrong"
    except Exception as error:
        return f"raises {type(error).__name__}"


def main(folder, count="3"):
    # Only drawings need it.
    for name in ("matplotlib", "matplotlib.pyplot", "matplotlib.colors"):
        sys.modules.setdefault(name, types.ModuleType(name))
    sys.modules["matplotlib.colors"].ListedColormap = sys.modules["matplotlib.colors"].Normalize = object
    sides = {"original": modules(pathlib.Path(folder), None), "arcloom": modules(pathlib.Path(folder), ours())}
    names = sorted(name.removeprefix("generate_") for name in vars(sides["original"][0]) if name.startswith("generate_"))
    cpu, broken = collections.Counter(), []
    instances = {}
    for side, (generators, _) in sides.items():
        for name in names:
            random.seed(int(name, 16))
            began = time.process_time()
            try:
                instances[side, name] = [getattr(generators, f"generate_{name}")(EASY, HARD) for _ in range(int(count))]
            except Exception as error:
                broken.append(f"{side}: generate_{name} raises {type(error).__name__}: {error}")
            cpu["generate", side] += time.process_time() - began
    found = collections.Counter()
    for (made_by, name), all in instances.items():
        for one in all:
            said = {}
            for side, (_, verifiers) in sides.items():
                began = time.process_time()
                said[side] = verdict(getattr(verifiers, f"verify_{name}"), one)
                cpu["verify", side] += time.process_time() - began
                found[side, said[side].split()[0]] += 1
            if said["arcloom"].startswith("raises") and not said["original"].startswith("raises"):
                broken.append(f"verify_{name} {said['arcloom']} here alone, on an instance of {made_by}'s")
    ran = {side: sum((side, name) in instances for name in names) for side in sides}
    for side in sides:
        counts = ", ".join(f"{found[side, what]} {what}" for what in ("right", "wrong", "raises"))
        print(f"{side:8}  {ran[side]} of {len(names)} generators run in {cpu['generate', side]:.2f} s; verifiers in {cpu['verify', side]:.2f} s: {counts}")
    for line in broken:
        print(line)
    return 1 if any("arcloom" in line or "here alone" in line for line in broken) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
