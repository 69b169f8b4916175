#!/usr/bin/env python3
"""Writes log_z.csv: log Z of generated models, by definition and set by set, in 50 decimal digits.

    make_log_z.py PROGRAM > log_z.csv

PROGRAM is the surefield program; nothing of it is used but `generate`, whose JSON is read here. F is
written out anew from docs/file_formats.md and docs/models, so these values judge the library and
not it itself. Only Python's standard library is needed.
"""
import json
import subprocess
import sys
from decimal import Decimal, getcontext

getcontext().prec = 50
D = Decimal

# generator, items, groups
INSTANCES = [
    ("flid", 7, 3), ("flid", 9, 1), ("facility-location", 8, 5), ("coverage", 8, 6),
    ("soft-grid", 9, None), ("hard-grid", 9, None), ("cut", 8, None), ("directed-cut", 8, None),
    ("hypergraph-cut", 8, 6), ("gibbs", 8, 6), ("concave-over-modular", 8, 4), ("log-det", 6, None),
]
SEEDS = (1, 2)
BETAS = ("1", "0.5", "4")


def log_det(kernel, chosen):
    rows = [[kernel[i][j] for j in chosen] for i in chosen]
    log = D(0)
    for k in range(len(rows)):
        log += rows[k][k].ln()
        for i in range(k + 1, len(rows)):
            factor = rows[i][k] / rows[k][k]
            for j in range(k, len(rows)):
                rows[i][j] -= factor * rows[k][j]
    return log


def product(numbers):
    result = D(1)
    for number in numbers:
        result *= number
    return result


def value(model, s):
    """F(s), s a set of items."""
    kind = model["kind"]
    if kind == "flid":
        rows = [model["weights"][i] for i in s]
        return sum((model["utility"][i] for i in s), D(0)) + sum(
            (max(column) - sum(column) for column in zip(*rows)), D(0))
    if kind == "facility-location":
        best = sum((max([D(0)] + [b for i, b in zip(c["items"], c["benefit"]) if i in s])
                    for c in model["customers"]), D(0))
        return best - sum((model["cost"][i] for i in s), D(0))
    if kind == "coverage":
        covered = D(0)
        for c in model["concepts"]:
            chance = c.get("probability", [D(1)] * len(c["items"]))
            covered += c["weight"] * (1 - product(1 - p for i, p in zip(c["items"], chance) if i in s))
        return covered - sum((model["cost"][i] for i in s), D(0))
    if kind == "log-det":
        return log_det(model["kernel"], sorted(s))
    if kind == "concave-over-modular":
        total = sum((model["modular"][i] for i in s), D(0))
        for g in model["groups"]:
            assert g["shape"] == "power" and g["parameter"] == D("0.5")
            total += g["weight"] * sum((w for i, w in zip(g["items"], g["weights"]) if i in s), D(0)).sqrt()
        return total
    total = model.get("constant", D(0)) + sum((model["bias"][i] for i in s), D(0))
    if kind == "pairwise":
        return total + sum((c for i, j, c in model["edges"] if i in s and j in s), D(0))
    if kind == "cut":
        directed = model.get("directed", False)
        for i, j, w in model["edges"]:
            if (i in s and j not in s) or (not directed and j in s and i not in s):
                total += w
        return total
    if kind == "hypergraph-cut":
        for e in model["hyperedges"]:
            tail, head = e.get("tail", e.get("nodes")), e.get("head", e.get("nodes"))
            if any(i in s for i in tail) and not all(i in s for i in head):
                total += e["weight"]
        return total
    if kind == "gibbs":
        return total + sum((t["coefficient"] for t in model["terms"]
                            if all(i in s for i in t["variables"])), D(0))
    raise SystemExit(f"no definition of '{kind}' here")


def items_of(model):
    for key in ("utility", "cost", "bias", "modular", "kernel"):
        if key in model:
            return len(model[key])


def main(program):
    print("generator,items,groups,seed,beta,log_z,log_z_non_empty,first_marginal")
    for name, items, groups in INSTANCES:
        for seed in SEEDS:
            command = [program, "generate", name, "-n", str(items), "--seed", str(seed), "-q"]
            if groups is not None:
                command += ["-g", str(groups)]
            text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            model = json.loads(text, parse_float=lambda x: D(float(x)), parse_int=D)
            n = items_of(model)
            assert n == items
            values = [value(model, {i for i in range(n) if code >> i & 1}) for code in range(2 ** n)]
            for beta in BETAS:
                terms = [(D(beta) * v).exp() for v in values]
                whole, rest = sum(terms), sum(terms[1:])
                first = sum(t for code, t in enumerate(terms) if code & 1) / whole
                print(f"{name},{items},{'' if groups is None else groups},{seed},{beta},"
                      f"{whole.ln():.25f},{rest.ln():.25f},{first:.25f}")


if __name__ == "__main__":
    main(sys.argv[1])
