#!/usr/bin/env python3
"""The paper's FLID models, released as Python pickles, as the FLID text that Surefield reads.

usage: flid_from_pickles.py PICKLES TEXT

PICKLES is the folder data/flid_models of the public repository bianan/optimal-dr-submodular-max: files
<category>_flid_d_<D>_fold_<k>.pkl, each a dictionary

    {"model": DiversityFun(V, n_dim, utilities (n), W (n x D), n_logz (1)), "time": seconds of training}

TEXT receives <category>_flid_d_<D>_fold_<k>.txt: line 1 `n D n_logz seconds`, line 2 the n utilities, then n rows of W, every
number with the digits that give it back exactly.

Unpickling runs whatever the file names, so nothing but the arrays is ever looked up: the few globals that such a file holds
are replaced by the stand-ins below, any other is refused, and neither NumPy nor the authors' code is imported. A file that is
refused is named with the reason and the rest still converted; the exit code is then 1, for bad arguments 2.
"""
import math
import os
import pathlib
import pickle
import re
import struct
import sys

NAME = re.compile(r"(?P<category>\w+)_flid_d_(?P<dimensions>\d+)_fold_(?P<fold>\d+)\.pkl")
REAL = {"f8": "d", "f4": "f", "i8": "q", "i4": "i"}  # dtype to struct


class Refused(Exception):
    """A file that is not a FLID model, in words."""


class Type:
    """numpy.dtype: a kind of number and its byte order."""

    def __init__(self, code, *_):
        self.code, self.order = code, "<"

    def __setstate__(self, state):
        if state[1] in ("<", ">"):
            self.order = state[1]

    def numbers(self, data):
        code = self.code.lstrip("<>=|")
        if self.code.startswith(">"):
            self.order = ">"
        if code not in REAL:
            raise Refused(f"it holds an array of type {self.code}, not of numbers")
        if isinstance(data, str):  # written by Python 2
            data = data.encode("latin1")
        size = struct.calcsize(REAL[code])
        if len(data) % size:
            raise Refused(f"it holds an array of {len(data)} bytes, not a multiple of {size}")
        return list(struct.unpack(f"{self.order}{len(data) // size}{REAL[code]}", data))


class Array:
    """numpy.ndarray: its shape and its numbers, row by row."""

    def __init__(self, *_):
        self.shape, self.numbers = (), []

    def __setstate__(self, state):
        _, shape, kind, by_column, data = state
        self.fill(shape, kind, by_column, data)

    def fill(self, shape, kind, by_column, data):
        if not isinstance(kind, Type):
            raise Refused("it holds an array without a type")
        self.shape, self.numbers = tuple(shape), kind.numbers(data)
        if math.prod(self.shape) != len(self.numbers):
            raise Refused(f"it holds an array of shape {self.shape} with {len(self.numbers)} numbers")
        if by_column and len(self.shape) == 2:
            rows, columns = self.shape
            self.numbers = [self.numbers[c * rows + r] for r in range(rows) for c in range(columns)]


class Model:
    """The authors' DiversityFun: whatever attributes the file gives it."""


def reconstruct_array(*_):
    return Array()


def array_of_buffer(data, kind, shape, order):
    array = Array()
    array.fill(shape, kind, order == "F", bytes(data))
    return array


def scalar(kind, data):
    return kind.numbers(data)[0]


def latin1(text, encoding):
    if encoding != "latin1":
        raise Refused(f"it encodes a text as {encoding}")
    return text.encode("latin1")


def new_object(kind, *_):
    return kind()


ALLOWED = {
    ("copy_reg", "_reconstructor"): new_object,
    ("copyreg", "_reconstructor"): new_object,
    ("__builtin__", "object"): object,
    ("builtins", "object"): object,
    ("__builtin__", "bytearray"): bytearray,
    ("builtins", "bytearray"): bytearray,
    ("_codecs", "encode"): latin1,
    ("numpy", "ndarray"): Array,
    ("numpy", "dtype"): Type,
}
for core in ("numpy.core", "numpy._core"):
    ALLOWED[core + ".multiarray", "_reconstruct"] = reconstruct_array
    ALLOWED[core + ".multiarray", "scalar"] = scalar
    ALLOWED[core + ".numeric", "_frombuffer"] = array_of_buffer
