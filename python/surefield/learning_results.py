"""What learning from sets came to. Every number is the one of the JSON that the command line writes."""
from __future__ import annotations

from functools import cached_property
from typing import Any

from surefield import _core, _plot
from surefield._result import Interval, Result, interval
from surefield.model import Model, wrap


class FitResult(Result):
    """What was learned: one model, or one a fold."""

    @cached_property
    def models(self) -> list[Model]:
        return [wrap(model) for model in self._answer.models]

    @property
    def model(self) -> Model:
        """The first, which is the only one without folds."""
        return self.models[0]

    @property
    def entries(self) -> list[dict[str, Any]]:
        """One a model: how it was learned, and what it says of the sets held out."""
        found: list[dict[str, Any]] = self._data["models"]
        return found

    def _headline(self) -> str:
        return f"{len(self.models)} model{'s' if len(self.models) != 1 else ''}, {self.status}"


class SelectResult(Result):
    """Which of several models the data bear."""

    @cached_property
    def _models(self) -> list[Model]:
        return [wrap(model) for model in self._answer.models]

    @property
    def model(self) -> Model:
        """The winner learned from all sets, where ``train=True`` asked for it."""
        if not self._models:
            raise _core.Error("select: the winner was not trained; select(..., train=True) does it")
        return self._models[0]

    @property
    def verdict(self) -> str:
        found = [self._data["verdict"]] + ([self.families["verdict"]] if self.families else [])
        return "; ".join(map(str, found))

    @property
    def families(self) -> dict[str, Any] | None:
        """What comparing families found, where dimensions were compared before them."""
        found: dict[str, Any] | None = self._data.get("families")
        return found

    @property
    def rows(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self._data["rows"]
        return found

    def _headline(self) -> str:
        return self.verdict

    def plot(self, *, ax: Any = None) -> Any:
        """The interval of each candidate's held-out likelihood; of families the rank they give hidden items."""
        ax = _plot.axes(ax)
        if all("mean_reciprocal_rank" in row for row in self.rows):
            names, ranks = [row["model"] for row in self.rows], [row["mean_reciprocal_rank"] for row in self.rows]
            _plot.bars(ax, names, ranks, "mean reciprocal rank of a hidden item")
        else:
            _plot.intervals(ax, [
                (f"D = {row['dims']}, beta = {row['beta']:g}", *interval(row["log_likelihood_lower"], row["log_likelihood_upper"]))
                for row in self.rows
            ], "held-out log-likelihood a set")
        return ax


class EvaluateResult(Result):
    """How well a model foretells sets that it has not seen."""

    @property
    def log_z(self) -> Interval:
        return interval(self._data["log_z_lower"], self._data["log_z_upper"])

    @property
    def likelihood(self) -> Interval | None:
        """Contains the mean log-likelihood of the sets; None where log Z is not known from both sides."""
        found = self._data["log_likelihood_all_sets"]
        return None if found is None else Interval(found["lower"], found["upper"])

    def _headline(self) -> str:
        return f"mean log-likelihood in {self.likelihood}, log Z in {self.log_z}, {self.status}"

    def plot(self, *, ax: Any = None) -> Any:
        """The calibration: how often items are in a set, by how often the model says they are."""
        ax = _plot.axes(ax)
        calibration = self._data["calibration"]
        if calibration is None:
            raise _core.Error("plot: there is no calibration, since no set is of the kind that it is for")
        bins = [row for row in calibration["bins"] if row["items"]]
        ax.errorbar([row["predicted"] for row in bins], [row["observed"] for row in bins],
                    yerr=[row["standard_error"] for row in bins], marker="o", linestyle="none")
        ax.plot([0, 1], [0, 1], linestyle=":")
        ax.set_xlabel("predicted")
        ax.set_ylabel("observed")
        return ax
