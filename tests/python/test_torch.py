"""surefield.torch: answers against enumeration, gradients against differences, manners of a layer."""
import copy
import doctest
import itertools
import math
import pathlib
import pickle
import re
import signal
import threading
import time
import warnings

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

import surefield as sf  # noqa: E402
import surefield.torch  # noqa: E402
from surefield.torch import CONVERGED, EPOCH_LIMIT, FAILED, MeanField, flid_log_likelihood  # noqa: E402

ITEMS = 4


def structures() -> dict[str, sf.Model]:
    """One of every family with derivatives; its numbers do not matter."""
    members = np.array([[1.0, 0.0], [0.5, 1.0], [0.0, 0.8], [0.0, 0.3]])
    links = np.array([[0, -1, 0, -1], [-1, 0, -1, 0], [0, -1, 0, 0], [-1, 0, 0, 0]], dtype=float)
    rng = np.random.default_rng(3)
    return {
        "flid": sf.Flid(np.zeros(ITEMS), np.zeros((ITEMS, 2))),
        "facility-location": sf.FacilityLocation(members + 0.1),
        "coverage": sf.Coverage(members),
        "pairwise": sf.PairwiseField(np.zeros(ITEMS), links),
        "sum": sf.Coverage(members) + sf.Flid(np.full(ITEMS, 0.4), rng.random((ITEMS, 1))) + sf.GraphCut(-links),
    }


def numbers(layer: MeanField, batch: int, seed: int = 1) -> list[torch.Tensor]:
    """Parameters that leave the model submodular, in double, to be differentiated."""
    rng = np.random.default_rng(seed)
    sign = {"coupling": -1.0}
    return [
        torch.tensor(sign.get(name, 1.0) * rng.uniform(0.1, 1.2, (batch, *shape)), requires_grad=True)
        for name, shape in layer.blocks.items()
    ]


def element(name: str, layer: MeanField, parts: list[torch.Tensor], e: int) -> sf.Model:
    """The model of one element, by the constructors of the package."""
    values = [part[e].detach().numpy() for part in parts]
    pairs = layer.pairs.numpy()
    if name == "flid":
        return sf.Flid(*values)
    if name == "pairwise":
        table = np.zeros((ITEMS, ITEMS))
        table[pairs[:, 0], pairs[:, 1]] = values[1]
        return sf.PairwiseField(values[0], table + table.T)
    if name == "facility-location":
        table = np.zeros((ITEMS, 2))
        table[pairs[:, 0], pairs[:, 1]] = values[1]
        return sf.FacilityLocation(table, values[0])
    if name == "coverage":
        return sf.Coverage([[1.0, 0.0], [0.5, 1.0], [0.0, 0.8], [0.0, 0.3]], values[1], values[0])
    return sum((float(f) * term for f, (_, term) in zip(values[0], structures()["sum"]._terms())), 0)


def elbo_by_sets(model: sf.Model, beta: float, x: np.ndarray) -> float:
    total = -sum(p * math.log(p) for one in x for p in (one, 1 - one) if p > 0)
    for chosen in itertools.product([0, 1], repeat=len(x)):
        chance = math.prod(one if c else 1 - one for one, c in zip(x, chosen))
        total += beta * chance * model.evaluate(np.array(chosen))
    return total


@pytest.mark.parametrize("name", structures())
def test_answers_are_those_of_the_model_and_gradients_those_of_differences(name: str) -> None:
    include = torch.zeros(2, ITEMS, dtype=torch.bool)
    include[1, 0] = True
    for gradient in ("implicit", "unrolled"):
        few = {"epochs": 2, "tolerance": 0.0} if gradient == "unrolled" else {"tolerance": 1e-13}
        layer = MeanField(structures()[name], gradient, **few)
        parts = numbers(layer, 2)
        beta = torch.tensor([0.8, 1.1], dtype=torch.float64, requires_grad=True)

        def call(*given: torch.Tensor) -> tuple[torch.Tensor, ...]:
            return layer(*given[:-1], inverse_temperature=given[-1], include=include)[:2]

        answer = layer(*parts, inverse_temperature=beta, include=include)
        for e in range(2):
            model = element(name, layer, parts, e)
            x = answer.marginals[e].detach().numpy()
            assert float(answer.elbo[e]) == pytest.approx(elbo_by_sets(model, float(beta[e]), x), abs=1e-10)
            assert float(answer.elbo[e]) <= float(answer.upper_bound[e]) < math.inf
            if gradient == "implicit":
                assert answer.status[e] == CONVERGED
                wanted = 1 / (1 + np.exp(-float(beta[e]) * model.gradient(x)))
                wanted[include[e].numpy()] = 1
                assert x == pytest.approx(wanted, abs=1e-9)
            else:
                assert answer.status[e] == EPOCH_LIMIT
        assert torch.autograd.gradcheck(call, (*parts, beta))
        if gradient == "implicit":
            assert torch.autograd.gradgradcheck(lambda *given: call(*given)[1], (*parts, beta))


