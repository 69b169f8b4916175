"""Pictures of results on matplotlib axes, with the marks and colours of the report page: a triangle points to where the truth lies."""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from surefield._result import Interval

COLOURS = {"lower": "#0072b2", "upper": "#c65400", "exact": "#008c66", "estimate": "#ad5288"}
MARKS = {"lower": ">", "upper": "<", "exact": "D", "estimate": "o"}
PALE = "#cddbe6"


def axes(ax: Any) -> Any:
    """Those given, or new ones that leave room for long names."""
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot
    except ImportError:
        raise ImportError("plot() needs matplotlib, which is not installed") from None
    return matplotlib.pyplot.subplots(layout="constrained")[1]


def rows_of(ax: Any, names: Sequence[object]) -> None:
    """One row a name, the first on top."""
    texts = [str(name) for name in names]
    ax.set_yticks(range(len(texts)), [text if len(text) <= 40 else f"{text[:39]}\u2026" for text in texts])
    ax.set_ylim(len(texts) - 0.4, -0.6)


def bars(ax: Any, names: Sequence[object], values: Sequence[float], label: str, ends: Any = None) -> None:
    """Probabilities; ``ends`` are low and high of an interval for what each approximates."""
    heights = np.arange(len(names))
    known = ends is not None and len(ends[0]) == len(names)
    ax.barh(heights, values, color=PALE if known else COLOURS["lower"])
    most = max([*values, *(ends[1] if known else [])], default=1.0)
    if known:
        ax.hlines(heights, ends[0], ends[1], color="black", linewidth=3)
        ax.plot(ends[0], heights, "k|", markersize=9, label="of p(S) itself")
        ax.plot(ends[1], heights, "k|", markersize=9)
        ax.legend(loc="lower right")
    rows_of(ax, names)
    ax.set_xlim(0, min(1.0, 1.08 * most) or 1.0)
    ax.set_xlabel(label)


def sided(ax: Any, names: Sequence[object], values: Sequence[float], sides: Sequence[str], label: str) -> None:
    """Values that are known from one side each."""
    for height, (value, side) in enumerate(zip(values, sides)):
        ax.plot(value, height, MARKS.get(side, "o"), color=COLOURS.get(side, COLOURS["estimate"]))
    rows_of(ax, names)
    ax.set_xlabel(label)
    shown = [side for side in MARKS if side in sides]
    texts = {"lower": "from below", "upper": "from above", "exact": "exact", "estimate": "estimate"}
    for side in shown:
        ax.plot([], [], MARKS[side], color=COLOURS[side], label=texts[side])
    ax.legend(loc="best")


def intervals(ax: Any, rows: Sequence[tuple[str, float, float]], label: str) -> None:
    """What numbers lie in, each with its ends written above; an end that is not known is left out."""
    for height, (_, low, high) in enumerate(rows):
        exact = high - low <= 1e-9 * max(1.0, abs(low))
        if np.isfinite(low) and np.isfinite(high):
            ax.plot([low, high], [height, height], color=PALE, linewidth=9, solid_capstyle="butt")
        for end, side in ((low, "exact"),) if exact else ((low, "lower"), (high, "upper")):
            if np.isfinite(end):
                ax.plot(end, height, MARKS[side], color=COLOURS[side], markersize=9)
        known = [end for end in (low, high) if np.isfinite(end)]
        if known:
            said = f"{low:.7g}" if exact else Interval(low, high).text(7)
            ax.annotate(said, (sum(known) / len(known), height), xytext=(0, 11), textcoords="offset points", ha="center")
    rows_of(ax, [name for name, _, _ in rows])
    ax.margins(x=0.25)
    ax.set_xlabel(label)
