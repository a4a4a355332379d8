#!/bin/sh
# What a GPU really brings: run this on a machine with one, from the repository's root, and tell us what it
# prints. It takes some minutes; the public tasks and programs are fetched if they are not there.
set -eu
arcloom="${ARCLOOM:-cargo run --release --quiet --}"
$arcloom data pull
$arcloom devices
$arcloom bench -p library:rearc -t arc1/training --device --task-counts 400 --program-counts 400 --batches 1000 --repeats 1
for device in cpu gpu auto; do
    echo "== --device $device"
    $arcloom run -p library:rearc -t arc1/training --device "$device" --json > "run_$device.json"
    python3 - "run_$device.json" <<'PY'
import json, sys
run = json.load(open(sys.argv[1]))
timing = run["timing"]
stages = {name: round(row["wall_seconds"], 3) for name, row in timing["stages"].items()}
print("fits", run["fits_count"], "right", run["right_count"], "stages", stages)
print(json.dumps(timing["device"], indent=1))
PY
done
python3 - <<'PY'
import json
runs = [json.load(open(f"run_{device}.json")) for device in ("cpu", "gpu", "auto")]
same = all(run["results"] == runs[0]["results"] for run in runs)
print("results are the same" if same else "RESULTS DIFFER: please report this")
PY