def test_the_marginals_have_no_second_derivative_and_say_so() -> None:
    for gradient, what in (("implicit", "marginals"), ("unrolled", "elbo")):
        layer = MeanField(structures()["flid"], gradient)
        u, w = numbers(layer, 1)
        (slope,) = torch.autograd.grad(getattr(layer(u, w), what).sum(), u, create_graph=True)
        with pytest.raises((NotImplementedError, sf.Error), match="second derivatives are those of the ELBO"):
            slope.sum().backward()


def test_batches_broadcast_and_masks_are_the_elements_own() -> None:
    layer = MeanField(structures()["flid"])
    u = torch.rand(3, 1, ITEMS, dtype=torch.float64)
    w = torch.rand(2, ITEMS, 2, dtype=torch.float64, requires_grad=True)
    out = torch.zeros(2, ITEMS, dtype=torch.bool)
    out[1, 2] = True
    answer = layer(u, weights=w, inverse_temperature=torch.tensor(0.7), exclude=out)
    assert answer.marginals.shape == (3, 2, ITEMS) and answer.elbo.shape == answer.status.shape == (3, 2)
    assert (answer.marginals[:, 1, 2] == 0).all() and (answer.marginals[:, 0, 2] > 0).all()
    for a, b in itertools.product(range(3), range(2)):
        alone = layer(u[a, 0], w[b], inverse_temperature=0.7, exclude=out[b])
        assert torch.equal(alone.marginals, answer.marginals[a, b]) and alone.elbo.shape == ()
        assert torch.equal(alone.elbo, answer.elbo[a, b]) and torch.equal(alone.upper_bound, answer.upper_bound[a, b])
    answer.elbo.sum().backward()
    assert w.grad.shape == w.shape
    assert layer(torch.zeros(0, ITEMS)).marginals.shape == (0, ITEMS)  # weights: those of the structure


def test_float32_in_and_out_is_double_inside() -> None:
    layer = MeanField(structures()["flid"])
    u, w = numbers(layer, 5)
    narrow = [part.detach().float().requires_grad_() for part in (u, w)]
    wide = [part.detach().double().requires_grad_() for part in narrow]
    ours, truth = layer(*narrow), layer(*wide)
    assert ours.marginals.dtype == ours.elbo.dtype == ours.upper_bound.dtype == torch.float32
    assert torch.equal(ours.marginals, truth.marginals.float())
    assert (ours.upper_bound.double() >= truth.upper_bound).all()
    ours.marginals.square().sum().backward()
    truth.marginals.square().sum().backward()
    assert torch.allclose(narrow[0].grad.double(), wide[0].grad, rtol=1e-5, atol=1e-6)
    half = layer(*(part.detach().half() for part in narrow))
    assert half.marginals.dtype == torch.float16 and (half.upper_bound.double() >= half.elbo.double()).all()


