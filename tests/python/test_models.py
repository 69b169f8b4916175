"""Every family from arrays: values, extensions, files, algebra, and set functions of one's own."""
import copy
import gc
import math
import pickle
import weakref

import numpy as np
import pytest
import scipy.sparse

import surefield as sf
from conftest import all_sets, concave_of_size, example_models
from surefield.model import KINDS

MODELS = example_models()
SETS = all_sets(5)


def test_every_kind_of_the_library_has_its_class() -> None:
    assert sorted(row["kind"] for row in sf.model_table()) == sorted(KINDS) == sorted(MODELS)
    for kind, model in MODELS.items():
        assert model.kind == kind and type(model) is KINDS[kind] and len(model) == 5


def by_definition(kind: str, S: np.ndarray) -> float:
    """F as the documents state it, written out once more from the arrays of `example_models`."""
    rng = np.random.default_rng(5)
    n, inside = 5, np.flatnonzero(S)
    low = -np.tril(rng.random((n, n)), -1)
    kernel = rng.random((n, n)) * 0.3
    u, w = rng.normal(size=n), rng.random((n, 2))
    best = w[inside].max(axis=0) if len(inside) else np.zeros(2)
    flid = u[inside].sum() + (best - w[inside].sum(axis=0)).sum()
    even, W, V = np.linspace(-1, 1, n), np.linspace(0, 1, 2 * n).reshape(n, 2), np.linspace(1, 0, n).reshape(n, 1)
    tops = [table[inside].max(axis=0) if len(inside) else 0.0 for table in (W, V)]
    fldc = even[inside].sum() + (tops[0] - W[inside].sum(axis=0)).sum() + (V[inside].sum(axis=0) - tops[1]).sum()
    benefit, cost = rng.random((n, 3)), rng.random(n)
    facility = (benefit[inside].max(axis=0).sum() if len(inside) else 0.0) - cost[inside].sum()
    p, weight, cost = rng.random((n, 3)), rng.random(3), rng.random(n)
    coverage = (weight * (1 - np.prod(1 - p[inside], axis=0))).sum() - cost[inside].sum()
    bias = rng.normal(size=n)
    pairwise = 0.25 + bias[inside].sum() + (low + low.T)[np.ix_(inside, inside)].sum() / 2
    arcs, bias = rng.random((n, n)) * (1 - np.eye(n)), rng.normal(size=n)
    cut = bias[inside].sum() + sum(arcs[i, j] for i in inside for j in np.flatnonzero(S == 0))
    bias = rng.normal(size=n)
    edges = [(1.5, {0, 1, 2}), (0.5, {2, 3, 4})]
    hyper = bias[inside].sum() + sum(v for v, e in edges if e & set(inside) and e - set(inside))
    bias = rng.normal(size=n)
    gibbs = 0.125 + bias[inside].sum() - 1.0 * S[[0, 1]].all() - 0.5 * S[[1, 2, 3]].all()
    modular, m = rng.normal(size=n), rng.random((n, 2))
    concave = modular[inside].sum() + m[inside, 0].sum() ** 0.5 + 2 * np.log1p(m[inside, 1].sum())
    block = (np.eye(n) + kernel @ kernel.T)[np.ix_(inside, inside)]
    log_det = np.linalg.slogdet(block)[1] if len(inside) else 0.0
    u, w = rng.normal(size=n), rng.random((n, 2))
    best = w[inside].max(axis=0) if len(inside) else np.zeros(2)
    other = -sum(low[i, j] for i in range(n) for j in range(n) if S[i] != S[j])
    total = u[inside].sum() + (best - w[inside].sum(axis=0)).sum() + 2 * other
    return {
        "flid": flid, "fldc": fldc, "facility-location": facility, "coverage": coverage, "pairwise": pairwise, "cut": cut,
        "hypergraph-cut": hyper, "gibbs": gibbs, "concave-over-modular": concave, "log-det": log_det,
        "black-box": concave_of_size(S), "sum": total,
    }[kind]


