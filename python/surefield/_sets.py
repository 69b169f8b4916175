"""Observed sets: a 0/1 array, a sparse matrix, a frame, or one list of labels a set."""
from __future__ import annotations

import os
from typing import Any, Sequence

import numpy as np
import scipy.sparse

from surefield import _core
from surefield._arrays import names, zero_one


class Sets:
    """Sets of items, as observed: what is learned from and judged by.

    A row is a set. ``Sets(X)`` takes a 0/1 array, a ``scipy.sparse`` matrix, a pandas frame (its columns are the
    labels), or a sequence with one sequence of labels a set.

    >>> Sets([["milk", "bread"], ["milk"], []]).labels
    ['milk', 'bread']
    >>> Sets([[1, 1, 0], [0, 1, 1]], labels=None).shape  # a list of lists holds labels: 0 and 1
    (2, 2)
    """

    def __init__(self, X: Any, labels: Sequence[Any] | None = None) -> None:
        if isinstance(X, Sets):
            self._core: _core.Sets = X._core
        elif isinstance(X, _core.Sets):
            self._core = X
        elif _is_table(X):
            self._core = _from_table(X, names(labels if labels is not None else getattr(X, "columns", None)))
        else:
            self._core = _from_lists(X, names(labels))

    def __len__(self) -> int:
        return self._core.size

    @property
    def shape(self) -> tuple[int, int]:
        """Sets and items."""
        return self._core.size, self._core.items

    @property
    def labels(self) -> list[str]:
        """Of the items; empty where they have none."""
        return self._core.labels

    def to_csr(self) -> Any:
        """A row a set, a one where an item is in."""
        start, item = self._core.arrays
        return scipy.sparse.csr_matrix((np.ones(len(item), dtype=np.uint8), item, start), shape=self.shape)

    def __repr__(self) -> str:
        return f"<{len(self)} sets of {self.shape[1]} items>"


def basket_rows(X: Any) -> list[Any]:
    """The items of each set: places in a table or in Sets, else what each basket holds, as it is written there."""
    if isinstance(X, (str, bytes)) or not (hasattr(X, "__iter__") or isinstance(X, Sets)):
        raise _core.Error("baskets: a basket is a row of a 0/1 table or a sequence of items")
    if isinstance(X, Sets):
        return [[X.labels[i] for i in row] if X.labels else row for row in _rows(X)]
    if _is_table(X):
        return _rows(Sets(X))
    return [basket if isinstance(basket, str) or not hasattr(basket, "__iter__") else list(basket) for basket in X]


def _rows(sets: Sets) -> list[list[int]]:
    start, item = sets._core.arrays
    return [item[a:b].tolist() for a, b in zip(start[:-1], start[1:])]


def _is_table(X: Any) -> bool:
    """Whether X holds entries and not labels: an array of objects is a table too, unless it is a list of sets."""
    array = isinstance(X, np.ndarray) and (X.dtype != object or X.ndim != 1)
    return bool(array or scipy.sparse.issparse(X) or hasattr(X, "columns"))


def _from_table(X: Any, labels: list[str]) -> _core.Sets:
    matrix = X if scipy.sparse.issparse(X) else scipy.sparse.csr_matrix(_two(zero_one(X, "X")))
    matrix = matrix.tocsr().copy()
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    if not (matrix.data == 1).all():
        raise _core.Error("X: holds something other than 0 and 1")
    return _core.Sets(matrix.indptr, matrix.indices, matrix.shape[1], labels)


def _two(rows: Any) -> Any:
    if rows.ndim != 2:
        raise _core.Error(f"X: has {rows.ndim} dimensions, which must be 2: a row a set, a column an item")
    return rows


def _from_lists(X: Any, labels: list[str]) -> _core.Sets:
    if isinstance(X, str) or not hasattr(X, "__iter__"):
        raise _core.Error("X: a set is a row of a 0/1 table or a sequence of labels")
    sets: list[list[Any]] = []
    for basket in X:
        if isinstance(basket, str) or not hasattr(basket, "__iter__"):
            raise _core.Error(f"X: {basket!r} is no set of labels")
        sets.append(list(dict.fromkeys(str(item) for item in basket)))
    known = labels or _in_order(list(dict.fromkeys(item for basket in sets for item in basket)))
    place = {label: k for k, label in enumerate(known)}
    start, items = [0], []
    for basket in sets:
        for item in basket:
            if item not in place:
                raise _core.Error(f"X: {item!r} is not one of the {len(known)} items")
            items.append(place[item])
        start.append(len(items))
    return _core.Sets(np.asarray(start, dtype=np.int64), np.asarray(items, dtype=np.int64), len(known), known)


def _in_order(labels: list[str]) -> list[str]:
    """By number if all are whole numbers, else as they came: as files of sets are read."""
    return sorted(labels, key=int) if all(label.isdigit() for label in labels) else labels


def read_sets(
    path: str | os.PathLike[str],
    *,
    separator: str | None = None,
    form: str | None = None,
    header: bool | None = None,
    encoding: str | None = None,
    columns: tuple[str, str] | None = None,
) -> Sets:
    """Reads a file of sets: a line a set, ``order,item`` lines or a 0/1 matrix; what is not said is found out.

    ``columns`` are those of the order and the item of a long table, by name or by number from 1.
    """
    data, _ = _core.read_sets(os.fspath(path), separator, form, header, encoding, columns)
    return Sets(data)


def over_items_of(X: Any, items: int, labels: list[str]) -> Sets:
    """Sets over the items of a model: labels are its labels, or places where it has none."""
    known = labels or [str(k) for k in range(items)]
    sets = X if isinstance(X, Sets) else Sets(X, None if _is_table(X) else known)
    if sets.shape[1] == items and (not sets.labels or sets.labels == known or (_is_table(X) and not labels)):
        return sets
    if not sets.labels:
        raise _core.Error(f"X: has {sets.shape[1]} columns, but the model has {items} items")
    start, item = sets._core.arrays
    place = {label: k for k, label in enumerate(known)}
    unknown = [label for label in sets.labels if label not in place]
    if unknown:
        raise _core.Error(f"X: {unknown[0]!r} is not one of the model's {items} items")
    to = np.asarray([place[label] for label in sets.labels], dtype=np.int64)
    return Sets(_core.Sets(start, to[item], items, known if labels else []))
