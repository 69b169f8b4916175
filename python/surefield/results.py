"""What each piece of work with a model came to; ``learning_results``: with sets. Every number is the one of the JSON that the command line writes."""
from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from surefield import _core, _plot
from surefield._arrays import Bytes, Reals
from surefield._result import Interval, Result, frame, interval


class MarginalsResult(Result):
    """An answer that has a marginal for every item."""

    @property
    def labels(self) -> list[str]:
        found: list[str] = self._data["model"]["items"]
        return found

    @property
    def marginals(self) -> Reals:
        """P(i in S) of the answer's distribution, a read-only view."""
        return self._answer.array("marginals")

    def _names(self) -> list[str]:
        return self.labels or [str(k) for k in range(len(self.marginals))]

    def _plot_marginals(self, ax: Any, top: int) -> None:
        order = np.argsort(-self.marginals, kind="stable")[:top]
        of_sets = getattr(self, "set_marginals", None)
        ends = None if of_sets is None else tuple(end[order] for end in of_sets)
        _plot.bars(ax, [self._names()[k] for k in order], self.marginals[order], "marginal", ends)


class InferResult(MarginalsResult):
    """The best product distribution found, and how much better any can be."""

    @property
    def elbo(self) -> float:
        value = self._data["elbo"]
        return np.nan if value is None else float(value)

    @property
    def optimum(self) -> Interval:
        """Contains the best ELBO of the box; the low end is this answer's own, less its rounding."""
        return interval(self._data["elbo_lower"], self._data["upper_bound"])

    @property
    def upper_bound(self) -> float:
        """Of the best ELBO; infinite where none is known."""
        return self.optimum.high

    @property
    def certified(self) -> bool:
        """Whether this is proved to be the global optimum, to 1e-6 relative."""
        return bool(self._data["certified_global"])

    @property
    def log_z(self) -> Interval:
        return interval(self._data["log_z_lower"], self._data["log_z_upper"])

    @property
    def set_marginals(self) -> tuple[Reals, Reals] | None:
        """The ends of an interval for every P(i in S) of p itself, where that costs no more than the mean field did."""
        found = self._data.get("set_marginals")
        return None if found is None else (np.array(found["low"]), np.array(found["high"]))

    @property
    def guarantee(self) -> str:
        return str(self._data["guarantee"])

    @property
    def basis(self) -> str:
        """What the weakest bound rests on: "proved", "proved up to rounding", or "assumed submodular"."""
        return str(self._data["basis"])

    @property
    def algorithm(self) -> str:
        return str(self._data["algorithm"])

    @property
    def trace(self) -> npt.NDArray[np.void]:
        """One entry an epoch where ``trace=True``: epoch, value, seconds, and inside a pass the value from the top."""
        return self._answer.trace

    def _headline(self) -> str:
        return f"best ELBO in {self.optimum}, log Z in {self.log_z}, {self.status}"

    def to_frame(self, what: str = "marginals") -> Any:
        """A pandas frame of the marginals, or of the ``"trace"``."""
        if what not in ("marginals", "trace"):
            raise _core.Error(f"to_frame: {what!r} is not one of marginals, trace")
        if what == "marginals":
            return super().to_frame()
        return frame({name: self.trace[name] for name in self.trace.dtype.names or ()})

    def plot(self, what: str = "marginals", *, ax: Any = None, top: int = 20) -> Any:
        """Draws the ``"marginals"``, the ``"bounds"`` or the ``"trajectory"`` on matplotlib axes, which it returns."""
        ax = _plot.axes(ax)
        if what == "marginals":
            self._plot_marginals(ax, top)
        elif what == "bounds":
            _plot.intervals(ax, [("best ELBO", *self.optimum), ("log Z", *self.log_z)], "natural logarithm")
        elif what == "trajectory":
            if not len(self.trace):
                raise _core.Error("plot: there is no trajectory; infer(..., trace=True) keeps one")
            ax.plot(self.trace["epoch"], self.trace["value"], marker=".", label="ELBO")
            if np.isfinite(self.trace["top"]).any():
                ax.plot(self.trace["epoch"], self.trace["top"], marker=".", label="from the top")
            if np.isfinite(self.upper_bound):
                ax.axhline(self.upper_bound, linestyle="--", color=_plot.COLOURS["upper"], label="proved: nothing is above")
            ax.set_xlabel("epoch")
            ax.set_ylabel("ELBO")
            ax.legend()
        else:
            raise _core.Error(f"plot: {what!r} is not one of marginals, bounds, trajectory")
        return ax