@pytest.mark.parametrize("kind", MODELS)
def test_values_and_gains_are_those_of_the_definition(kind: str) -> None:
    model = MODELS[kind]
    truth = np.array([by_definition(kind, S) for S in SETS])
    assert model.evaluate(SETS) == pytest.approx(truth, rel=1e-8, abs=1e-8)
    assert model.evaluate(SETS[11]) == pytest.approx(truth[11], rel=1e-8, abs=1e-8)
    assert isinstance(model.evaluate({0, 2}), float)
    value = dict(zip(map(bytes, SETS), truth))
    for i in range(5):
        with_, without = SETS.copy(), SETS.copy()
        with_[:, i], without[:, i] = 1, 0
        gains = [value[bytes(a)] - value[bytes(b)] for a, b in zip(with_, without)]
        assert model.gain(i, SETS) == pytest.approx(np.array(gains), rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("kind", [kind for kind in MODELS if kind not in ("log-det", "black-box")])
def test_extensions_and_gradients_are_means_over_sets(kind: str) -> None:
    x = np.random.default_rng(1).random((3, 5))
    model, values = MODELS[kind], np.array([by_definition(kind, S) for S in SETS])
    for row, value, slope in zip(x, model.extension(x), model.gradient(x)):
        chance = np.prod(np.where(SETS == 1, row, 1 - row), axis=1)
        assert value == pytest.approx(chance @ values, rel=1e-7, abs=1e-7)
        for i in range(5):
            up, down = row.copy(), row.copy()
            up[i], down[i] = 1, 0
            assert slope[i] == pytest.approx(model.extension(up) - model.extension(down), rel=1e-6, abs=1e-6)
    assert model.extension(x[0]) == model.extension(x)[0]
    with pytest.raises(sf.Error, match="between 0 and 1"):
        model.extension(x + 1)


@pytest.mark.parametrize("form", [scipy.sparse.csr_matrix, scipy.sparse.csc_matrix, scipy.sparse.coo_matrix])
def test_sparse_matrices_of_every_form_are_the_dense_ones(form) -> None:
    rng = np.random.default_rng(2)
    table = np.where(rng.random((5, 4)) < 0.5, rng.random((5, 4)), 0.0)
    pairs = np.tril(np.where(rng.random((5, 5)) < 0.6, -rng.random((5, 5)), 0.0), -1)
    cost = rng.random(5)
    assert sf.FacilityLocation(form(table), cost) == sf.FacilityLocation(table, cost)
    assert sf.Coverage(form(table), cost=cost) == sf.Coverage(table, cost=cost)
    assert sf.PairwiseField(cost, form(pairs + pairs.T)) == sf.PairwiseField(cost, pairs)
    assert sf.GraphCut(form(-pairs)) == sf.GraphCut(-pairs.T)
    members = form((table > 0).astype(np.int8))
    lists = [list(np.flatnonzero(column)) for column in table.T]
    assert sf.GibbsField(5, members, -np.ones(4)) == sf.GibbsField(5, lists, -np.ones(4))
    twice = scipy.sparse.coo_matrix(([1.0, 2.0], ([0, 0], [1, 1])), shape=(5, 4))
    assert sf.FacilityLocation(twice) == sf.FacilityLocation(twice.toarray())


def test_what_the_field_holds_is_what_was_given() -> None:
    pairs = scipy.sparse.random(6, 6, 0.5, random_state=1, format="csr")
    pairs = scipy.sparse.triu(pairs, 1)
    field = sf.PairwiseField(np.arange(6.0), pairs)
    assert (field.coupling != (pairs + pairs.T)).nnz == 0
    assert field.bias.tolist() == [0, 1, 2, 3, 4, 5] and not field.bias.flags.writeable
    flid = MODELS["flid"]
    assert sf.Flid(flid.utility, flid.weights) == flid


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: sf.Flid([1, 2, 3], np.ones((2, 3))), "weights: has 2 rows, but utility has 3 entries; rows are items, "
         "so it may have to be transposed"),
        (lambda: sf.Flid([1, np.nan], [[1], [1]]), "finite"),
        (lambda: sf.Flid([1, 2], [[1], [1, 2]]), "weights: is ragged: its rows differ in length"),
        (lambda: sf.Flid(["a", "b"], [[1], [1]]), "utility: has dtype <U1, which must be a real number type"),
        (lambda: sf.Flid([1j, 2], [[1], [1]]), "utility: has dtype complex128"),
        (lambda: sf.Flid([2**60 + 1, 2], [[1], [1]]), "utility: holds int64 numbers beyond 2\\^53"),
        (lambda: sf.Flid(np.array([1, 1 + np.longdouble(2) ** -60]), [[1], [1]]), "utility: is float128, and some"),
        (lambda: sf.Flid(np.ma.array([1.0, 2.0], mask=[0, 1]), [[1], [1]]), "utility: has masked entries"),
        (lambda: sf.PairwiseField([0, 0], [[1.0, 0], [0, 0]]), "coupling: its diagonal must be empty"),
        (lambda: sf.PairwiseField([0, 0], [[0, 1.0], [2.0, 0]]), "edge 0-1 has coupling 1 but 2 from the other side"),
        (lambda: sf.PairwiseField([0, 0, 0], [[0, 1.0], [2.0, 0]]), "coupling: is 2 x 2, which must be 3 x 3"),
        (lambda: sf.GraphCut([[0, 1.0], [2.0, 0]]), "neither symmetric nor a triangle"),
        (lambda: sf.Coverage(np.ones((2, 3)), cost=[1, 2, 3]), "members: has 2 rows, but there are 3 items"),
        (lambda: sf.HypergraphCut(3, [[0, 3]]), "members: item 3 is not one of the 3, which count from 0"),
        (lambda: sf.HypergraphCut(3, [[0, 0.5]]), "members: 0.5 is no item"),
        (lambda: sf.LogDet([[1.0, 2.0], [2.0, 1.0]]), "positive definite"),
        (lambda: sf.Flid([1, 2], [[1], [1]], labels=["a"]), "labels: there are 1, but 2 items"),
        (lambda: sf.Flid([1, 2], [[1], [1]], labels=["a", "a"]), "a"),
        (lambda: MODELS["flid"].evaluate([0, 1]), "entries, but there are 5 items"),
        (lambda: MODELS["flid"].evaluate([0, 1, 2, 0, 0]), "S: holds something other than 0 and 1"),
        (lambda: MODELS["flid"].evaluate({7}), "7 is not an item"),
        (lambda: MODELS["flid"].gain(5, SETS), "5 is not an item"),
        (lambda: MODELS["flid"] + sf.GraphCut([[0.0]]), "items"),
        (lambda: sf.from_json("{"), "json"),
        (lambda: sf.read("/nowhere.json"), "nowhere"),
        (lambda: sf.SetFunction(3), "give a function"),
        (lambda: MODELS["black-box"].to_json(), "code, which no file can hold"),
    ],
)
def test_refusals_name_the_thing(make, message: str) -> None:
    with pytest.raises(sf.Error, match=message):
        make()


