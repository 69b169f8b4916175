"""Models of sets in scikit-learn's habits: ``fit(X)`` where a row of X is a set.

X is a 0/1 array, a sparse matrix, a pandas frame (its columns are the labels), or one list of labels a set. Parameters
are those of :func:`surefield.fit`; ``max_iter`` is its ``epochs``, ``tol`` the tolerance of the mean field, ``n_jobs`` its
threads (-1: all cores).
"""
from __future__ import annotations

import os
import warnings
from typing import Any, Sequence

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from surefield import learning, work
from surefield._arrays import Bytes, Reals
from surefield._sets import Sets, over_items_of
from surefield.model import Model
from surefield._result import Interval
from surefield._run import NoGuaranteeWarning, SurefieldWarning


def _threads(n_jobs: int | None) -> int:
    if n_jobs is None:
        return 1
    return max(1, (os.cpu_count() or 1) + 1 + n_jobs) if n_jobs < 0 else n_jobs


class SetModel(BaseEstimator):  # type: ignore[misc]
    """What all of them share.

    After ``fit``: ``model_`` (a surefield model), ``marginals_``, ``elbo_``, ``elbo_upper_``, ``log_z_`` (an interval
    that contains log Z), ``n_iter_``, ``n_features_in_``, and ``feature_names_in_`` where the items have labels.
    """

    _family = "auto"
    _own: tuple[str, ...] = ()  # parameters handed to surefield.fit by the same name

    random_state: Any
    n_jobs: int | None
    max_iter: int | None
    tol: float | None
    verbose: int
    log_z_seconds: float

    def _seed(self) -> int:
        if isinstance(self.random_state, (int, np.integer)):
            return int(self.random_state)
        return int(check_random_state(self.random_state).randint(np.iinfo(np.int32).max))

    def fit(self, X: Any, y: Any = None) -> SetModel:
        """Learns from sets; y is ignored."""
        sets = Sets(X)
        seed, threads = self._seed(), _threads(self.n_jobs)
        given = {name: getattr(self, name) for name in self._own}
        found = learning.fit(
            sets, model=self._family, epochs=self.max_iter, seed=seed, threads=threads,
            progress=bool(self.verbose), **given,
        )
        if self.verbose:
            print(found.text().rstrip())
        self._take(found.model, seed, threads)
        self.n_iter_ = int(found.entries[0]["passes"])
        self.fit_result_ = found
        self.n_features_in_ = sets.shape[1]
        if sets.labels:
            self.feature_names_in_: npt.NDArray[Any] = np.asarray(sets.labels, dtype=object)
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        return self

    def _take(self, model: Model, seed: int, threads: int) -> None:
        """What is asked of the model once, so that it is there after fit."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SurefieldWarning)  # the intervals say it
            mean_field = work.infer(model, tolerance=self.tol, seed=seed, threads=threads)
            log_z = work.log_z(model, seconds=self.log_z_seconds, seed=seed, threads=threads)
        self.model_ = model
        self.marginals_: Reals = np.array(mean_field.marginals)
        self.elbo_ = mean_field.elbo
        self.elbo_upper_ = mean_field.upper_bound
        self.log_z_: Interval = log_z.interval

    def _rows(self, X: Any) -> Bytes:
        check_is_fitted(self, "model_")
        rows: Bytes = over_items_of(X, len(self.model_), self.model_.labels).to_csr().toarray()
        return rows

    def score_samples(self, X: Any) -> Reals:
        """log p(S) of every set, as little as it can be: log Z counts by its upper end."""
        rows = self._rows(X)
        values: Reals = self.model_.evaluate(rows) - self.log_z_.high
        return values

    def score(self, X: Any, y: Any = None) -> float:
        """The mean of log p(S) over the sets, as little as it can be; greater is better."""
        return float(self.score_samples(X).mean())

    def score_interval(self, X: Any) -> Interval:
        """Contains the mean of log p(S) over the sets."""
        rows = self._rows(X)
        mean = float(np.mean(self.model_.evaluate(rows)))
        return Interval(mean - self.log_z_.high, mean - self.log_z_.low)

    def sample(self, n_samples: int = 1, *, random_state: Any = None) -> Bytes:
        """Sets drawn from the model, a row each."""
        check_is_fitted(self, "model_")
        seed = self._seed() if random_state is None else int(check_random_state(random_state).randint(2**31 - 1))
        return work.sample(self.model_, n_samples, seed=seed).sets

    def recommend(self, baskets: Sequence[Any], k: int = 5) -> list[list[Any]]:
        """The k most probable additions to each basket, by label where the items have labels."""
        check_is_fitted(self, "model_")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NoGuaranteeWarning)
            return work.recommend_each(self.model_, baskets, k, threads=_threads(self.n_jobs)).items

    def transform(self, X: Any) -> Any:
        """The sets as a 0/1 table over the items of the model: a step of a Pipeline."""
        return self._rows(X)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fits, and gives the sets as a 0/1 table."""
        return self.fit(X, y).transform(X)

    def _more_tags(self) -> dict[str, Any]:
        return {"X_types": ["2darray", "sparse"], "requires_y": False, "binary_only": True}