class LogZResult(Result):
    """log Z from both sides."""

    @property
    def interval(self) -> Interval:
        return interval(self._data["log_z_lower"], self._data["log_z_upper"])

    @property
    def exact(self) -> bool:
        return bool(self._data["log_z_exact"])

    @property
    def basis(self) -> str:
        return str(self._data["basis"])

    @property
    def methods(self) -> list[dict[str, Any]]:
        """Every value found, with its side and its time."""
        found: list[dict[str, Any]] = self._data["methods"]
        return found

    @property
    def marginals(self) -> tuple[Reals, Reals] | None:
        """The ends of an interval for every P(i in S), where ``marginals=True`` asked for them and a method has any."""
        low, high = self._data.get("marginals_lower"), self._data.get("marginals_upper")
        return None if low is None or high is None else (np.array(low), np.array(high))

    def _headline(self) -> str:
        return f"log Z in {self.interval}{', exact' if self.exact else ''}, {self.status}"

    def plot(self, *, ax: Any = None) -> Any:
        """Every value by its method, the interval shaded."""
        ax = _plot.axes(ax)
        names, values, sides = ([row[key] for row in self.methods] for key in ("method", "value", "side"))
        _plot.sided(ax, names, values, sides, "log Z")
        if np.isfinite(self.interval.low) and np.isfinite(self.interval.high):
            ax.axvspan(*self.interval, alpha=0.2)
        return ax


class SampleResult(Result):
    """Sets drawn from p(S)."""

    @property
    def sets(self) -> Bytes:
        """A row a set, a one where an item is in."""
        return self._answer.sets()

    @property
    def items(self) -> list[list[Any]]:
        """Each set as its items, by label where there are labels."""
        labels = self._data["model"]["items"]
        return [[labels[k] if labels else k for k in row] for row in self._data["sets"]]

    @property
    def exact(self) -> bool:
        """Independent draws of exactly p(S)."""
        return bool(self._data["exact"])

    @property
    def method(self) -> str:
        return str(self._data["method"])

    def __len__(self) -> int:
        return len(self._data["sets"])

    def _headline(self) -> str:
        return f"{len(self)} sets, {self.method}"


class BestSetResult(Result):
    """The set of greatest F found, and how good it is."""

    @property
    def items(self) -> list[int]:
        """Of the set, by number from 0, ascending."""
        found: list[int] = self._data["items"]
        return found

    @property
    def names(self) -> list[str]:
        """The same by label; numbers as text where there are none."""
        found: list[str] = self._data["names"]
        return found

    @property
    def value(self) -> float:
        return float(self._data["value"])

    @property
    def interval(self) -> Interval:
        """Contains the greatest F."""
        return interval(self._data["lower"], self._data["upper"])

    @property
    def guarantee(self) -> str:
        return str(self._data["guarantee"])

    def _headline(self) -> str:
        return f"the greatest F in {self.interval}, {self.status}"


class AgreeResult(MarginalsResult):
    """How much mass two posteriors share, from both sides, and the distribution of what they share."""

    @property
    def agreement(self) -> Interval:
        """Contains log sum_S p'(S) p''(S)."""
        return interval(self._data["pa_lower"], self._data["pa_upper"])

    @property
    def elbo(self) -> float:
        return float(self._data["elbo"])

    def _headline(self) -> str:
        return f"posterior agreement in {self.agreement}, {self.status}"

    def plot(self, *, ax: Any = None, top: int = 20) -> Any:
        """The marginals of what the two share."""
        ax = _plot.axes(ax)
        self._plot_marginals(ax, top)
        return ax


class PairsResult(Result):
    """Posterior agreement of all pairs of several models, at one or more inverse temperatures: see ``to_frame()``."""

    def _headline(self) -> str:
        found = []
        for table in self._data["tables"]:
            mean = interval(table["mean_pa_lower"], table["mean_pa_upper"])
            at = f" at beta {table['inverse_temperature']:g}" if len(self._data["tables"]) > 1 else ""
            found.append(f"mean posterior agreement of {len(table['pairs'])} pairs in {mean}{at}")
        return f"{'; '.join(found)}, {self.status}"

    def plot(self, *, ax: Any = None) -> Any:
        """The interval of every pair."""
        ax = _plot.axes(ax)
        rows = []
        for table in self._data["tables"]:
            names, beta = [model["name"] for model in table["models"]], table["inverse_temperature"]
            at = f", beta {beta:g}" if len(self._data["tables"]) > 1 else ""
            for pair in table["pairs"]:
                ends = interval(pair["pa_lower"], pair["pa_upper"])
                rows.append((f"{names[pair['first']]} and {names[pair['second']]}{at}", *ends))
        _plot.intervals(ax, rows, "posterior agreement")
        return ax
