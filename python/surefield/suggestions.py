"""Suggestions: to one basket with all that is known of it, or to many at once."""
from __future__ import annotations

import json
import os
from typing import Any

from surefield import _core, _plot
from surefield._result import Result
from surefield.results import MarginalsResult


class RecommendResult(MarginalsResult):
    """What goes with a basket."""

    @property
    def suggestions(self) -> list[dict[str, Any]]:
        """Most probable first: item, name, marginal, gain, and what each replaces and complements."""
        found: list[dict[str, Any]] = self._data["suggestions"]
        return found

    @property
    def items(self) -> list[Any]:
        """The suggested items, by label where there are labels."""
        return [row["name"] if self.labels else row["item"] for row in self.suggestions]

    @property
    def exact(self) -> bool:
        return bool(self._data["exact"])

    def _headline(self) -> str:
        return f"{', '.join(str(item) for item in self.items)} ({'exact' if self.exact else self._data['method']})"

    def plot(self, *, ax: Any = None) -> Any:
        """The suggestions by their probability."""
        ax = _plot.axes(ax)
        _plot.bars(ax, self.items, [row["marginal"] for row in self.suggestions], "probability, given the basket")
        return ax


class BasketsResult(Result):
    """What goes with each of many baskets."""

    def to_dict(self) -> dict[str, Any]:
        """``{"baskets": [...]}``, the lines of :meth:`to_json` in a list."""
        return {"baskets": [json.loads(line) for line in self._answer.json().splitlines()]}

    @property
    def suggestions(self) -> list[list[dict[str, Any]]]:
        """Of each basket, most probable first: item, name, marginal, gain, and with ``explain`` because."""
        return [basket["suggestions"] for basket in self._data["baskets"]]

    @property
    def items(self) -> list[list[Any]]:
        """The items suggested to each basket, by label where there are labels."""
        return [[row.get("name", row["item"]) for row in rows] for rows in self.suggestions]

    def __len__(self) -> int:
        return len(self._data["baskets"])

    def _headline(self) -> str:
        return f"suggestions to {len(self)} baskets"

    def report(self, path: str | os.PathLike[str], title: str = "Surefield report") -> None:
        raise _core.Error("report: there is no page of many baskets; recommend() of one has a page")
