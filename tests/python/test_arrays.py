"""Arrays of every type, order, stride and emptiness: the answer of the float64 one, or one clear error.

SUREFIELD_CASES=100000 tries so many; a few hundred are in the suite.
"""
import os
import re
import warnings

import numpy as np
import scipy.sparse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import surefield as sf

CASES = int(os.environ.get("SUREFIELD_CASES", "300"))
TYPES = ["f8", "f4", "f2", "g", ">f8", "<f4", "i1", "i2", "i4", "i8", "u1", "u4", "u8", "?", "c16", "U3", "S2", "O", "M8[s]"]
ENTRIES = [0, 1, -1, 0.5, 2, 3, -0.25, 1e300, 1e-300, float("nan"), float("inf"), 2**53 + 1]
SPARSE = [scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.coo_matrix, scipy.sparse.lil_matrix]


def table(draw, rows: int, columns: int) -> object:
    entries = draw(st.lists(st.sampled_from(ENTRIES), min_size=rows * columns, max_size=rows * columns))
    type_ = draw(st.sampled_from(TYPES))
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            array = np.array(entries, dtype=object).reshape(rows, columns).astype(type_)
        except (OverflowError, ValueError, TypeError):
            array = np.array(entries, dtype="f8").reshape(rows, columns)
    shape = draw(st.sampled_from(["C", "F", "step", "reversed", "frozen", "list", "masked", "matrix", "sparse"]))
    if shape == "F":
        return np.asfortranarray(array)
    if shape == "step":
        wide = np.zeros((rows * 2, columns * 3), dtype=array.dtype)
        wide[::2, ::3] = array
        return wide[::2, ::3]
    if shape == "reversed":
        return array[::-1, ::-1].copy()[::-1, ::-1]
    if shape == "frozen":
        array.flags.writeable = False
    if shape == "list":
        return array.tolist()
    if shape == "masked":
        return np.ma.array(array, mask=draw(st.booleans()))
    if shape == "matrix" and array.dtype.kind != "O":
        return np.asmatrix(array)
    if shape == "sparse" and array.dtype.kind in "fiub" and array.dtype.itemsize <= 8 and array.dtype.isnative and array.dtype != "f2":
        return draw(st.sampled_from(SPARSE))(array)
    return array


def plain(value: object) -> np.ndarray:
    """The same numbers as float64 in C order, by NumPy alone."""
    if scipy.sparse.issparse(value):
        value = value.toarray()  # type: ignore[attr-defined]
    return np.array(np.asarray(value), dtype=np.float64, order="C")


FAMILIES = {
    "flid": lambda u, w: sf.Flid(u, w),
    "facility": lambda u, w: sf.FacilityLocation(w, u),
    "coverage": lambda u, w: sf.Coverage(w, cost=u),
    "pairwise": lambda u, b: sf.PairwiseField(u, b),
    "cut": lambda u, b: sf.GraphCut(b, u, directed=True),
    "concave": lambda u, w: sf.ConcaveOverModular(u, w, "log"),
    "log det": lambda u, b: sf.LogDet(b),
    "gibbs": lambda u, w: sf.GibbsField(u, w, np.ones(np.shape(w)[1] if np.ndim(w) == 2 else 0)),
    "sets": lambda u, w: sf.Sets(w).to_csr().toarray().tolist(),
}


SQUARE = {"pairwise", "cut", "log det"}


@st.composite
def cases(draw):
    n, d = draw(st.integers(0, 4)), draw(st.integers(0, 3))
    rows = draw(st.sampled_from([n, n, n, n + 1]))
    column = table(draw, rows, 1)
    utility = column.ravel() if isinstance(column, np.ndarray) and not isinstance(column, np.matrix) else column
    return draw(st.sampled_from(sorted(FAMILIES))), utility, table(draw, n, d), table(draw, n, n)


def outcome(family: str, arrays: tuple) -> tuple[str, object]:
    try:
        return "made", FAMILIES[family](*arrays)
    except sf.Error as error:
        assert re.match(r"\S", str(error)) and "\n" not in str(error)
        return "refused", str(error)


@settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=CASES <= 1000, database=None)
@given(cases())
def test_every_array_is_the_float64_one_or_refused(case) -> None:
    family, *arrays = case
    arrays = arrays[:2] if family not in SQUARE else [arrays[0], arrays[2]]
    if family in ("gibbs", "sets") and isinstance(arrays[1], list):  # lists hold items there, not entries
        arrays[1] = np.asarray(arrays[1])
    how, made = outcome(family, tuple(arrays))
    if how == "refused":
        return
    with np.errstate(all="ignore"):
        used = arrays[1:] if family in ("log det", "sets") else arrays
        same = outcome(family, (None, plain(used[0])) if len(used) == 1 else tuple(map(plain, used)))
    assert same == ("made", made)
    if isinstance(made, sf.Model):
        values = made.evaluate(np.ones((2, len(made)), dtype=np.int16))
        assert values.shape == (2,) and np.isfinite(values).all()


@settings(max_examples=CASES // 3, deadline=None, suppress_health_check=list(HealthCheck), derandomize=CASES <= 1000, database=None)
@given(st.data())
def test_points_and_sets_of_every_kind(data) -> None:
    model = sf.Flid([1.0, -0.5, 0.25], [[0.5, 0.1], [0.2, 0.3], [0.9, 0.0]])
    value = table(data.draw, data.draw(st.integers(0, 3)), data.draw(st.sampled_from([3, 3, 3, 2, 0])))
    for ask in (model.evaluate, model.extension, model.gradient, lambda v: model.gain(1, v)):
        try:
            found = ask(value)
        except sf.Error as error:
            assert str(error)
            continue
        assert np.array_equal(found, ask(plain(value)))
