"""Arrays as the library takes them: float64 in C order without a copy, anything narrower widened, nothing cast in silence."""
from __future__ import annotations

from typing import Any, Iterable, Sequence

import numpy as np
import numpy.typing as npt
import scipy.sparse

from surefield import _core

Reals = npt.NDArray[np.float64]
Bytes = npt.NDArray[np.uint8]

_EXACT = 2**53  # integers up to here are doubles


def _refuse(name: str, why: str) -> _core.Error:
    return _core.Error(f"{name}: {why}")


def plain(value: Any, name: str) -> npt.NDArray[Any]:
    """An array of the value, or one clear error for what is none: ragged lists, masked entries, sparse matrices."""
    if scipy.sparse.issparse(value):
        raise _refuse(name, "is sparse, but a dense array is needed here")
    if isinstance(value, np.ma.MaskedArray):
        if np.any(value.mask):
            raise _refuse(name, "has masked entries, which are no numbers")
        value = value.data
    try:
        return np.asarray(value)
    except ValueError as error:
        if "inhomogeneous" in str(error):
            raise _refuse(name, "is ragged: its rows differ in length") from None
        raise _refuse(name, str(error)) from None


def _float64(array: npt.NDArray[Any], name: str) -> Reals:
    kind = array.dtype.kind
    if array.dtype == np.float64:
        return np.ascontiguousarray(array, dtype=np.float64)
    if kind == "b" or (kind == "f" and array.dtype.itemsize <= 8):
        return np.ascontiguousarray(array, dtype=np.float64)
    if kind in "iu":
        if array.dtype.itemsize == 8 and array.size and (int(array.max()) > _EXACT or int(array.min()) < -_EXACT):
            raise _refuse(name, f"holds {array.dtype} numbers beyond 2^53, which a float64 cannot hold exactly")
        return np.ascontiguousarray(array, dtype=np.float64)
    if kind == "f":  # longer than a double
        with np.errstate(over="ignore"):
            narrow = np.ascontiguousarray(array, dtype=np.float64)
        if not np.array_equal(narrow.astype(array.dtype), array, equal_nan=True):
            raise _refuse(name, f"is {array.dtype}, and some of its numbers are no float64; round them first")
        return narrow
    if kind == "O" and array.size == 0:
        return np.zeros(array.shape)
    raise _refuse(name, f"has dtype {array.dtype}, which must be a real number type")


def _require_dimensions(shape: Sequence[int], name: str, dimensions: int) -> None:
    if len(shape) != dimensions:
        raise _refuse(name, f"has {len(shape)} dimensions, which must be {dimensions}")


def reals(value: Any, name: str, dimensions: int = 1) -> Reals:
    """The value as a float64 array of that many dimensions; itself where it is one in C order."""
    array = plain(value, name)
    _require_dimensions(array.shape, name, dimensions)
    return _float64(array, name)


def _sparse(value: Any, name: str) -> Any:
    """A sparse matrix with float64 data, of a copy only where the data are of another type."""
    data = _float64(np.asarray(value.data), name) if value.format in ("csr", "csc", "coo") else None
    if data is not None and data is not value.data:
        value = value.copy()
        value.data = data
    return value


def columns(value: Any, name: str, items: int | None = None) -> Any:
    """A table of items by groups as a canonical CSC matrix: rows are items, columns groups; dense zeros are left out."""
    if scipy.sparse.issparse(value):
        value = _sparse(value, name)
        _require_dimensions(value.shape, name, 2)
        matrix = value.tocsc()
        if matrix is value and not matrix.has_canonical_format:
            matrix = matrix.copy()
        matrix.sum_duplicates()
        if matrix.data.dtype != np.float64:
            matrix.data = _float64(matrix.data, name)
    else:
        matrix = scipy.sparse.csc_matrix(reals(value, name, 2))
    if items is not None and matrix.shape[0] != items:
        raise _refuse(
            name,
            f"has {matrix.shape[0]} rows, but there are {items} items; rows are items"
            + (", so it may have to be transposed" if matrix.shape[1] == items else ""),
        )
    return matrix


def square(value: Any, name: str, items: int | None = None) -> Any:
    """A square matrix as canonical CSR; the very one where it is that already."""
    if scipy.sparse.issparse(value):
        value = _sparse(value, name)
        matrix = value.tocsr()
        if not matrix.has_canonical_format:
            matrix = matrix.copy() if matrix is value else matrix
            matrix.sum_duplicates()
        if matrix.data.dtype != np.float64:
            matrix.data = _float64(matrix.data, name)
    else:
        matrix = scipy.sparse.csr_matrix(reals(value, name, 2))
    rows, columns_ = matrix.shape
    if rows != columns_ or (items is not None and rows != items):
        expected = "must be square" if items is None else f"must be {items} x {items}"
        raise _refuse(name, f"is {rows} x {columns_}, which {expected}")
    return matrix


def groups(value: Any, name: str, items: int) -> Any:
    """Members of groups as a CSC matrix of ones: a 0/1 table of items by groups, or one sequence of items a group."""
    if scipy.sparse.issparse(value) or isinstance(value, np.ndarray):
        matrix = columns(value, name, items)
        if not np.isin(matrix.data, (0.0, 1.0)).all():
            raise _refuse(name, "says who is in a group, so it holds 0 and 1 alone")
        matrix = matrix.copy()
        matrix.eliminate_zeros()
        return matrix
    start = [0]
    members: list[int] = []
    for group in value:
        for item in group:
            if isinstance(item, (bool, np.bool_)) or not isinstance(item, (int, np.integer)):
                raise _refuse(name, f"{item!r} is no item; items are whole numbers from 0 to {items - 1}")
            if not 0 <= item < items:
                raise _refuse(name, f"item {item} is not one of the {items}, which count from 0")
            members.append(int(item))
        start.append(len(members))
    # Not sorted, not made unique: what is twice in a group is refused by the model, by name.
    matrix = scipy.sparse.csc_matrix((items, len(start) - 1))
    matrix.indptr = np.asarray(start, dtype=np.int64)
    matrix.indices = np.asarray(members, dtype=np.int64)
    matrix.data = np.ones(len(members))
    return matrix


def zero_one(value: Any, name: str) -> Bytes:
    """A 0/1 array of any real type as bytes."""
    array = value.toarray() if scipy.sparse.issparse(value) else plain(value, name)
    if array.dtype == np.uint8 or array.dtype == np.bool_:
        rows = np.ascontiguousarray(array).view(np.uint8)
        good = bool((rows <= 1).all())
    else:
        numbers = _float64(array, name)
        good = bool(((numbers == 0) | (numbers == 1)).all())
        rows = np.ascontiguousarray(numbers == 1).view(np.uint8)
    if not good:
        raise _refuse(name, "holds something other than 0 and 1")
    return rows


def names(labels: Iterable[Any] | None, name: str = "labels") -> list[str]:
    """Labels as text; none where there are none."""
    if labels is None:
        return []
    if isinstance(labels, str):
        raise _refuse(name, f"is {labels!r}, which must be one label an item")
    return [str(label) for label in labels]
