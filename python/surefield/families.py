"""The families of models, from arrays.

Rows of a table are items everywhere: ``weights`` of a :class:`Flid` is items by dimensions, ``benefit`` of a
:class:`FacilityLocation` items by customers, ``members`` of a :class:`Coverage` items by concepts.
"""
from __future__ import annotations

from typing import Any, Sequence

import numpy as np
import numpy.typing as npt
import scipy.sparse

from surefield import _core
from surefield._arrays import Reals, columns, groups, reals, square
from surefield.model import Labels, Model


class Flid(Model, kind="flid"):
    """Diversity by D dimensions: F(S) = sum_S u_i + sum_d (max_S W_id - sum_S W_id).

    >>> Flid([1.0, 2.0], [[0.5], [1.0]]).evaluate([1, 1])
    2.5
    """

    def __init__(self, utility: npt.ArrayLike, weights: npt.ArrayLike, *, labels: Labels = None) -> None:
        u = reals(utility, "utility")
        super().__init__(_core.flid(u, _by_items(weights, "weights", u)), labels)

    @property
    def utility(self) -> Reals:
        """u, a view."""
        return self._core.parameters["utility"]

    @property
    def weights(self) -> Reals:
        """W, items by dimensions, a view."""
        return self._core.parameters["weights"]


class Fldc(Model, kind="fldc"):
    """Diversity and coherence: a FLID plus sum_e (sum_S V_ie - max_S V_ie), items that go together; any sign of F.

    >>> Fldc([1.0, 2.0], [[0.5], [1.0]], [[0.25], [0.75]]).evaluate([1, 1])
    2.75
    """

    def __init__(
        self, utility: npt.ArrayLike, weights: npt.ArrayLike, coherence: npt.ArrayLike, *, labels: Labels = None
    ) -> None:
        u = reals(utility, "utility")
        w, v = _by_items(weights, "weights", u), _by_items(coherence, "coherence", u)
        super().__init__(_core.fldc(u, w, v), labels)

    @property
    def utility(self) -> Reals:
        """u, a view."""
        return self._core.parameters["utility"]

    @property
    def weights(self) -> Reals:
        """W, items by dimensions, a view."""
        return self._core.parameters["weights"]

    @property
    def coherence(self) -> Reals:
        """V, items by concepts, a view."""
        return self._core.parameters["coherence"]


def _by_items(table: npt.ArrayLike, name: str, utility: Reals) -> Reals:
    rows = reals(table, name, 2)
    if len(rows) != len(utility):
        raise _core.Error(
            f"{name}: has {len(rows)} rows, but utility has {len(utility)} entries; rows are items"
            + (", so it may have to be transposed" if rows.shape[1] == len(utility) else "")
        )
    return rows


class FacilityLocation(Model, kind="facility-location"):
    """F(S) = sum_d max_S w_id - sum_S cost_i; ``benefit`` is items by customers, dense or sparse.

    >>> FacilityLocation([[3.0, 0.0], [1.0, 2.0]], cost=[0.5, 0.5]).evaluate([1, 1])
    4.0
    """

    def __init__(self, benefit: Any, cost: npt.ArrayLike | None = None, *, labels: Labels = None) -> None:
        c = None if cost is None else reals(cost, "cost")
        table = columns(benefit, "benefit", None if c is None else len(c))
        c = np.zeros(table.shape[0]) if c is None else c
        super().__init__(_core.facility_location(c, table.indptr, table.indices, table.data), labels)


class Coverage(Model, kind="coverage"):
    """F(S) = sum_c w_c (1 - prod_S (1 - p_ic)) - sum_S cost_i; ``members`` holds p, items by concepts.

    >>> Coverage([[1.0, 0.5], [0.0, 0.5]], weights=[2.0, 4.0]).evaluate([1, 1])
    5.0
    """

    def __init__(
        self, members: Any, weights: npt.ArrayLike | None = None, cost: npt.ArrayLike | None = None, *,
        labels: Labels = None,
    ) -> None:
        c = None if cost is None else reals(cost, "cost")
        table = columns(members, "members", None if c is None else len(c))
        c = np.zeros(table.shape[0]) if c is None else c
        w = np.ones(table.shape[1]) if weights is None else reals(weights, "weights")
        super().__init__(_core.coverage(c, w, table.indptr, table.indices, table.data), labels)


class PairwiseField(Model, kind="pairwise"):
    """F(S) = constant + sum_S bias_i + sum of coupling_ij over the pairs inside S.

    ``coupling`` is a symmetric matrix, or a triangle of one, dense or sparse; a pair counts once. Of a symmetric CSR
    or CSC matrix of float64 with sorted indices the arrays are copied once, into the model.

    >>> PairwiseField([1.0, 2.0], [[0.0, -0.5], [-0.5, 0.0]]).evaluate([1, 1])
    2.5
    """

    def __init__(
        self, bias: npt.ArrayLike, coupling: Any, constant: float = 0.0, *, labels: Labels = None
    ) -> None:
        b = reals(bias, "bias")
        if scipy.sparse.issparse(coupling) and coupling.format == "csc":
            coupling = coupling.T  # the same pairs, and CSR without a copy
        table = _pairs(square(coupling, "coupling", len(b)), "coupling")
        super().__init__(
            _core.pairwise(b, table.indptr, table.indices, table.data, float(constant)), labels
        )

    @property
    def bias(self) -> Reals:
        """A view."""
        return self._core.parameters["bias"]

    @property
    def coupling(self) -> Any:
        """Symmetric, as CSR."""
        found = self._core.parameters
        n = len(self)
        return scipy.sparse.csr_matrix((found["coupling"], found["neighbour"], found["start"]), shape=(n, n))