def test_narrow_types_are_widened_and_float64_is_not_copied() -> None:
    from surefield._arrays import reals

    array = np.arange(4.0)
    assert reals(array, "x") is array
    for dtype in ("f2", "f4", ">f8", "i1", "u2", "i8", "?"):
        assert (reals(np.array([0, 1], dtype=dtype), "x") == [0.0, 1.0]).all()
    strided = np.arange(12.0).reshape(3, 4)[:, ::2]
    assert sf.Flid([1, 2, 3], strided) == sf.Flid([1, 2, 3], strided.copy())


def test_a_directed_hyperedge_is_cut_from_its_members_to_its_heads() -> None:
    model = sf.HypergraphCut(3, [[0]], [1.5], heads=[[1, 2]])
    assert [float(model.evaluate(chosen)) for chosen in ([1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 0])] == [1.5, 1.5, 0, 0]


@pytest.mark.parametrize("kind", MODELS)
def test_pickles_and_copies_are_equal(kind: str) -> None:
    model = MODELS[kind]
    for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert again == model and type(again) is type(model)
        assert (again.evaluate(SETS) == model.evaluate(SETS)).all()
    assert model != sf.GraphCut([[0.0, 1.0], [1.0, 0.0]]) and model != 3
    assert repr(model).startswith(f"<{type(model).__name__} of 5 items")