for module in ("functions.flid", "flid", "__main__"):
    ALLOWED[module, "DiversityFun"] = Model


class Reader(pickle.Unpickler):
    def find_class(self, module, name):
        if (module, name) not in ALLOWED:
            raise Refused(f"it asks for {module}.{name}, which no FLID model needs")
        return ALLOWED[module, name]


def read_model(path):
    """(n, D, n_logz, seconds, utilities, rows of weights) of one pickle; raises Refused."""
    try:
        with open(path, "rb") as file:
            result = Reader(file, encoding="latin1").load()
    except (Refused, OSError):
        raise
    except Exception as fault:  # a damaged pickle can fail in any way
        raise Refused(f"it is not a pickle that can be read: {fault}") from None
    if not isinstance(result, dict) or not isinstance(result.get("model"), Model):
        raise Refused("it holds no dictionary with a 'model'")
    attributes = vars(result["model"])
    for name in ("utilities", "W"):
        if not isinstance(attributes.get(name), Array):
            raise Refused(f"its model has no array '{name}'")
    utilities, weights = attributes["utilities"], attributes["W"]
    if len(weights.shape) != 2 or math.prod(utilities.shape) != weights.shape[0]:
        raise Refused(f"its utilities have shape {utilities.shape}, its weights {weights.shape}")
    constant = attributes.get("n_logz", 0.0)
    if isinstance(constant, Array):
        if len(constant.numbers) != 1:
            raise Refused(f"its n_logz has {len(constant.numbers)} numbers")
        constant = constant.numbers[0]
    n, dimensions = weights.shape
    numbers = [*utilities.numbers, *weights.numbers, float(constant)]
    if not all(math.isfinite(number) for number in numbers):
        raise Refused("it holds a number that is not finite")
    if min(weights.numbers, default=0) < 0:
        raise Refused("it holds a negative weight")
    rows = [weights.numbers[i * dimensions : (i + 1) * dimensions] for i in range(n)]
    return n, dimensions, constant, float(result.get("time", 0.0)), utilities.numbers, rows


def flid_text(n, dimensions, constant, seconds, utilities, rows):
    line = lambda numbers: " ".join(f"{number:.17g}" for number in numbers) + "\n"
    head = f"{n} {dimensions} {constant:.17g} {seconds:.17g}\n"
    return head + line(utilities) + "".join(line(row) for row in rows)


def main(arguments):
    if len(arguments) != 2:
        print("usage: flid_from_pickles.py PICKLES TEXT", file=sys.stderr)
        return 2
    source, target = map(pathlib.Path, arguments)
    if not source.is_dir():
        print(f"{source}: there is no such folder", file=sys.stderr)
        return 2
    files = sorted(path for path in source.iterdir() if NAME.fullmatch(path.name))
    if not files:
        print(f"{source}: it holds no file <category>_flid_d_<D>_fold_<k>.pkl", file=sys.stderr)
        return 2
    target.mkdir(parents=True, exist_ok=True)
    refused = 0
    for path in files:
        try:
            model = read_model(path)
            if model[1] != int(NAME.fullmatch(path.name)["dimensions"]):
                raise Refused(f"its weights have {model[1]} dimensions, unlike its name")
        except (Refused, OSError) as fault:
            print(f"{path}: {fault}", file=sys.stderr)
            refused += 1
            continue
        beside = target / (path.stem + ".txt.part")
        beside.write_text(flid_text(*model))
        os.replace(beside, target / (path.stem + ".txt"))
    print(f"{len(files) - refused} models written to {target}, {refused} refused", file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
