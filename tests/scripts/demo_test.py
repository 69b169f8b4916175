"""What `make run` shows, end to end but with little time for each answer: where Python's module was built and where it was not.

    demo_test.py PROGRAM

A build folder has a place for the module before there is one, and `make run` builds the program alone.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

DEMO = pathlib.Path(__file__).parents[2] / "scripts" / "demo.sh"
# Work that takes seconds, cut short; everything else is as the demonstration asks.
HASTY = """#!/usr/bin/env bash
words=()
before=
for word in "$@"; do
  case $before in
    --certify | --seconds) word=0.2 ;;
    --epochs) word=2 ;;
  esac
  words+=("$word")
  before=$word
done
exec %s "${words[@]}"
"""


def run(folder, program):
    build, out = folder / "build", folder / "out of the way"
    hasty = build / "surefield"
    hasty.write_text(HASTY % program)
    hasty.chmod(0o755)
    # Any data of the authors is left out: the experiments on it have tests of their own.
    environment = os.environ | {"SUREFIELD_DATA": "/nowhere"}
    done = subprocess.run([DEMO, hasty, out], env=environment, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"make run would end with {done.returncode}: {done.stderr}")
    return done.stdout, out


def check(shown, out, has_python):
    heads = [line.split()[1] for line in shown.splitlines() if line.startswith("== ") and line.split()[1].isdigit()]
    expected = ["1", "2", "3", "4", "5", "6"] + (["7"] if has_python else [])
    if heads != expected:
        sys.exit(f"sections {heads}, not {expected}")
    if has_python and "<RecommendResult: " not in shown.split("== 7")[1]:
        sys.exit("Python shows no recommendation")
    results = sorted(file.name for file in (out / "results").iterdir())
    if len(results) != 11:
        sys.exit(f"results {results}")
    page = (out / "report.html").read_text()
    if "Answers that say how good they are" not in page or f"serve {out}/model.json" not in shown:
        sys.exit("no page, or no word of the studio")


if __name__ == "__main__":
    program = pathlib.Path(sys.argv[1])
    for has_python in (False, True):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "build" / "python" / "surefield").mkdir(parents=True)
            if has_python:
                (folder / "build" / "CMakeCache.txt").symlink_to(program.parent / "CMakeCache.txt")
                for file in (program.parent / "python" / "surefield").iterdir():
                    (folder / "build" / "python" / "surefield" / file.name).symlink_to(file)
            check(*run(folder, program), has_python)
