"""A bar on stderr, for terminals and notebooks: drawn by the thread that asked for the work, about 20 times a second."""
from __future__ import annotations

import sys
from typing import Callable

Draw = Callable[[float, float | None], None]


class Bar:
    """Called with the seconds passed and the share done, None where that is not known; cleared at the end."""

    def __init__(self, label: str, seconds: float | None = None) -> None:
        self._label, self._seconds, self._drawn = label, seconds, 0

    def __call__(self, elapsed: float, share: float | None) -> None:
        if share is None and self._seconds:
            share = min(0.99, elapsed / self._seconds)
        if share is None:
            text = f"{self._label} {elapsed:.1f} s"
        else:
            full = int(30 * share)
            text = f"{self._label} [{'#' * full}{'.' * (30 - full)}] {100 * share:3.0f} % {elapsed:.1f} s"
        sys.stderr.write("\r" + text.ljust(self._drawn))
        sys.stderr.flush()
        self._drawn = max(self._drawn, len(text))

    def close(self) -> None:
        if self._drawn:
            sys.stderr.write("\r" + " " * self._drawn + "\r")
            sys.stderr.flush()