def test_files_of_every_format_read_back(tmp_path) -> None:
    written = {
        "json": MODELS["concave-over-modular"], "flid": MODELS["flid"], "uai": MODELS["pairwise"],
        "fg": MODELS["pairwise"], "edges": sf.GraphCut([[0.0, 2.0], [2.0, 0.0]]),
        "set-cover": sf.Coverage([[1.0, 0.0], [1.0, 1.0]], cost=[1.0, 2.0]), "hyperedges": sf.HypergraphCut(3, [[0, 1, 2], [1, 2]]),
    }
    assert {row["name"] for row in sf.formats() if row["written"]} == set(written)
    for row in sf.formats():
        if not row["written"]:
            continue
        path = tmp_path / f"model{row['endings'].split()[0]}"
        sf.write(path, written[row["name"]])
        again = sf.read(path)
        sets = all_sets(len(again))
        assert again.evaluate(sets) == pytest.approx(written[row["name"]].evaluate(sets), abs=1e-12)
    labelled = MODELS["flid"].with_labels(list("abcde"))
    labelled.write(tmp_path / "labelled.flid")
    assert sf.read(tmp_path / "labelled.flid").labels == list("abcde")
    assert sf.read(tmp_path / "model.edges", edges="couplings").kind == "pairwise"
    with pytest.raises(sf.Error, match="must be one of cut, directed-cut"):
        sf.read(tmp_path / "model.edges", edges="what")


def test_labels_boxes_and_items() -> None:
    model = sf.Flid([1.0, 2.0], [[0.5], [1.0]], labels=["crib", "swing"])
    assert model.labels == ["crib", "swing"] and model.evaluate({"crib"}) == model.evaluate({0}) == 1.0
    assert model.gain("swing", {"crib"}) == model.gain(1, [1, 0])
    boxed = model.with_box([0, 1], [1, 1])
    assert boxed.box[0].tolist() == [0, 1] and boxed != model
    assert sf.infer(boxed).marginals[1] == 1
    with pytest.raises(sf.Error, match="'cot' is not the label"):
        model.evaluate({"cot"})


def test_algebra_of_models() -> None:
    a, b = MODELS["flid"], MODELS["pairwise"]
    truth = a.evaluate(SETS) + 2 * b.evaluate(SETS)
    for model in (a + 2 * b, 2.0 * b + a, a + np.float64(2) * b, sum([a, b, b]), (a / 2 + b) * 2):
        assert model.evaluate(SETS) == pytest.approx(truth)
    assert (a - b).evaluate(SETS) == pytest.approx(a.evaluate(SETS) - b.evaluate(SETS))
    assert (-a).submodularity == "violated" and "violat" not in a.violation
    again = sf.from_json((a + 2 * b).to_json())
    assert isinstance(again, sf.Sum) and [w for w, _ in again.terms] == [1.0, 2.0] and again == a + 2 * b
    labelled = a.with_labels(list("abcde"))
    assert (labelled + b).labels == list("abcde")
    with pytest.raises(sf.Error, match="call their items differently"):
        labelled + b.with_labels(list("vwxyz"))
    with pytest.raises(TypeError):
        a + 1  # type: ignore[operator]


class Concave(sf.SetFunction):
    """A subclass that counts what is asked of it."""

    def __init__(self, n: int, with_gain: bool = False) -> None:
        super().__init__(n, samples=200)
        self.asked = 0

    def value(self, S: np.ndarray) -> float:
        self.asked += 1
        return float(np.sqrt(S.sum()))


