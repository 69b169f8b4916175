"""A set function F over n items, and with it a model p(S) ~ exp(F(S)): what all families share."""
from __future__ import annotations

import os
from typing import Any, Iterable, Sequence

import numpy as np
import numpy.typing as npt

from surefield import _core
from surefield._arrays import Bytes, Reals, names, reals, zero_one

Labels = Sequence[Any] | None

#: The class of each kind of the library's table of models.
KINDS: dict[str, type[Model]] = {}


class Model:
    """A set function over n items, with labels and a box. Never changes.

    >>> import surefield as sf
    >>> model = sf.Flid([1.0, 2.0, 0.5], [[0.3, 0.9], [0.8, 0.1], [0.4, 0.4]], labels=["a", "b", "c"])
    >>> model
    <Flid of 3 items: flid>
    >>> model.evaluate({"a", "b"})
    2.6
    >>> model.evaluate([[0, 0, 0], [1, 1, 0]])
    array([0. , 2.6])
    >>> sf.from_json(model.to_json()) == model
    True
    """

    __array_ufunc__ = None  # numpy numbers leave `2.0 * model` to us

    def __init_subclass__(cls, kind: str | None = None, **more: Any) -> None:
        """``kind`` is the library's name of the family that the class is for."""
        super().__init_subclass__(**more)
        if kind is not None:
            KINDS[kind] = cls

    def __init__(self, core: _core.Model, labels: Labels = None) -> None:
        self._core = core if labels is None else core.with_(names(labels), None, None)

    @property
    def kind(self) -> str:
        """The family, as files name it."""
        return self._core.kind

    @property
    def labels(self) -> list[str]:
        """Of the items; empty where they have none."""
        return self._core.labels

    @property
    def box(self) -> tuple[Reals, Reals]:
        """The least and the greatest value of every marginal; 1 and 1 for an item forced in."""
        return self._core.box

    @property
    def submodularity(self) -> str:
        """Whether F is submodular: "proved", "assumed" (and not refuted by a spot check), or "violated"."""
        return self._core.submodularity[0]

    @property
    def violation(self) -> str:
        """What shows that F is not submodular; empty where nothing does."""
        return self._core.submodularity[1]

    def with_labels(self, labels: Labels) -> Model:
        """The same model, its items called so."""
        return wrap(self._core.with_(names(labels), None, None))

    def with_box(self, low: npt.ArrayLike, high: npt.ArrayLike) -> Model:
        """The same model, its marginals kept between low and high."""
        return wrap(self._core.with_(self.labels, reals(low, "low"), reals(high, "high")))

    def __len__(self) -> int:
        return self._core.size

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} items: {self.kind}>"

    # Values, one set or point, or one a row.

    def _rows(self, sets: Any) -> tuple[Bytes, bool]:
        if isinstance(sets, (set, frozenset)):
            row = np.zeros((1, len(self)), dtype=np.uint8)
            for item in sets:
                row[0, self.place(item)] = 1
            return row, True
        rows = zero_one(sets, "S")
        if rows.ndim not in (1, 2):
            raise _core.Error(f"S: has {rows.ndim} dimensions, which must be 1 (a set) or 2 (a set a row)")
        return (rows[None, :], True) if rows.ndim == 1 else (rows, False)

    def _points(self, x: npt.ArrayLike) -> tuple[Reals, bool]:
        shape = np.shape(x)
        points = reals(x, "x", 2 if len(shape) == 2 else 1)
        if not ((points >= 0) & (points <= 1)).all():
            raise _core.Error("x: every coordinate must be between 0 and 1")
        return (points[None, :], True) if points.ndim == 1 else (points, False)

    def place(self, item: Any) -> int:
        """Where an item is, by label or by number from 0."""
        if isinstance(item, str):
            try:
                return self.labels.index(item)
            except ValueError:
                raise _core.Error(f"{item!r} is not the label of one of the {len(self)} items") from None
        if isinstance(item, (int, np.integer)) and not isinstance(item, bool) and 0 <= item < len(self):
            return int(item)
        raise _core.Error(f"{item!r} is not an item; items are labels, or whole numbers from 0 to {len(self) - 1}")

    def evaluate(self, sets: Any) -> Any:
        """F of a set (a Python set of items, or a 0/1 row), or of every row of a 0/1 table."""
        rows, one = self._rows(sets)
        values = self._core.evaluate(rows)
        return float(values[0]) if one else values

    def gain(self, item: Any, sets: Any) -> Any:
        """F(S + i) - F(S - i) of a set, or of every row."""
        rows, one = self._rows(sets)
        values = self._core.gain(self.place(item), rows)
        return float(values[0]) if one else values

    def extension(self, x: npt.ArrayLike) -> Any:
        """The multilinear extension: the mean of F over sets that hold item i with probability x_i; a row a point."""
        points, one = self._points(x)
        values = self._core.extension(points)
        return float(values[0]) if one else values

    def gradient(self, x: npt.ArrayLike) -> Reals:
        """Of the multilinear extension; a row a point."""
        points, one = self._points(x)
        values = self._core.gradient(points)
        first: Reals = values[0] if one else values
        return first

    # Text.

    def to_json(self) -> str:
        """Native JSON; numbers read back to the same bits."""
        return self._core.to_json()

    def write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """To a file, in the format of its ending or the one named; see :func:`surefield.formats`."""
        self._core.write(os.fspath(path), format or "")

    def __reduce__(self) -> Any:
        return from_json, (self.to_json(),)

    # Algebra.

    def _terms(self) -> list[tuple[float, Model]]:
        return [(1.0, self)]

    def __add__(self, other: object) -> Model:
        if not isinstance(other, Model):
            return NotImplemented
        return Sum([*self._terms(), *other._terms()])

    def __radd__(self, other: object) -> Model:
        if not isinstance(other, (int, float)) or other != 0:  # what sum([...]) starts from
            return NotImplemented
        return self

    def __sub__(self, other: object) -> Model:
        if not isinstance(other, Model):
            return NotImplemented
        return self + (-1.0) * other

    def __mul__(self, factor: object) -> Model:
        if isinstance(factor, bool) or not isinstance(factor, (int, float, np.integer, np.floating)):
            return NotImplemented
        return Sum([(float(factor) * weight, model) for weight, model in self._terms()])

    __rmul__ = __mul__

    def __neg__(self) -> Model:
        return -1.0 * self

    def __truediv__(self, divisor: float) -> Model:
        return (1.0 / divisor) * self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Model):
            return NotImplemented
        if self is other:
            return True
        return len(self) == len(other) and self.kind == other.kind and self._same(other)

    def _same(self, other: Model) -> bool:
        return self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash((self.kind, len(self)))


