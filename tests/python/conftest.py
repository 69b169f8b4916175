"""Tests of the Python package, run on the one of the build folder (PYTHONPATH) by ctest; see CONTRIBUTING.md."""
import itertools
import os
import pathlib
import subprocess

import numpy as np
import pytest

import surefield as sf


@pytest.fixture
def program(tmp_path):
    """Runs the command line in a folder of its own and gives what it wrote to stdout."""
    path = os.environ.get("SUREFIELD_PROGRAM")
    if not path or not pathlib.Path(path).exists():
        pytest.skip("SUREFIELD_PROGRAM names no program to compare with")

    def run(*arguments: object) -> str:
        done = subprocess.run([path, *map(str, arguments)], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    return run


def all_sets(n: int) -> np.ndarray:
    return np.array(list(itertools.product([0, 1], repeat=n)), dtype=np.uint8).reshape(-1, n)


def example_models() -> dict[str, sf.Model]:
    """One of every family, of five items, and F as its definition says, in plain NumPy."""
    rng = np.random.default_rng(5)
    n = 5
    low = -np.tril(rng.random((n, n)), -1)
    kernel = rng.random((n, n)) * 0.3
    return {
        "flid": sf.Flid(rng.normal(size=n), rng.random((n, 2))),
        "fldc": sf.Fldc(np.linspace(-1, 1, n), np.linspace(0, 1, 2 * n).reshape(n, 2), np.linspace(1, 0, n).reshape(n, 1)),
        "facility-location": sf.FacilityLocation(rng.random((n, 3)), rng.random(n)),
        "coverage": sf.Coverage(rng.random((n, 3)), rng.random(3), rng.random(n)),
        "pairwise": sf.PairwiseField(rng.normal(size=n), low + low.T, 0.25),
        "cut": sf.GraphCut(rng.random((n, n)) * (1 - np.eye(n)), rng.normal(size=n), directed=True),
        "hypergraph-cut": sf.HypergraphCut(rng.normal(size=n), [[0, 1, 2], [2, 3, 4]], [1.5, 0.5]),
        "gibbs": sf.GibbsField(rng.normal(size=n), [[0, 1], [1, 2, 3]], [-1.0, -0.5], 0.125),
        "concave-over-modular": sf.ConcaveOverModular(
            rng.normal(size=n), rng.random((n, 2)), ["power", "log"], [1.0, 2.0], parameters=[0.5, 0.0]
        ),
        "log-det": sf.LogDet(np.eye(n) + kernel @ kernel.T),
        "black-box": sf.SetFunction(n, concave_of_size),
        "sum": sf.Flid(rng.normal(size=n), rng.random((n, 2))) + 2 * sf.GraphCut(-low),
    }


def concave_of_size(S: np.ndarray) -> float:
    return float(np.sqrt(S.sum()))
