"""What all results share: status, text, JSON, the report page, pickles."""
from __future__ import annotations

import html
import importlib.resources
import io
import json
import os
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, Iterable, NamedTuple

import numpy as np

from surefield import _core
from surefield.model import wrap


def _rounded(value: float, digits: int, rounding: str) -> str:
    """So many significant digits of the value, on one side of it."""
    if not np.isfinite(value) or value == 0:
        return f"{value:g}"
    exact = Decimal(float(value))
    kept = exact.quantize(Decimal(1).scaleb(exact.adjusted() - digits + 1), rounding=rounding)
    text = f"{float(kept):.{digits}g}"
    return text if Decimal(text) == kept else str(kept)  # a number too small for all its digits


class Interval(NamedTuple):
    """What a number is proved to lie in; an end that is not known is infinite. As text it is rounded outwards.

    >>> Interval(1.0, 1.5).width, 1.2 in Interval(1.0, 1.5)
    (0.5, True)
    >>> print(Interval(1 / 3, 2 / 3))
    [0.333333333, 0.666666667]
    """

    low: float
    high: float

    @property
    def width(self) -> float:
        return self.high - self.low

    def __contains__(self, value: object) -> bool:
        return isinstance(value, (int, float, np.number)) and bool(self.low <= value <= self.high)

    def __str__(self) -> str:
        return self.text(9)

    def text(self, digits: int) -> str:
        """Both ends to so many significant digits, the lower one rounded down and the upper one up."""
        return f"[{_rounded(self.low, digits, ROUND_FLOOR)}, {_rounded(self.high, digits, ROUND_CEILING)}]"


def interval(low: float | None, high: float | None) -> Interval:
    return Interval(-np.inf if low is None else low, np.inf if high is None else high)


class Result:
    """An answer with its status, its certificate, and the JSON that it is."""

    def __init__(self, answer: _core.Answer) -> None:
        self._answer = answer

    @cached_property
    def _data(self) -> dict[str, Any]:
        return self.to_dict()

    def __getstate__(self) -> dict[str, Any]:
        return {"saved": _Saved.of(self._answer)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._answer = state["saved"]

    @property
    def status(self) -> str:
        """How it ended: converged, done, short of what was asked, interrupted, failed, ..."""
        return self._answer.status

    @property
    def shortfalls(self) -> list[str]:
        """Why this is less than was asked for; empty if it is not."""
        return self._answer.shortfalls

    @property
    def notes(self) -> list[str]:
        """What else is worth knowing."""
        return [*self._answer.notes, *self._data.get("notes", [])]

    @property
    def seconds(self) -> float:
        return float(self._data.get("seconds", np.nan))

    def to_json(self) -> str:
        """As the command line writes it with --format json, but for what was typed."""
        return self._answer.json()

    def to_dict(self) -> dict[str, Any]:
        """The JSON as a dictionary of its own."""
        data: dict[str, Any] = json.loads(self._answer.json())
        return data

    def to_csv(self) -> str:
        """As the command line writes it with --format csv."""
        return self._answer.csv()

    def to_frame(self) -> Any:
        """The table of :meth:`to_csv` as a pandas frame."""
        return _pandas().read_csv(io.StringIO(self.to_csv()), float_precision="round_trip")

    def text(self, top: int = 20) -> str:
        """As the command line writes it; at most ``top`` items, 0 for all."""
        return self._answer.text(top)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._headline()}>"

    def _headline(self) -> str:
        return self.status

    def _repr_html_(self) -> str:
        """For notebooks: the interval first, then the text of the command line."""
        return (
            f"<div><strong>{html.escape(self._headline())}</strong>"
            f"<pre style='max-height:24em;overflow:auto'>{html.escape(self.text())}</pre></div>"
        )

    def report(self, path: str | os.PathLike[str], title: str = "Surefield report") -> None:
        """One HTML page that opens offline, with charts and tables."""
        write_report(path, [self], title)


_SAVED_TOPS = (20, 0)  # items in the text: the default, and all


class _Saved:
    """The parts of an answer that a pickle keeps."""

    def __init__(self, parts: dict[str, Any]) -> None:
        self.parts = parts

    @staticmethod
    def of(answer: Any) -> _Saved:
        if isinstance(answer, _Saved):
            return answer
        arrays = {}
        for name in ("marginals",):
            try:
                arrays[name] = np.array(answer.array(name))
            except _core.Error:
                pass
        return _Saved(
            {
                "status": answer.status, "shortfalls": answer.shortfalls, "notes": answer.notes,
                "json": answer.json(), "csv": answer.csv(), "trace": np.array(answer.trace),
                "text": {top: answer.text(top) for top in _SAVED_TOPS},
                "models": [wrap(model) for model in answer.models], "arrays": arrays,
            }
        )

    def _text(self, top: int) -> str:
        if top not in self.parts["text"]:
            raise _core.Error(f"text: a result from a pickle has its text for top=20 and for all items, top=0, not for top={top}")
        return str(self.parts["text"][top])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "parts":
            raise AttributeError(name)
        if name == "models":
            return [model._core for model in self.parts["models"]]
        if name in ("json", "csv"):
            return lambda: self.parts[name]
        if name == "text":
            return self._text
        if name == "array":
            return lambda which: self.parts["arrays"][which]
        return self.parts[name]


def _page_template() -> str:
    place = importlib.resources.files("surefield").joinpath("page_template.html")
    if not place.is_file():
        raise _core.Error(
            "report: this installation has no report page, which is bundled by `make run`; build that once and install "
            "again, or write the JSON with to_json() and use `surefield report`"
        )
    return place.read_text(encoding="utf-8")


def write_report(
    path: str | os.PathLike[str], results: Iterable[Result], title: str = "Surefield report"
) -> None:
    """One HTML page of several results."""
    blocks = [(f"{k + 1}: {type(result).__name__}", result.to_json()) for k, result in enumerate(results)]
    Path(path).write_text(_core.page_of(_page_template(), blocks, title), encoding="utf-8")


def _pandas() -> Any:
    try:
        import pandas
    except ImportError:
        raise ImportError("to_frame() needs pandas, which is not installed") from None
    return pandas


def frame(columns: dict[str, Any]) -> Any:
    return _pandas().DataFrame(columns)
