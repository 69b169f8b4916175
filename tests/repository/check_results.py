"""Every result of every command against docs/result_schema.json: no field is missing, of another type, or unknown to the schema.

Runs each command that has --format json on small problems, every experiment among them, then checks that the schema refuses
what it must and that the ends of every interval are in order.

usage: check_results.py PROGRAM ROOT
"""
import copy
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

import jsonschema

# What is run in order in one folder, --format json added. Exit code 1 is an answer short of what was asked.
COMMANDS = """
generate flid --items 8 --seed 1 -o model.json
generate flid --items 8 --seed 2 -o other.json
generate flid --items 8 --seed 3 -o third.json
generate hard-grid --items 9 --seed 1 -o grid.json
generate registries --items 10 --dims 2 --sets 80 --seed 1 -o sets.csv --truth truth.json
infer model.json --trace --certify 1
infer model.json -a coordinate-ascent --in 1 --out 2 --beta 2
infer grid.json -a equalised
infer truth.json --seconds 0
logz model.json --marginals
logz grid.json --seconds 1 --condition 2
logz model.json --beta 0.5 --enumerate 0 --seconds 0 --marginals
agree model.json other.json
agree model.json other.json third.json --beta 0.5,1
recommend truth.json --have 1 -k 3 --explain
recommend truth.json --have 1,2 --method mean-field
recommend model.json --method gain --out 0
sample model.json -k 5
sample grid.json -k 3 --method gibbs
best-set model.json -k 2
best-set grid.json --seconds 0
fit sets.csv --dims 2 --epochs 3 --folds 2 -o fold_{fold}.json
fit sets.csv --model modular -o modular.json
fit sets.csv --model pairwise --penalty 1 -o pairwise.json
fit sets.csv --epochs 2 --dims 1 -o auto.json
evaluate truth.json sets.csv
evaluate truth.json sets.csv --training sets.csv --non-empty --hide-one
select sets.csv --dims 0,1 --folds 3 --epochs 2 --starts 1
select sets.csv --dims 1 --beta 0.5,1 --folds 2 --epochs 2 --starts 1 --by likelihood
select sets.csv --families modular,pairwise --folds 2
list
reproduce all --data flid --log-z 0.1
reproduce certified --data flid --seconds 0.1
reproduce cuts --data graphs --seconds 0.1
reproduce hard-grid --seconds 0
reproduce best-sets --data fields --seconds 1
reproduce coverage --seconds 0
reproduce mixed-signs --data fields --seconds 0.1
reproduce registries --data registries --folds 1 --seconds 0.1
reproduce safety --data safety
"""