class WithGain(Concave):
    def gain(self, item: int, S: np.ndarray) -> float:  # type: ignore[override]
        rest = S.sum() - S[item]
        return float(np.sqrt(rest + 1) - np.sqrt(rest))


def batch(rows: np.ndarray) -> np.ndarray:
    assert rows.ndim == 2 and rows.dtype == np.uint8
    return np.sqrt(rows.sum(axis=1))


@pytest.mark.parametrize(
    "make",
    [
        lambda: sf.SetFunction(6, concave_of_size, samples=200),
        lambda: sf.SetFunction(6, batch, batch=True, samples=200),
        lambda: Concave(6),
        lambda: WithGain(6),
    ],
)
def test_own_set_functions_go_through_everything(make) -> None:
    f = make()
    truth = np.log(np.exp(np.sqrt(all_sets(6).sum(axis=1))).sum())
    assert f.submodularity == "assumed"
    found = sf.log_z(f)
    assert truth in found.interval and found.exact
    mean_field = sf.infer(f)
    assert mean_field.elbo == pytest.approx(truth, abs=0.2)
    assert not mean_field.certified and any("sampling" in note or "estimate" in note for note in mean_field.notes)
    assert sf.sample(f, 4, threads=2).sets.shape == (4, 6)
    assert sf.best_set(f).items == [0, 1, 2, 3, 4, 5]
    both = f + 2 * sf.GraphCut(np.ones((6, 6)) - np.eye(6))
    assert both.evaluate({0, 1}) == pytest.approx(2**0.5 + 16)
    assert sf.infer(both, algorithm="dr-double-greedy").marginals.shape == (6,)


def test_one_batch_call_a_question_and_the_same_numbers() -> None:
    calls = []

    def counted(rows: np.ndarray) -> np.ndarray:
        calls.append(len(rows))
        return batch(rows)

    x = np.full(6, 0.4)
    one, many = sf.SetFunction(6, concave_of_size), sf.SetFunction(6, counted, batch=True)
    assert one.extension(x) == many.extension(x) and len(calls) == 1 and calls[0] > 30
    calls.clear()
    assert (one.gradient(x) == many.gradient(x)).all() and len(calls) == 7
    assert WithGain(6).gradient(np.full(6, 0.4)) == pytest.approx(sf.SetFunction(6, batch, batch=True, samples=200).gradient(x))


def test_what_rests_on_the_assumption_says_so() -> None:
    f = sf.SetFunction(30, batch, batch=True, samples=20)
    with pytest.warns(sf.ShortfallWarning):
        found = sf.log_z(f, seconds=0.3)
    truth = np.log(sum(math.comb(30, k) * np.exp(np.sqrt(k)) for k in range(31)))
    assert found.basis == "assumed submodular" and truth in found.interval


def test_own_set_functions_are_refuted_or_refused() -> None:
    square = sf.SetFunction(5, lambda S: float(S.sum()) ** 2)
    assert square.submodularity == "violated" and "pair" in square.violation
    with pytest.warns(sf.NoGuaranteeWarning, match="not submodular"):
        sf.infer(square)
    with pytest.raises(sf.Error, match="returned 'x', which must be a number"):
        sf.SetFunction(3, lambda S: "x").evaluate({0})
    with pytest.raises(sf.Error, match="must be finite"):
        sf.infer(sf.SetFunction(3, lambda S: np.nan))
    with pytest.raises(sf.Error, match="one number a set"):
        sf.SetFunction(3, lambda rows: [1.0], batch=True).evaluate(all_sets(3))
    with pytest.raises(ZeroDivisionError):
        sf.infer(sf.SetFunction(3, lambda S: 1 / 0))
    with pytest.raises(sf.Error, match="beyond the promised bound 1"):
        sf.SetFunction(3, lambda S: 2.0, bound=1.0).evaluate({0})


def test_a_subclass_is_freed_when_the_last_name_is_gone() -> None:
    f = Concave(4)
    sf.log_z(f)
    gone = weakref.ref(f)
    del f
    gc.collect()
    assert gone() is None