def test_one_bad_element_fails_alone() -> None:
    u, w = (part.detach() for part in numbers(MeanField(structures()["flid"]), 4))
    good = u.clone().requires_grad_()
    truth = MeanField(structures()["flid"])(good, w)
    truth.marginals.square().sum().backward()
    bad = u.clone()
    bad[2, 1] = math.nan
    for on_failure in ("zero", "nan", "raise"):
        layer = MeanField(structures()["flid"], on_failure=on_failure)
        given = bad.clone().requires_grad_()
        if on_failure == "raise":
            with pytest.raises(sf.Error, match="element 2 of the batch: flid: item 1 has utility nan"):
                layer(given, w)
            continue
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            answer = layer(given, w)
            answer.marginals.square().sum().backward()
        assert [bool("element 2" in str(one.message)) for one in said] == [True, True] * (on_failure == "zero")
        assert answer.status.tolist() == [CONVERGED, CONVERGED, FAILED, CONVERGED]
        assert answer.marginals[2].isnan().all() and answer.elbo[2].isnan() and answer.upper_bound[2] == math.inf
        rest = [0, 1, 3]
        assert torch.equal(answer.marginals[rest], truth.marginals[rest])
        assert torch.equal(given.grad[rest], good.grad[rest])
        assert (given.grad[2] == 0).all() if on_failure == "zero" else given.grad[2].isnan().all()


def test_a_gradient_that_does_not_exist_is_a_failure_of_its_element() -> None:
    # Two that attract: at beta = 1 the maximum at 1/2 is about to split; at 0.5 it is a plain one.
    layer = MeanField(sf.PairwiseField([0.0, 0.0], [[0.0, 4.0], [4.0, 0.0]]), on_failure="raise")
    bias = torch.full((2, 2), -2.0, dtype=torch.float64, requires_grad=True)
    answer = layer(bias, inverse_temperature=torch.tensor([0.5, 1.0], dtype=torch.float64))
    assert (answer.elbo <= answer.upper_bound).all() and (answer.upper_bound < math.inf).all()  # flipped, bounded
    odd = MeanField(sf.PairwiseField([0.0] * 3, np.ones((3, 3)) - np.eye(3)))(torch.zeros(3))
    assert odd.status == CONVERGED and odd.upper_bound == math.inf  # no flips mend it: nothing is claimed
    with pytest.raises(sf.Error, match="backward: element 1 of the batch: mean field layer: no gradient"):
        answer.marginals.sum().backward()


def test_nothing_is_kept_between_forward_and_backward() -> None:
    layer = MeanField(structures()["flid"])
    before = {name: value for name, value in vars(layer).items()}
    first, second = (numbers(layer, 3, seed) for seed in (1, 2))
    late = [layer(*first).marginals.sum(), layer(*second).marginals.sum()]
    late[1].backward()
    late[0].backward()
    for parts in (first, second):
        alone = [part.detach().requires_grad_() for part in parts]
        layer(*alone).marginals.sum().backward()
        assert all(torch.equal(a.grad, b.grad) for a, b in zip(alone, parts))
    assert vars(layer) == before and not list(layer.parameters()) and not layer.state_dict()
    with torch.no_grad():
        assert not layer(*first).marginals.requires_grad


def test_the_same_bits_on_any_number_of_threads_and_after_pickle() -> None:
    layers = [MeanField(structures()["flid"], threads=threads) for threads in (1, 2)]
    layers += [pickle.loads(pickle.dumps(layers[0])), copy.deepcopy(layers[1])]
    found = []
    for layer in layers:
        u, w = numbers(layer, 9)
        answer = layer(u, w)
        answer.marginals.sum().backward()
        found.append((answer.marginals, answer.elbo, answer.upper_bound, u.grad, w.grad))
    for other in found[1:]:
        assert all(torch.equal(a, b) for a, b in zip(found[0], other))


def test_ctrl_c_ends_a_long_batch() -> None:
    layer = MeanField(sf.Flid(np.zeros(100), np.zeros((100, 10))), threads=2)
    utility, weights = torch.rand(20000, 100), torch.rand(100, 10)
    before = time.process_time()
    timer = threading.Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        layer(utility, weights)
    timer.join()
    assert time.process_time() - before < 5  # all of it would take ten and more
    assert layer(utility[:2], weights).marginals.shape == (2, 100)