def strict(schema):
    """The schema with nothing allowed but what it names; the parts of conditions stay open."""
    if isinstance(schema, list):
        return [strict(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: one if key in ("if", "const", "enum", "required") else strict(one) for key, one in schema.items()}
    if out.get("type") == "object" and "properties" in out and "allOf" not in out:
        out.setdefault("additionalProperties", False)
    return out


def write_data(folder):
    """Small stand-ins for the authors' data: numbered items, as their files have them."""
    draw = random.Random(1)
    def sets(path, items, count):
        lines = [",".join(map(str, sorted(draw.sample(range(1, items + 1), draw.randint(1, 3))))) for _ in range(count)]
        path.write_text("\n".join([str(item) for item in range(1, items + 1)] + lines) + "\n")
    for name in ("flid", "registries", "safety", "fields", "graphs"):
        (folder / name).mkdir()
    (folder / "fields" / "G1.txt").write_text("3 2\n1 2 1\n2 3 1\n")
    (folder / "fields" / "Grids_1.uai").write_text("MARKOV 2 2 2 3 1 0 1 1 2 0 1 2 1 2 2 3 4 4 1 5 5 1\n")
    (folder / "graphs" / "g05_60.0").write_text("3 3\n1 2 1\n1 3 1\n2 3 1\n")
    sets(folder / "registries" / "x_gear_regs.csv", 8, 60)
    for fold in range(1, 11):
        for part, count in (("train", 30), ("test", 8)):
            sets(folder / "safety" / f"1_100_100_100_safety_regs_{part}_fold_{fold}.csv", 36, count)
    return [f"generate flid --items 36 -g {dims} --seed {fold} --to flid -o flid/safety_flid_d_{dims}_fold_{fold}.txt"
            for dims in (2, 3, 10) for fold in (1, 2)]


def crossed(value, path=""):
    """Every x_lower above its x_upper, and every interval of two numbers the wrong way round."""
    if isinstance(value, list):
        if path.endswith(("log_z", "optimum", "log_likelihood", "non_empty")) and len(value) == 2 and None not in value and value[0] > value[1]:
            yield path
        for k, one in enumerate(value):
            yield from crossed(one, f"{path}/{k}")
    elif isinstance(value, dict):
        for key, one in value.items():
            other = value.get(re.sub(r"lower$", "upper", key))
            if key.endswith("lower") and isinstance(one, (int, float)) and isinstance(other, (int, float)) and one > other:
                yield f"{path}/{key}"
            yield from crossed(one, f"{path}/{key}")


def complaints(validator, result):
    return [f"{'/'.join(map(str, error.absolute_path)) or '(top)'}: {error.message[:300]}" for error in validator.iter_errors(result)]


def refusals(validator, results):
    """What the schema must refuse: a field taken away, added, of another type, out of range; each on a real result."""
    infer = next(one for one in results if one["command"] == "infer")
    def changed(change):
        result = copy.deepcopy(infer)
        change(result)
        return result
    bad = {"a field taken away": lambda r: r.pop("upper_bound"), "a field added": lambda r: r.update(extra=1),
           "a number as text": lambda r: r.update(elbo="6.1"), "a probability of 2": lambda r: r["marginals"].append(2),
           "an unknown status": lambda r: r.update(status="fine"), "another version": lambda r: r.update(surefield="2"),
           "an unknown command": lambda r: r.update(command="dance"), "a field of a part taken away": lambda r: r["trace"][0].pop("seconds")}
    for name, change in bad.items():
        if not complaints(validator, changed(change)):
            yield f"the schema lets pass {name}"
    if not list(crossed({"a": [{"x_lower": 2, "x_upper": 1}]})) or not list(crossed({"log_z": [2, 1]})):
        yield "crossed ends are not noticed"


def main():
    program, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    schema = json.loads((root / "docs" / "result_schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(strict(schema))
    results, failed = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for line in write_data(folder) + COMMANDS.strip().splitlines():
            arguments = line.split()
            made = arguments[0] != "generate"
            done = subprocess.run([program, *arguments, *(["--format", "json"] if made else []), "--quiet"], cwd=folder, capture_output=True, text=True, timeout=120)
            if done.returncode not in ((0, 1) if made else (0,)):
                failed.append(f"surefield {line}: exit {done.returncode}: {done.stderr.strip()}")
            elif made:
                result = json.loads(done.stdout, parse_constant=lambda text: failed.append(f"surefield {line}: holds {text}"))
                results.append(result)
                failed += [f"surefield {line}: {text}" for text in complaints(validator, result)]
                failed += [f"surefield {line}: {path}: the lower end is above the upper" for path in crossed(result)]
        commands = re.findall(r"^  ([a-z-]+) {2,}\S", subprocess.run([program, "--help"], capture_output=True, text=True).stdout.split("Subcommands:")[1], re.MULTILINE)
        offered = {one for one in commands if re.search(r"^  --format ", subprocess.run([program, one, "--help"], capture_output=True, text=True).stdout, re.MULTILINE)}
    seen = {one["command"] for one in results}
    failed += [f"no result of `surefield {one}` is checked" for one in sorted(offered - seen)]
    failed += [f"no result of the experiment {one} is checked" for one in sorted(
        set(schema["$defs"]["reproduce"]["properties"]["experiment"]["enum"])
        - {part["experiment"] for one in results if one["command"] == "reproduce" for part in [one, *one.get("experiments", [])]})]
    failed += refusals(validator, results)
    for text in failed:
        print(text)
    print(f"{len(results)} results of {len(seen)} commands, {len(failed)} complaints")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
