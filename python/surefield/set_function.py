"""Set functions written in Python."""
from __future__ import annotations

import math
import weakref
from typing import Any, Callable, Mapping

import numpy as np

from surefield import _core
from surefield._arrays import Bytes, Reals
from surefield.model import Labels, Model


class SetFunction(Model, kind="black-box"):
    """Your own F: a callable, or a subclass with ``value``.

    ``function`` is called with one set, a 0/1 array of n bytes; with ``batch=True`` with many, a 0/1 matrix with a set a
    row, and returns one number each. A subclass writes ``value(S)``, and may write ``values(rows)`` and
    ``gain(item, S)``, which is F(S + i) - F(S - i). Calls come from the thread that asked, one at a time.

    The multilinear extension is a mean over ``samples`` random sets, so the ELBO is an estimate and certifies nothing;
    log Z, samples and the best set are as of any model. F is *assumed* to be submodular: 200 spot checks can refute it,
    and every answer that rests on the assumption says so.

    >>> f = SetFunction(3, lambda S: float(S.sum()) ** 0.5)
    >>> f.evaluate({0, 1, 2}) == 3 ** 0.5, f.submodularity
    (True, 'assumed')
    """

    def __init__(
        self, n: int, function: Callable[..., Any] | None = None, *, batch: bool = False, samples: int = 1000,
        seed: int = 1, bound: float = math.inf, labels: Labels = None,
    ) -> None:
        self.function, self.batch = function, batch
        self._how = {"samples": samples, "seed": seed, "bound": bound}
        one: Callable[..., Any] | None = function
        many: Callable[..., Any] | None = function if batch else None
        gain: Callable[..., Any] | None = None
        if function is None:
            cls = type(self)
            if cls.value is SetFunction.value and cls.values is SetFunction.values:
                raise _core.Error("set function: give a function, or write value(S) in a subclass")
            me = weakref.ref(self)  # the model must not keep itself alive
            one = _late(me, "value")
            many = None if cls.values is SetFunction.values else _late(me, "values")
            gain = None if cls.gain is Model.gain else _late(me, "gain")
        super().__init__(_core.set_function(n, one, many, gain, samples, seed, bound), labels)

    def value(self, S: Bytes) -> float:
        """F of one set, a 0/1 array: to be written by a subclass."""
        raise NotImplementedError

    def values(self, rows: Bytes) -> Reals:
        """F of many sets, a row each: to be written by a subclass that is faster so."""
        return np.array([self.value(row) for row in rows], dtype=np.float64)

    def to_json(self) -> str:
        raise _core.Error("a set function is code, which no file can hold")

    def __reduce__(self) -> Any:
        if type(self) is SetFunction:
            return _make_set_function, (len(self), self.function, self.batch, self._how, self.labels)
        state = {key: value for key, value in self.__dict__.items() if key != "_core"}
        return _make_subclass, (type(self), len(self), self._how, self.labels), state

    def _same(self, other: Model) -> bool:
        return (
            type(self) is type(other)
            and isinstance(other, SetFunction)
            and self.function == other.function
            and self.function is not None
            and (self.batch, self._how, self.labels) == (other.batch, other._how, other.labels)
        )


def _late(me: weakref.ref[SetFunction], method: str) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        self = me()
        if self is None:
            raise ReferenceError("the set function is gone")
        return getattr(self, method)(*arguments)

    return call


def _make_set_function(
    n: int, function: Callable[..., Any], batch: bool, how: Mapping[str, Any], labels: list[str]
) -> SetFunction:
    return SetFunction(n, function, batch=batch, labels=labels or None, **how)


def _make_subclass(cls: type[SetFunction], n: int, how: Mapping[str, Any], labels: list[str]) -> SetFunction:
    made = cls.__new__(cls)
    SetFunction.__init__(made, n, labels=labels or None, **how)
    return made