def test_refusals_name_what_is_wrong() -> None:
    flid = structures()["flid"]
    layer = MeanField(flid)
    u, w = torch.zeros(ITEMS), torch.zeros(ITEMS, 2)
    for message, action in {
        "which has no derivatives in its parameters": lambda: MeanField(sf.GraphCut(np.ones((2, 2)) - np.eye(2))),
        "gradient: 'exact' is not known; there are implicit, unrolled": lambda: MeanField(flid, "exact"),
        "on_failure: 'skip' is not known": lambda: MeanField(flid, on_failure="skip"),
        "structure: a dict is not a model": lambda: MeanField({}),
        "structure: its box is not": lambda: MeanField(flid.with_box([1.0, 0, 0, 0], [1.0] * 4)),
        "the epochs are 0": lambda: MeanField(flid, epochs=0),
        r"weights: its shape is \(4,\), which must end in \(4, 2\)": lambda: layer(u, u),
        "utility: its numbers are torch.int64": lambda: layer(u.long(), w),
        "'weight' is not a parameter; there are": lambda: layer(u, weight=w),
        "utility was given twice": lambda: layer(u, utility=u),
        "3 parameters were given": lambda: layer(u, w, w),
        "include: it is a mask of torch.float32": lambda: layer(u, w, include=u),
        r"include: its shape is \(3,\)": lambda: layer(u, w, include=torch.zeros(3, dtype=torch.bool)),
        "do not broadcast together": lambda: layer(torch.zeros(3, ITEMS), torch.zeros(2, ITEMS, 2)),
        "log_z: 'ais' is not known": lambda: flid_log_likelihood((u, w), np.ones((1, ITEMS)), "ais"),
        "which must be .items,. and": lambda: flid_log_likelihood((w, u), np.ones((1, ITEMS))),
        "they are of 3 items": lambda: flid_log_likelihood((u, w), np.ones((1, 3), dtype=np.uint8)),
        "one is empty": lambda: flid_log_likelihood((u, w), np.zeros((1, ITEMS), dtype=np.uint8), given_non_empty=True),
    }.items():
        with pytest.raises(sf.Error, match=message):
            action()


@pytest.mark.parametrize("log_z", ["exact", "hoelder"])
def test_log_likelihood_is_that_of_all_sets(log_z: str) -> None:
    rng = np.random.default_rng(4)
    u = torch.tensor(rng.normal(size=ITEMS), requires_grad=True)
    w = torch.tensor(rng.uniform(0.1, 1, (ITEMS, 2)), requires_grad=True)
    every = np.array(list(itertools.product([0, 1], repeat=ITEMS)), dtype=np.uint8)
    model = sf.Flid(u.detach().numpy(), w.detach().numpy())
    values = model.evaluate(every)
    truth = values - np.log(np.exp(values).sum())
    found = flid_log_likelihood((u, w), every, log_z).detach().numpy()
    if log_z == "exact":
        assert found == pytest.approx(truth, abs=1e-12)
        some = flid_log_likelihood((u, w), torch.tensor(every[1:]), given_non_empty=True)
        assert float(some.exp().sum()) == pytest.approx(1, abs=1e-12)
    assert (found <= truth + 1e-12).all() and (found >= truth - 0.3).all()
    for given in (False, True):
        assert torch.autograd.gradcheck(
            lambda a, b: flid_log_likelihood((a, b), every[1:5], log_z, given_non_empty=given), (u, w), atol=1e-5
        )


def test_a_layer_learns_the_marginals_it_should_have() -> None:
    layer = MeanField(structures()["flid"])
    wanted = torch.tensor([0.7, 0.4, 0.2, 0.1], dtype=torch.float64)
    u = torch.zeros(ITEMS, dtype=torch.float64, requires_grad=True)
    w = torch.tensor([[1.0, 0.1], [0.8, 0.2], [0.5, 0.9], [0.3, 0.6]], dtype=torch.float64)
    search = torch.optim.LBFGS([u], max_iter=50, line_search_fn="strong_wolfe")

    def loss() -> torch.Tensor:
        search.zero_grad()
        off = (layer(u, w).marginals - wanted).square().sum()
        off.backward()
        return off

    search.step(loss)
    assert torch.allclose(layer(u, w).marginals, wanted, atol=1e-4)


def test_the_document_runs() -> None:
    text = (pathlib.Path(__file__).parents[2] / "docs" / "torch.md").read_text()
    blocks = re.findall(r"```python\n(.*?)```", text, re.S)
    assert len(blocks) == 3
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, "docs/torch.md", "exec"), names)


def test_the_docstrings_run() -> None:
    for module in (surefield.torch, surefield._torch_likelihood):
        found = doctest.testmod(module)
        assert found.failed == 0 and found.attempted > 3