class Sum(Model, kind="sum"):
    """A weighted sum of models over the same items; ``a + 2 * b`` makes one.

    >>> import surefield as sf
    >>> a = sf.GraphCut([[0.0, 2.0], [2.0, 0.0]])
    >>> (a + 2 * a).evaluate([1, 0])
    6.0
    """

    def __init__(self, terms: Iterable[tuple[float, Model]], *, labels: Labels = None) -> None:
        flat = [(float(w) * v, model) for w, term in terms for v, model in term._terms()]
        if not flat:
            raise _core.Error("sum: there is no term, but one or more are needed")
        self.terms: list[tuple[float, Model]] = flat
        called = [model.labels for _, model in flat if model.labels]
        if any(other != called[0] for other in called[1:]) and labels is None:
            raise _core.Error("sum: the terms call their items differently; labels=... says what they are called")
        for low, high in (model.box for _, model in flat):
            if low.any() or not high.all():
                raise _core.Error("sum: a term has a box, which a sum cannot hold; give the sum one")
        core = _core.sum_of(len(flat[0][1]), [(w, model._core) for w, model in flat], called[0] if called else [])
        super().__init__(core, labels)

    def _terms(self) -> list[tuple[float, Model]]:
        return self.terms

    def __reduce__(self) -> Any:
        return _make_sum, (self.terms, self.labels)

    def _same(self, other: Model) -> bool:
        return isinstance(other, Sum) and self.terms == other.terms and self.labels == other.labels


def _make_sum(terms: list[tuple[float, Model]], labels: list[str]) -> Sum:
    return Sum(terms, labels=labels or None)


def wrap(core: _core.Model) -> Model:
    """The library's model as its class."""
    made = Model.__new__(KINDS.get(core.kind, Model))
    made._core = core
    if isinstance(made, Sum):
        made.terms = [(weight, wrap(part)) for weight, part in core.terms]
    return made


def from_json(text: str) -> Model:
    """A model from native JSON."""
    return wrap(_core.from_json(text, "json"))


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    edges: str | None = None,
    row_weight: float | None = None,
    evidence: str | os.PathLike[str] | None = None,
) -> Model:
    """A model from a file of any format, told by its ending, its content, or ``format``; see :func:`formats`.

    ``edges`` says what the numbers of an edge list are: cut, directed-cut, couplings, quadratic. ``row_weight`` is what
    covering a row of a set cover is worth, ``evidence`` a UAI evidence file.
    """
    return wrap(_core.read(os.fspath(path), format or "", edges, row_weight, os.fspath(evidence or "")))


def write(path: str | os.PathLike[str], model: Model, format: str | None = None) -> None:
    """A model to a file, in the format of its ending or the one named."""
    if not isinstance(model, Model):
        raise _core.Error(f"write: {type(model).__name__} is no model; the path comes first: write(path, model)")
    model.write(path, format)


def formats() -> list[dict[str, Any]]:
    """The file formats there are: name, endings, what they hold, whether they are written."""
    return _core.formats()


def model_table() -> list[dict[str, Any]]:
    """The families of models: kind, formula, cost, when F is submodular, limits."""
    return _core.model_table()
