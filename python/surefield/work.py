"""The work: inference, log Z, samples, agreement, suggestions, with the options of the command line.

What is None is left to the library, whose defaults ``surefield.options("infer")`` shows. ``seed`` makes everything that
is random; the same seed gives the same answer as the command line, on any number of ``threads``. Ctrl-C ends the work
and gives what is proved so far, with status "interrupted"; a second one raises KeyboardInterrupt.
"""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np
import numpy.typing as npt

from surefield import _core
from surefield._arrays import reals
from surefield._run import Items, ModelOrPath, model_of, run
from surefield._sets import basket_rows
from surefield.model import Model
from surefield.results import (
    AgreeResult,
    BestSetResult,
    InferResult,
    LogZResult,
    PairsResult,
    SampleResult,
)
from surefield.suggestions import BasketsResult, RecommendResult


def _orders(order: Any, model: Model) -> list[list[int]]:
    """One list of items an epoch, or one for all."""
    epochs = list(order)
    if not epochs or isinstance(epochs[0], (str, int, np.integer)):
        epochs = [epochs]
    return [[model.place(item) for item in epoch] for epoch in epochs]


def infer(
    model: ModelOrPath,
    *,
    algorithm: str | None = None,
    beta: float | None = None,
    epochs: int | None = None,
    tolerance: float | None = None,
    order: str | Sequence[Any] | None = None,
    start: str | npt.ArrayLike | None = None,
    hint: npt.ArrayLike | None = None,
    seconds: float | None = None,
    certify: float | None = None,
    gap: float | None = None,
    polish: bool | None = None,
    contract: bool | None = None,
    rounds: int | None = None,
    epsilon: float | None = None,
    multilinear_direction: bool | None = None,
    trace: bool | None = None,
    include: Items = None,
    exclude: Items = None,
    no_guarantee: bool | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> InferResult:
    """The product distribution that approximates p(S) ~ exp(beta F(S)) best, and how much better any can be.

    ``order`` is one of auto, natural, shuffled, coloured, or the items themselves (one list, or one an epoch);
    ``start`` one of low, high, middle, random, or a point; ``hint`` the point that ``guarded`` follows.

    >>> import surefield as sf
    >>> model = sf.Flid([1.0, 2.0, 0.5], [[0.3, 0.9], [0.8, 0.1], [0.4, 0.4]])
    >>> result = sf.infer(model)
    >>> result.certified, result.status
    (True, 'converged')
    >>> result.log_z.low <= result.log_z.high
    True
    >>> result.marginals.shape
    (3,)
    """
    model = model_of(model)
    points: dict[str, Any] = {}
    options: dict[str, Any] = {
        "algorithm": algorithm, "beta": beta, "epochs": epochs, "tolerance": tolerance, "seconds": seconds,
        "certify": certify, "gap": gap, "polish": polish, "contract": contract, "rounds": rounds, "epsilon": epsilon,
        "multilinear_direction": multilinear_direction, "trace": trace, "include": include, "exclude": exclude,
        "no_guarantee": no_guarantee, "seed": seed, "threads": threads, "progress": progress,
    }
    if order is None or isinstance(order, str):
        options["order"] = order
    else:
        points["order"] = _orders(order, model)
    if start is None or isinstance(start, str):
        options["start"] = start
    else:
        points["start"] = reals(start, "start")
    if hint is not None:
        points["hint"] = reals(hint, "hint")
    core = model._core
    return InferResult(run("infer", lambda given: _core.infer(core, given, points), options))


def log_z(
    model: ModelOrPath,
    *,
    beta: float | None = None,
    width: float | None = None,
    seconds: float | None = None,
    condition: int | None = None,
    enumerate: int | None = None,
    marginals: bool | None = None,
    compare: bool | None = None,
    include: Items = None,
    exclude: Items = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> LogZResult:
    """log Z of p(S) ~ exp(beta F(S)) from both sides, exactly where possible; natural logarithm.

    It ends with the first exact method; ``compare`` runs the others too.

    >>> import surefield as sf
    >>> found = sf.log_z(sf.GraphCut([[0.0, 1.0], [1.0, 0.0]]))
    >>> found.exact, round(found.interval.low, 6)  # log(2 + 2e)
    (True, 2.006409)
    """
    core = model_of(model)._core
    options = {
        "beta": beta, "width": width, "seconds": seconds, "condition": condition, "enumerate": enumerate,
        "marginals": marginals, "compare": compare, "include": include, "exclude": exclude, "seed": seed,
        "threads": threads, "progress": progress,
    }
    return LogZResult(run("logz", lambda given: _core.log_z(core, given), options))


def sample(
    model: ModelOrPath,
    count: int | None = None,
    *,
    method: str | None = None,
    beta: float | None = None,
    seconds: float | None = None,
    include: Items = None,
    exclude: Items = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> SampleResult:
    """Sets drawn from p(S) ~ exp(beta F(S)), independent and exact where that ends (`exact` says it), else by Gibbs sampling.

    >>> import surefield as sf
    >>> drawn = sf.sample(sf.GraphCut([[0.0, 1.0], [1.0, 0.0]]), 5, seed=7)
    >>> drawn.exact, drawn.sets.shape
    (True, (5, 2))
    """
    core = model_of(model)._core
    options = {
        "count": count, "method": method, "beta": beta, "seconds": seconds, "include": include, "exclude": exclude,
        "seed": seed, "threads": threads, "progress": progress,
    }
    return SampleResult(run("sample", lambda given: _core.sample(core, given), options))


def best_set(
    model: ModelOrPath,
    most: int | None = None,
    *,
    gap: float | None = None,
    seconds: float | None = None,
    include: Items = None,
    exclude: Items = None,
    no_guarantee: bool | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> BestSetResult:
    """The set of greatest F, of at most ``most`` items if given, with a certified interval of the greatest F.

    >>> import surefield as sf
    >>> best = sf.best_set(sf.GraphCut([[0.0, 1.0], [1.0, 0.0]], bias=[0.5, 0.0]))
    >>> best.items, best.value
    ([0], 1.5)
    """
    core = model_of(model)._core
    options = {
        "most": most, "gap": gap, "seconds": seconds, "include": include, "exclude": exclude,
        "no_guarantee": no_guarantee, "seed": seed, "threads": threads, "progress": progress,
    }
    return BestSetResult(run("best-set", lambda given: _core.best_set(core, given), options))


def agree(
    *models: ModelOrPath,
    beta: float | Sequence[float] | None = None,
    width: float | None = None,
    seconds: float | None = None,
    pairs: bool | None = None,
    names: Sequence[str] | None = None,
    include: Items = None,
    exclude: Items = None,
    no_guarantee: bool | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> AgreeResult | PairsResult:
    """Posterior agreement log sum_S p'(S) p''(S): of two models in full, of more (or ``pairs=True``) a table of pairs.

    >>> import surefield as sf
    >>> cut = sf.GraphCut([[0.0, 1.0], [1.0, 0.0]])
    >>> sf.agree(cut, cut).agreement.width < 1e-6
    True
    """
    loaded = [model_of(model) for model in models]
    called = list(names) if names is not None else [f"model {k + 1}" for k in range(len(loaded))]
    if len(called) != len(loaded):
        raise _core.Error(f"names: there are {len(called)}, but {len(loaded)} models")
    cores = [model._core for model in loaded]
    options = {
        "beta": beta, "width": width, "seconds": seconds, "pairs": pairs, "include": include, "exclude": exclude,
        "no_guarantee": no_guarantee, "seed": seed, "threads": threads, "progress": progress,
    }
    answer = run("agree", lambda given: _core.agree(cores, given, called), options)
    several = len(cores) > 2 or bool(pairs) or (beta is not None and np.size(beta) != 1)
    return PairsResult(answer) if several else AgreeResult(answer)


def recommend(
    model: ModelOrPath,
    have: Items = None,
    count: int | None = None,
    *,
    exclude: Items = None,
    method: str | None = None,
    explain: bool | None = None,
    beta: float | None = None,
    no_guarantee: bool | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> RecommendResult:
    """The most probable additions to a basket that holds ``have``, and the basket completed.

    >>> import surefield as sf
    >>> model = sf.Flid([1.0, 2.0, 0.5], [[0.3, 0.9], [0.8, 0.1], [0.4, 0.4]], labels=["cot", "pram", "swing"])
    >>> sf.recommend(model, ["cot"], 1).items
    ['pram']
    """
    core = model_of(model)._core
    options = {
        "count": count, "exclude": exclude, "method": method, "explain": explain, "beta": beta,
        "no_guarantee": no_guarantee, "seed": seed, "threads": threads, "progress": progress,
    }
    return RecommendResult(run("recommend", lambda given: _core.recommend(core, given, have), options))


def recommend_each(
    model: ModelOrPath,
    baskets: Any,
    count: int | None = None,
    *,
    exclude: Items = None,
    method: str | None = None,
    explain: bool | None = None,
    beta: float | None = None,
    no_guarantee: bool | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: bool = False,
) -> BasketsResult:
    """The most probable additions to each of many baskets, in one call: thousands a second.

    A basket is a sequence of labels or numbers; a 0/1 table and :class:`Sets` of the model's items will do as well.

    >>> import surefield as sf
    >>> model = sf.Flid([1.0, 2.0, 0.5], [[0.3, 0.9], [0.8, 0.1], [0.4, 0.4]], labels=["cot", "pram", "swing"])
    >>> sf.recommend_each(model, [["cot"], ["cot", "pram"]], 1).items
    [['pram'], ['swing']]
    """
    core = model_of(model)._core
    given = {
        "count": count, "exclude": exclude, "method": method, "explain": explain, "beta": beta,
        "no_guarantee": no_guarantee, "seed": seed, "threads": threads, "progress": progress,
    }
    rows = basket_rows(baskets)
    return BasketsResult(run("recommend", lambda options: _core.recommend_each(core, options, rows), given))


def options(work: str) -> list[tuple[str, Any, str, str]]:
    """The options of a piece of work by name: what each is called, its default, what it takes, what it means.

    >>> options("sample")[0]
    ('count', 10, 'a whole number from 0 to 100000000', 'how many sets')
    """
    table = _core.options()
    if work not in table:
        raise _core.Error(f"options: {work!r} is not one of {', '.join(table)}")
    return table[work]
