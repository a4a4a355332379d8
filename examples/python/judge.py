"""Judge programs that a language model wrote: `python judge.py TASK ANSWERS.jsonl`.

Each line of the file is {"text": "..."}: an answer as it came, prose, fences and all. For each program of each answer
one line is printed: demos that fit, similarity, and what is wrong.
"""
# pyright: strict

import json
import sys

import arcloom


def main(task: str, path: str) -> int:
    with open(path, encoding="utf-8") as file:
        answers = [str(json.loads(line)["text"]) for line in file if line.strip()]
    rows = arcloom.Engine().eval([(answer, task) for answer in answers], progress=True)
    for row in sorted(rows, key=lambda row: (row.fits, row.similarity), reverse=True):
        if row.error is not None:
            print(f"answer {row.job}: no program: {row.error}")
            continue
        why = next((str(pair.error) for pair in row.pairs if pair.error is not None), "")
        print(f"answer {row.job}: {row.name or 'lines'} fits {row.fits}/{row.demos}, similarity {row.similarity:.3f} {why}")
    return 0 if rows.fits else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
