"""How a piece of work is run: its model or sets found, a bar drawn, and warnings made of what falls short."""
from __future__ import annotations

import os
import warnings
from typing import Any, Callable, Iterable

from surefield import _core
from surefield._progress import Bar
from surefield._sets import Sets, read_sets
from surefield.model import Model, read

Items = int | str | Iterable[int | str] | None
ModelOrPath = Model | str | os.PathLike[str]


class SurefieldWarning(UserWarning):
    """What the command line would say on stderr."""


class ShortfallWarning(SurefieldWarning):
    """The answer is less than was asked for: a gap or a width not reached, epochs used up, interrupted."""


class NoGuaranteeWarning(SurefieldWarning):
    """The model is not submodular, so nothing is guaranteed beyond what is proved by itself."""


def model_of(model: ModelOrPath) -> Model:
    if isinstance(model, Model):
        return model
    if isinstance(model, (str, os.PathLike)):
        return read(model)
    raise _core.Error(f"model: {type(model).__name__} is neither a surefield model nor the path of one")


def sets_of(sets: Any) -> Sets:
    return read_sets(sets) if isinstance(sets, (str, os.PathLike)) else sets if isinstance(sets, Sets) else Sets(sets)


def run(what: str, call: Callable[[dict[str, Any]], _core.Answer], options: dict[str, Any]) -> _core.Answer:
    """Runs it with a bar where one is wanted, and warns as the command line would."""
    bar = Bar(what, options.get("seconds") or options.get("certify")) if options.pop("progress") else None
    if bar is not None:
        options["progress"] = bar
    try:
        answer = call(options)
    finally:
        if bar is not None:
            bar.close()
    for note in answer.notes:
        warnings.warn(note, NoGuaranteeWarning, stacklevel=3)
    for reason in answer.shortfalls:
        warnings.warn(f"{what}: {reason}", ShortfallWarning, stacklevel=3)
    return answer
