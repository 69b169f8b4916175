"""What Python adds: the time of a call beyond the library's own, and the memory of a large field made of a sparse matrix.

Run with the package on the path:

    PYTHONPATH=build/release/python python3 bench/python_calls.py
    PYTHONPATH=build/release/python python3 bench/python_calls.py 1000 csr   # the field alone, of 1000 by 1000 nodes
"""
import os
import pathlib
import subprocess
import sys
import time

import numpy as np
import scipy.sparse

import surefield as sf


def overhead(**options) -> tuple[float, float]:
    """Microseconds of `infer` on a FLID of 20 items that are not the library's: the least and the median of many calls."""
    rng = np.random.default_rng(1)
    model = sf.Flid(0.5 * rng.random(20), rng.random((20, 5)))
    found = []
    for _ in range(500):
        begun = time.perf_counter()
        result = sf.infer(model, threads=1, **options)
        found.append(time.perf_counter() - begun - result.to_dict()["seconds"])
    return 1e6 * min(found), 1e6 * float(np.median(found))


def mebibytes(what: str) -> float:
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(what)) / 1024


def field(side: int, form: str) -> tuple[float, float]:
    """MiB of the arrays of a grid, and by how much making a field of them raises the memory at most."""
    rng = np.random.default_rng(1)
    n = side * side
    i = np.arange(n)
    right, down = i[i % side < side - 1], i[:-side]
    grid = scipy.sparse.coo_matrix(
        (-rng.random(len(right) + len(down)), (np.r_[right, down], np.r_[right + 1, down + side])), shape=(n, n)
    )
    coupling, bias = (grid + grid.T).asformat(form), rng.random(n)
    given = sum(array.nbytes for array in (bias, coupling.data, coupling.indices, coupling.indptr)) / 2**20
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # the greatest memory from here on
    before = mebibytes("VmRSS")
    assert len(sf.PairwiseField(bias, coupling)) == n
    return given, mebibytes("VmHWM") - before


if len(sys.argv) == 3:
    print(*field(int(sys.argv[1]), sys.argv[2]))
    sys.exit()
for algorithm in ("best", "dr-double-greedy", "coordinate-ascent"):
    least, median = overhead(algorithm=algorithm)
    print(f"infer, FLID of 20 items, {algorithm}: Python adds {least:.0f} microseconds at least, {median:.0f} in the median")
for form in ("csr", "csc"):
    # In a process of its own, where what is freed goes back at once: nothing is hidden in what was used before.
    alone = [sys.executable, __file__, "1000", form]
    said = subprocess.run(alone, env=os.environ | {"MALLOC_MMAP_THRESHOLD_": "65536"}, capture_output=True, text=True, check=True)
    given, peak = map(float, said.stdout.split())
    print(f"field of 10^6 nodes from {form}: its arrays are {given:.0f} MiB, the memory rises by {peak:.0f} MiB at most")