def _pairs(table: Any, name: str) -> Any:
    """Every pair from both sides: a triangle is mirrored, anything else must be symmetric; the library checks that."""
    below, on, above = _core.places(table.indptr, table.indices)
    if on:
        raise _core.Error(f"{name}: its diagonal must be empty; what an item brings by itself is its bias")
    return table if below == above else (table + table.T).tocsr()


class GraphCut(Model, kind="cut"):
    """F(S) = sum_S bias_i + the weights of the edges that S cuts, directed or not.

    ``weights`` is a matrix, dense or sparse: entry (i, j) is the edge from i to j; undirected, a symmetric matrix or a
    triangle of one, of which an edge counts once.

    >>> GraphCut([[0.0, 2.0], [2.0, 0.0]]).evaluate([1, 0])
    2.0
    """

    def __init__(
        self, weights: Any, bias: npt.ArrayLike | None = None, *, directed: bool = False, labels: Labels = None
    ) -> None:
        table = square(weights, "weights")
        b = np.zeros(table.shape[0]) if bias is None else reals(bias, "bias")
        if len(b) != table.shape[0]:
            raise _core.Error(f"weights: is {table.shape[0]} x {table.shape[1]}, but bias has {len(b)} entries")
        if not directed:
            both = _pairs(table, "weights")
            difference = both - both.T
            if difference.nnz and not (difference.data == 0).all():
                raise _core.Error("weights: is neither symmetric nor a triangle; directed=True cuts i to j only")
            table = scipy.sparse.triu(both)
        edges = table.tocoo()
        super().__init__(_core.cut(b, edges.row, edges.col, edges.data, directed), labels)


class HypergraphCut(Model, kind="hypergraph-cut"):
    """F(S) = sum_S bias_i + the weights of the hyperedges that S cuts.

    ``members`` is a 0/1 table of items by hyperedges, or one list of items a hyperedge. With ``heads`` they are
    directed: cut where S meets the members and misses some of the heads.

    >>> HypergraphCut(3, [[0, 1, 2]], weights=[1.5]).evaluate([1, 0, 0])
    1.5
    """

    def __init__(
        self, bias: npt.ArrayLike | int, members: Any, weights: npt.ArrayLike | None = None, *, heads: Any = None,
        labels: Labels = None,
    ) -> None:
        b = _bias(bias)
        tail = groups(members, "members", len(b))
        head = tail if heads is None else groups(heads, "heads", len(b))
        w = np.ones(tail.shape[1]) if weights is None else reals(weights, "weights")
        super().__init__(_core.hypergraph_cut(b, w, tail.indptr, tail.indices, head.indptr, head.indices), labels)


class GibbsField(Model, kind="gibbs"):
    """F(S) = constant + sum_S bias_i + the coefficients of the terms whose variables are all in S.

    ``terms`` is a 0/1 table of items by terms, or one list of items a term.

    >>> GibbsField([1.0, 1.0, 1.0], [[0, 1, 2]], [-2.0]).evaluate([1, 1, 1])
    1.0
    """

    def __init__(
        self, bias: npt.ArrayLike | int, terms: Any, coefficients: npt.ArrayLike, constant: float = 0.0, *,
        labels: Labels = None,
    ) -> None:
        b = _bias(bias)
        sets = groups(terms, "terms", len(b))
        c = reals(coefficients, "coefficients")
        super().__init__(_core.gibbs(b, c, sets.indptr, sets.indices, float(constant)), labels)


def _bias(bias: npt.ArrayLike | int) -> Reals:
    return np.zeros(bias) if isinstance(bias, int) and not isinstance(bias, bool) else reals(bias, "bias")


class ConcaveOverModular(Model, kind="concave-over-modular"):
    """F(S) = sum_S modular_i + sum_g w_g psi_g(sum_S m_gi); ``members`` holds m, items by groups.

    ``shapes`` is one name for all groups or one each: power, log, ratio, saturating, truncated; the first and the last
    take a ``parameters``.

    >>> ConcaveOverModular([0.0, 0.0], [[4.0], [5.0]], "power", parameters=0.5).evaluate([1, 1])
    3.0
    """

    def __init__(
        self, modular: npt.ArrayLike | int, members: Any, shapes: str | Sequence[str] = "power",
        weights: npt.ArrayLike | None = None, *, parameters: npt.ArrayLike | None = None, tolerance: float = 1e-10,
        labels: Labels = None,
    ) -> None:
        m = _bias(modular)
        table = columns(members, "members", len(m))
        count = table.shape[1]
        names_ = [shapes] * count if isinstance(shapes, str) else list(shapes)
        w = np.ones(count) if weights is None else reals(weights, "weights")
        given = np.zeros(count) if parameters is None else np.asarray(parameters)
        p = reals(np.full(count, given) if given.ndim == 0 else given, "parameters")
        super().__init__(
            _core.concave_over_modular(m, w, names_, p, table.indptr, table.indices, table.data, float(tolerance)),
            labels,
        )


class LogDet(Model, kind="log-det"):
    """F(S) = log det L_S, a determinantal point process; its extension is an estimate by sampling.

    >>> LogDet([[2.0, 0.0], [0.0, 1.0]]).evaluate([0, 1])
    0.0
    """

    def __init__(self, kernel: npt.ArrayLike, *, samples: int = 1000, seed: int = 1, labels: Labels = None) -> None:
        super().__init__(_core.log_det(reals(kernel, "kernel", 2), samples, seed), labels)
