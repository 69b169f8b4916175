"""The work on sets: models learned from them, compared and judged by them; options as those of :mod:`surefield.work`."""
from __future__ import annotations

import os
from typing import Any, Sequence

from surefield import _core
from surefield._run import ModelOrPath, model_of, run, sets_of
from surefield._sets import over_items_of, read_sets
from surefield.learning_results import EvaluateResult, FitResult, SelectResult


def fit(
    sets: Any,
    *,
    model: str | None = None,
    method: str | None = None,
    dims: int | None = None,
    concepts: int | None = None,
    epochs: int | None = None,
    optimiser: str | None = None,
    step: float | None = None,
    noise: float | None = None,
    aside: float | None = None,
    patience: int | None = None,
    empty: float | None = None,
    log_z: str | None = None,
    starts: int | None = None,
    treewidth: int | None = None,
    penalty: float | None = None,
    repulsive: bool | None = None,
    pairs: float | None = None,
    smoothing: float | None = None,
    deadline: float | None = None,
    folds: int | None = None,
    fold: int | None = None,
    width: float | None = None,
    seconds: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> FitResult:
    """A model learned from sets (see :class:`Sets`; or the path of a file of them); with ``folds`` one a part held out.

    ``model`` is a row of :func:`surefield.learners`; by default what the other options are for, else auto.

    >>> import surefield as sf
    >>> found = sf.fit([["a", "b"], ["a"], ["b", "c"], ["c"], ["a", "c"]] * 20, model="modular")
    >>> found.model
    <Flid of 3 items: flid>
    """
    data = sets_of(sets)._core
    options = {
        "model": model, "method": method, "dims": dims, "concepts": concepts, "epochs": epochs, "optimiser": optimiser, "step": step,
        "noise": noise, "aside": aside, "patience": patience, "empty": empty, "log_z": log_z, "starts": starts,
        "treewidth": treewidth, "penalty": penalty, "repulsive": repulsive, "pairs": pairs, "smoothing": smoothing,
        "deadline": deadline, "folds": folds, "fold": fold, "width": width, "seconds": seconds, "seed": seed,
        "threads": threads, "progress": progress,
    }
    return FitResult(run("fit", lambda given: _core.fit(data, given), options))


def select(
    sets: Any,
    *,
    dims: int | Sequence[int] | None = None,
    beta: float | Sequence[float] | None = None,
    folds: int | None = None,
    by: str | None = None,
    families: str | Sequence[str] | None = None,
    starts: int | None = None,
    epochs: int | None = None,
    width: float | None = None,
    seconds: float | None = None,
    deadline: float | None = None,
    thorough: bool | None = None,
    train: bool = False,
    seed: int | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> SelectResult:
    """How many dimensions a FLID of these sets should have, and which family to learn; ``train=True`` learns the winner."""
    data = sets_of(sets)._core
    options = {
        "dims": dims, "beta": beta, "folds": folds, "by": by, "families": families, "starts": starts, "epochs": epochs,
        "width": width, "seconds": seconds, "deadline": deadline, "thorough": thorough, "seed": seed, "threads": threads,
        "progress": progress,
    }
    return SelectResult(run("select", lambda given: _core.select(data, given, train), options))


def evaluate(
    model: ModelOrPath,
    sets: Any,
    *,
    training: Any = None,
    non_empty: bool | None = None,
    hide_one: bool | None = None,
    bins: int | None = None,
    width: float | None = None,
    seconds: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> EvaluateResult:
    """How well a model foretells sets that it has not seen: likelihood, hidden items, calibration."""
    model = model_of(model)
    n, labels = len(model), model.labels

    def of_model(given: Any) -> _core.Sets:
        given = read_sets(given) if isinstance(given, (str, os.PathLike)) else given
        return over_items_of(given, n, labels)._core

    held_out = of_model(sets)
    seen = None if training is None else of_model(training)
    core = model._core
    options = {
        "non_empty": non_empty, "hide_one": hide_one, "bins": bins, "width": width, "seconds": seconds, "seed": seed,
        "threads": threads, "progress": progress,
    }
    return EvaluateResult(run("evaluate", lambda given: _core.evaluate(core, held_out, seen, given), options))


def learners() -> list[tuple[str, str, str]]:
    """What :func:`fit` can learn: model, method, and what that is."""
    return _core.fit_table()