class Flid(SetModel):
    """Diversity by ``dims`` dimensions; ``method`` nce or likelihood.

    >>> estimator = Flid(dims=1, random_state=1).fit([["a", "b"], ["a"], ["b", "c"], ["c"], ["a", "c"]] * 20)
    >>> estimator.log_z_.low <= estimator.log_z_.high, list(estimator.feature_names_in_)
    (True, ['a', 'b', 'c'])
    """

    _family = "flid"
    _own = ("dims", "method", "starts", "step", "noise")

    def __init__(
        self, dims: int = 10, *, method: str | None = None, starts: int | None = None, step: float | None = None,
        noise: float | None = None, max_iter: int | None = None, tol: float | None = None, random_state: Any = None,
        n_jobs: int | None = None, verbose: int = 0, log_z_seconds: float = 1.0,
    ) -> None:
        self.dims, self.method, self.starts, self.step, self.noise = dims, method, starts, step, noise
        self.max_iter, self.tol, self.random_state = max_iter, tol, random_state
        self.n_jobs, self.verbose, self.log_z_seconds = n_jobs, verbose, log_z_seconds


class Fldc(SetModel):
    """Diversity by ``dims`` dimensions and coherence by ``concepts`` concepts of items that go together."""

    _family = "fldc"
    _own = ("dims", "concepts", "method", "starts", "step", "noise")

    def __init__(
        self, dims: int = 10, concepts: int | None = None, *, method: str | None = None, starts: int | None = None,
        step: float | None = None, noise: float | None = None, max_iter: int | None = None, tol: float | None = None,
        random_state: Any = None, n_jobs: int | None = None, verbose: int = 0, log_z_seconds: float = 1.0,
    ) -> None:
        self.dims, self.concepts, self.method = dims, concepts, method
        self.starts, self.step, self.noise = starts, step, noise
        self.max_iter, self.tol, self.random_state = max_iter, tol, random_state
        self.n_jobs, self.verbose, self.log_z_seconds = n_jobs, verbose, log_z_seconds


class Modular(SetModel):
    """Every item by itself.

    >>> Modular().fit([["a"], ["a", "b"], []]).recommend([["a"]], 1)
    [['b']]
    """

    _family = "modular"
    _own = ("smoothing",)

    def __init__(
        self, smoothing: float | None = None, *, max_iter: int | None = None, tol: float | None = None,
        random_state: Any = None, n_jobs: int | None = None, verbose: int = 0, log_z_seconds: float = 1.0,
    ) -> None:
        self.smoothing = smoothing
        self.max_iter, self.tol, self.random_state = max_iter, tol, random_state
        self.n_jobs, self.verbose, self.log_z_seconds = n_jobs, verbose, log_z_seconds


class Pairwise(SetModel):
    """Items and couplings of pairs, of both signs unless ``repulsive``."""

    _family = "pairwise"
    _own = ("penalty", "repulsive", "pairs", "smoothing")

    def __init__(
        self, penalty: float | None = None, *, repulsive: bool = False, pairs: float | None = None,
        smoothing: float | None = None, max_iter: int | None = None, tol: float | None = None,
        random_state: Any = None, n_jobs: int | None = None, verbose: int = 0, log_z_seconds: float = 1.0,
    ) -> None:
        self.penalty, self.repulsive, self.pairs, self.smoothing = penalty, repulsive, pairs, smoothing
        self.max_iter, self.tol, self.random_state = max_iter, tol, random_state
        self.n_jobs, self.verbose, self.log_z_seconds = n_jobs, verbose, log_z_seconds


class Thin(SetModel):
    """Items and couplings of pairs whose graph has a small treewidth: log Z and every likelihood are exact."""

    _family = "thin"
    _own = ("treewidth", "penalty", "smoothing", "method")

    def __init__(
        self, treewidth: int | None = None, *, penalty: float | None = None, smoothing: float | None = None,
        method: str | None = None, max_iter: int | None = None, tol: float | None = None,
        random_state: Any = None, n_jobs: int | None = None, verbose: int = 0, log_z_seconds: float = 1.0,
    ) -> None:
        self.treewidth, self.penalty, self.smoothing, self.method = treewidth, penalty, smoothing, method
        self.max_iter, self.tol, self.random_state = max_iter, tol, random_state
        self.n_jobs, self.verbose, self.log_z_seconds = n_jobs, verbose, log_z_seconds


class Dpp(SetModel):
    """log det of a kernel of ``dims`` features: a determinantal point process."""

    _family = "dpp"
    _own = ("dims", "smoothing")

    def __init__(
        self, dims: int = 10, *, smoothing: float | None = None, max_iter: int | None = None,
        tol: float | None = None, random_state: Any = None, n_jobs: int | None = None, verbose: int = 0,
        log_z_seconds: float = 1.0,
    ) -> None:
        self.dims, self.smoothing = dims, smoothing
        self.max_iter, self.tol, self.random_state = max_iter, tol, random_state
        self.n_jobs, self.verbose, self.log_z_seconds = n_jobs, verbose, log_z_seconds


class Auto(SetModel):
    """The best of several families by hidden items and certified likelihood; ``fit_result_`` says which and why."""

    _family = "auto"
    _own = ("dims",)

    def __init__(
        self, dims: int | None = None, *, max_iter: int | None = None, tol: float | None = None,
        random_state: Any = None, n_jobs: int | None = None, verbose: int = 0, log_z_seconds: float = 1.0,
    ) -> None:
        self.dims = dims
        self.max_iter, self.tol, self.random_state = max_iter, tol, random_state
        self.n_jobs, self.verbose, self.log_z_seconds = n_jobs, verbose, log_z_seconds
