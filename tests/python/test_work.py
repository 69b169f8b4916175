"""The work from Python: the same bytes as the command line, every option, and results as objects."""
import inspect
import json
import pickle
import re
import warnings
from fractions import Fraction

import numpy as np
import pytest

import surefield as sf
from conftest import all_sets

TIMES = re.compile(r'^.*"(seconds|arguments|path|name)": .*\n', re.MULTILINE)


def without_times(text: str) -> str:
    """What two runs of the same work share: all but how long it took, what was typed and what files are called."""
    return TIMES.sub("", text).rstrip().rstrip("}").rstrip().rstrip(",")


def sets_file(tmp_path):
    rng = np.random.default_rng(3)
    lines = []
    for _ in range(120):
        names = [name for name, chance in (("cot", 0.6), ("pram", 0.5), ("swing", 0.3), ("toy", 0.4)) if rng.random() < chance]
        lines.append(",".join(names) or '""')
    path = tmp_path / "sets.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


COMMANDS = [
    ("infer", ["--seed", 3], lambda m, o: sf.infer(m, seed=3)),
    ("infer", ["-a", "dr-double-greedy", "--trace", "--beta", 0.5, "--order", "shuffled"],
     lambda m, o: sf.infer(m, algorithm="dr-double-greedy", trace=True, beta=0.5, order="shuffled")),
    ("infer", ["--in", "3,7", "--out", 0, "--certify", 1], lambda m, o: sf.infer(m, include=[3, 7], exclude=0, certify=1)),
    ("infer", ["-a", "coordinate-ascent", "--start", "random", "--epochs", 3, "--tolerance", 0],
     lambda m, o: sf.infer(m, algorithm="coordinate-ascent", start="random", epochs=3, tolerance=0)),
    ("logz", ["--marginals", "--seed", 2], lambda m, o: sf.log_z(m, marginals=True, seed=2)),
    ("logz", ["--compare", "--seed", 2], lambda m, o: sf.log_z(m, compare=True, seed=2)),
    ("sample", ["-k", 7, "--seed", 5], lambda m, o: sf.sample(m, 7, seed=5)),
    ("best-set", ["-k", 3], lambda m, o: sf.best_set(m, 3)),
    ("recommend", ["--have", "3,7", "-k", 4, "--explain", "--out", 1],
     lambda m, o: sf.recommend(m, [3, 7], 4, explain=True, exclude=1)),
    ("agree", ["other.json", "--seed", 2], lambda m, o: sf.agree(m, o, seed=2)),
    ("agree", ["other.json", "--beta", "0.5,1"], lambda m, o: sf.agree(m, o, beta=[0.5, 1])),
]


@pytest.mark.parametrize("command, arguments, call", COMMANDS, ids=lambda value: value if isinstance(value, str) else "")
def test_the_same_bytes_as_the_command_line(program, tmp_path, command, arguments, call) -> None:
    program("generate", "flid", "--items", 12, "--seed", 1, "-q", "-o", "model.json")
    program("generate", "flid", "--items", 12, "--seed", 2, "-q", "-o", "other.json")
    typed = program(command, "model.json", *arguments, "--format", "json", "-q", "--threads", 1)
    result = call(sf.read(tmp_path / "model.json"), sf.read(tmp_path / "other.json"))
    assert without_times(result.to_json()) == without_times(typed) and len(typed) > 200


@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_bytes_of_what_is_learned(program, tmp_path, threads) -> None:
    path = sets_file(tmp_path)
    typed = program("fit", path, "--model", "flid", "--dims", 2, "--folds", 3, "--epochs", 5, "--seed", 4,
                    "-o", "fold_{fold}.json", "--format", "json", "-q")
    found = sf.fit(path, model="flid", dims=2, folds=3, epochs=5, seed=4, threads=threads)
    assert without_times(found.to_json()) == without_times(typed)
    for fold, model in enumerate(found.models, 1):
        assert model.to_json() == (tmp_path / f"fold_{fold}.json").read_text()
    typed = program("select", path, "--dims", "0,1", "--folds", 2, "--epochs", 5, "--model", "best.json",
                    "--format", "json", "-q")
    chosen = sf.select(path, dims=[0, 1], folds=2, epochs=5, train=True, threads=threads)
    assert without_times(chosen.to_json()) == without_times(typed) and chosen.verdict in typed
    assert chosen.model.to_json() == (tmp_path / "best.json").read_text()
    typed = program("evaluate", "best.json", path, "--training", path, "--non-empty", "--format", "json", "-q")
    judged = sf.evaluate(tmp_path / "best.json", path, training=path, non_empty=True, threads=threads)
    assert without_times(judged.to_json()) == without_times(typed)
    typed = program("select", path, "--folds", 2, "--epochs", 5, "--starts", 1, "--format", "json", "-q")
    both = sf.select(path, folds=2, epochs=5, starts=1, threads=threads)
    assert without_times(both.to_json()) == without_times(typed) and both.families
    assert both.verdict.endswith("; " + both.families["verdict"]) and len(both.families["rows"]) > 3
    typed = program("select", path, "--families", "modular,pairwise", "--folds", 2, "--format", "json", "-q")
    families = sf.select(path, families=["modular", "pairwise"], folds=2, threads=threads)
    assert without_times(families.to_json()) == without_times(typed) and len(families.rows) == 2


WORK = {"infer": sf.infer, "log_z": sf.log_z, "sample": sf.sample, "best_set": sf.best_set, "agree": sf.agree,
        "recommend": sf.recommend, "fit": sf.fit, "select": sf.select, "evaluate": sf.evaluate}


@pytest.mark.parametrize("work", WORK)
def test_every_option_of_the_library_is_a_keyword(work: str) -> None:
    options = {name for name, *_ in sf.options(work)}
    keywords = set(inspect.signature(WORK[work]).parameters)
    assert options and options <= keywords
    setting = {"model", "models", "sets", "have", "seed", "threads", "progress", "include", "exclude", "no_guarantee",
               "hint", "names", "train", "training"}
    assert keywords - options - setting == set()


@pytest.mark.parametrize("work", WORK)
def test_every_option_of_the_command_line_is_an_option_of_the_library(program, work: str) -> None:
    command = {"log_z": "logz", "best_set": "best-set"}.get(work, work)
    typed = set(re.findall(r"^\s+(?:-\w,)?--([a-z-]+)", program(command, "--help"), re.MULTILINE))
    of_files = {"help", "format", "output", "seed", "threads", "quiet", "top", "from", "edges", "row-weight", "in", "out",
                "box", "evidence", "no-guarantee", "order-file", "start-file", "hint-file", "names", "items", "count-",
                "first-id", "skip-unknown", "separator", "header", "no-header", "form", "long", "encoding", "blank", "to",
                "have", "training", "baskets", "blank", "partition"}
    options = {name.replace("_", "-") for name, *_ in sf.options(work)}
    left = typed - of_files - options
    assert left <= {"infer": {"marginals"}, "fit": {"count"}, "select": {"model", "count"}}.get(work, set()), left
    assert options <= typed


MODEL = sf.Flid([1.0, 2.0, 0.5, 0.2], [[0.3, 0.9], [0.8, 0.1], [0.4, 0.4], [0.0, 1.0]], labels=["a", "b", "c", "d"])
VALUES = MODEL.evaluate(all_sets(4))
LOG_Z = float(np.log(np.exp(VALUES).sum()))


def test_inference_is_right_and_says_how_good_it_is() -> None:
    result = sf.infer(MODEL, trace=True, algorithm="coordinate-ascent")
    x = result.marginals
    entropy = -(x * np.log(x) + (1 - x) * np.log1p(-x)).sum()
    chance = np.prod(np.where(all_sets(4) == 1, x, 1 - x), axis=1)
    assert result.elbo == pytest.approx(chance @ VALUES + entropy, abs=1e-9)
    assert result.elbo <= LOG_Z and LOG_Z in result.log_z and result.status == "converged"
    assert result.trace.dtype.names == ("epoch", "value", "seconds", "top") and len(result.trace) >= 1
    assert result.trace["value"][-1] == pytest.approx(result.elbo, abs=1e-9)
    best = sf.infer(MODEL)
    assert best.certified and best.elbo in sf.Interval(best.optimum.low - 1e-9, best.optimum.high + 1e-9)
    assert best.upper_bound >= result.elbo - 1e-9 and "optimum" in best.guarantee
    truth = np.exp(VALUES - LOG_Z) @ all_sets(4)
    low, high = best.set_marginals
    assert (low <= truth + 1e-9).all() and (truth <= high + 1e-9).all() and (low <= high).all() and (high - low < 0.1).all()
    rng = np.random.default_rng(2)
    wide = sf.Flid(rng.normal(size=30), rng.random((30, 8)))
    rough, fine = sf.infer(wide, algorithm="dr-double-greedy"), sf.infer(wide)
    assert rough.optimum.low <= fine.elbo <= rough.optimum.high and rough.optimum.width > 1e-3
    assert rough.optimum.low <= rough.elbo and rough.upper_bound == rough.optimum.high
    attractive = sf.infer(sf.PairwiseField([0.1, 0.2], [[0, 1], [1, 0]]))
    assert any("1 of 2 variables were flipped" in note for note in attractive.notes)
    assert best.basis == "proved" and best.labels == ["a", "b", "c", "d"] and best.algorithm == "best"


def test_arrays_are_views_that_outlive_their_result() -> None:
    x = sf.infer(MODEL).marginals
    assert not x.flags.writeable and not x.flags.owndata and x.shape == (4,)
    again = sf.infer(MODEL)
    assert (x == again.marginals).all() and again.marginals.ctypes.data == again.marginals.ctypes.data


def test_points_and_orders_are_taken_as_arrays() -> None:
    start = np.full(4, 0.5)
    first = sf.infer(MODEL, algorithm="coordinate-ascent", start=start, epochs=1, tolerance=0, order=[3, 2, 1, 0])
    other = sf.infer(MODEL, algorithm="coordinate-ascent", start=start, epochs=1, tolerance=0, order=[["a", "b", "c", "d"]])
    assert not (first.marginals == other.marginals).all()
    assert sf.infer(MODEL, algorithm="guarded", hint=first.marginals).elbo <= LOG_Z
    low, high = (sf.infer(MODEL, algorithm="guarded", hint=[end] * 4).marginals for end in (0.0, 1.0))
    assert low[0] < high[0], "the hint is followed as far as the guarantee allows"
    with pytest.raises(sf.Error, match="start: it has 3 numbers, but there are 4 items"):
        sf.infer(MODEL, start=[0.5] * 3)
    with pytest.raises(sf.Error, match="not between 0 and 1"):
        sf.infer(MODEL, start=[0.5, 0.5, 0.5, 2])


def test_log_z_samples_sets_and_agreement_are_those_of_enumeration() -> None:
    found = sf.log_z(MODEL, marginals=True)
    weights = np.exp(VALUES - LOG_Z)
    low, high = found.marginals
    truth = weights @ all_sets(4)
    assert LOG_Z in found.interval and found.exact
    assert (low <= truth + 1e-9).all() and (truth <= high + 1e-9).all() and (high - low < 1e-6).all()
    drawn = sf.sample(MODEL, 4000, seed=1)
    assert drawn.exact and drawn.sets.mean(axis=0) == pytest.approx(truth, abs=0.05) and len(drawn) == 4000
    assert set(drawn.items[0]) <= {"a", "b", "c", "d"}
    best = sf.best_set(MODEL)
    assert best.value == pytest.approx(VALUES.max()) and VALUES.max() in sf.Interval(best.interval.low - 1e-9, best.interval.high)
    assert best.names == [MODEL.labels[k] for k in best.items]
    other = 0.5 * MODEL
    agreement = sf.agree(MODEL, other)
    shared = np.log((weights * np.exp(VALUES / 2) / np.exp(VALUES / 2).sum()).sum())
    assert isinstance(agreement, sf.AgreeResult)
    assert agreement.agreement.low - 1e-9 <= shared <= agreement.agreement.high + 1e-9
    pairs = sf.agree(MODEL, other, MODEL, names=["x", "y", "z"])
    assert isinstance(pairs, sf.PairsResult) and len(pairs.to_frame()) == 3


def test_suggestions_are_the_largest_conditional_marginals() -> None:
    sets = all_sets(4)
    weights = np.exp(VALUES) * sets[:, 1]
    truth = (weights @ sets) / weights.sum()
    found = sf.recommend(MODEL, "b", 3)
    assert found.exact and found.items == [MODEL.labels[k] for k in np.argsort(-truth) if k != 1]
    assert [row["marginal"] for row in found.suggestions] == pytest.approx(sorted(np.delete(truth, 1))[::-1])
    assert list(found.to_frame()["item"]) == found.items and len(found.to_frame()["marginal"]) == 3


def test_many_baskets_get_what_each_would_alone(program, tmp_path) -> None:
    baskets = [["b"], [], ["a", "d", "a"], [2, "b"]]
    found = sf.recommend_each(MODEL, baskets, 3)
    alone = [sf.recommend(MODEL, basket, 3) for basket in baskets]
    assert len(found) == 4 and found.items == [one.items for one in alone]
    for rows, one in zip(found.suggestions, alone):
        assert [row["marginal"] for row in rows] == pytest.approx([row["marginal"] for row in one.suggestions])
    table = np.array([[0, 1, 0, 0], [0, 0, 0, 0], [1, 0, 0, 1], [0, 1, 1, 0]])
    assert sf.recommend_each(MODEL, table, 3).items == found.items
    assert sf.recommend_each(MODEL, sf.Sets([["b", "a"], ["d"]], labels=["d", "b", "a"]), 3).items == \
        sf.recommend_each(MODEL, [["a", "b"], ["d"]], 3).items
    assert sf.recommend_each(MODEL, [], 3).items == [] and pickle.loads(pickle.dumps(found)).items == found.items
    assert set(found.to_frame()["basket"]) == {1, 2, 3, 4}
    without = sf.recommend_each(MODEL, [["b"], []], 4, exclude="c").items
    assert without == [sf.recommend(MODEL, basket, 4, exclude="c").items for basket in (["b"], [])] and "c" not in sum(without, [])
    sf.write(tmp_path / "model.json", MODEL)
    (tmp_path / "baskets.csv").write_text("b\na,d\nb,c\n")
    typed = program("recommend", "model.json", "--baskets", "baskets.csv", "-k", 2, "--explain", "--format", "json", "-q")
    assert sf.recommend_each(MODEL, [["b"], ["a", "d"], ["b", "c"]], 2, explain=True).to_json() == typed
    with pytest.raises(sf.Error, match=r"the path comes first: write\(path, model\)"):
        sf.write(MODEL, tmp_path / "model.json")
    with pytest.raises(sf.Error, match="baskets: 'x' is not"):
        sf.recommend_each(MODEL, [["x"]])
    with pytest.raises(sf.Error, match="a basket is a row of a 0/1 table or a sequence of items"):
        sf.recommend_each(MODEL, "b")


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: sf.infer(MODEL, beta=-1), "beta: -1 is not a number > 0"),
        (lambda: sf.infer(MODEL, beta="x"), "beta: 'x' is not a number > 0"),
        (lambda: sf.infer(MODEL, beta=np.nan), "beta: nan is not a number > 0"),
        (lambda: sf.infer(MODEL, epochs=1.5), "epochs: 1.5 is not a whole number >= 0"),
        (lambda: sf.infer(MODEL, epochs=True), "epochs: True is not a whole number >= 0"),
        (lambda: sf.infer(MODEL, trace=1), "trace: 1 is not True or False"),
        (lambda: sf.infer(MODEL, algorithm="bset"), "algorithm: 'bset' is not one of best, .*; did you mean"),
        (lambda: sf.infer(MODEL, rounds=3), "rounds: the algorithm is best, but this option is for continuous"),
        (lambda: sf.infer(MODEL, gap=0.1), "gap: it has no effect without certify"),
        (lambda: sf.infer(MODEL, hint=[0.5] * 4), "hint: the algorithm is best, but this option is for guarded"),
        (lambda: sf.infer(MODEL, algorithm="bscb", start=[0.5] * 4), "start: the algorithm is bscb, but this option is for best and"),
        (lambda: sf.infer(MODEL, algorithm="continuous", order=[3, 2, 1, 0]), "order: the algorithm is continuous, but this option is for best"),
        (lambda: sf.infer(MODEL, seed=-1), "seed: -1 is not a whole number"),
        (lambda: sf.infer(MODEL, threads=0), "threads: 0 is not a whole number from 1 to 1024"),
        (lambda: sf.infer(MODEL, include="cot"), "include: 'cot' is not the name of one of 4 items"),
        (lambda: sf.infer(MODEL, include=9), "include: 9 is not"),
        (lambda: sf.infer(MODEL, include="a", exclude="a"), "exclude: item 'a' is bounded to \\[1, 1\\] already"),
        (lambda: sf.infer(3), "model: int is neither a surefield model nor the path of one"),
        (lambda: sf.sample(MODEL, method="what"), "method: 'what' is not one of auto, perfect, gibbs"),
        (lambda: sf.agree(MODEL), "at least two models"),
        (lambda: sf.fit([["a"]], dims=1, model="modular"), "dims: the method is modular by"),
        (lambda: sf.fit([["a"]], width=1.0), "width: it has no effect without folds"),
        (lambda: sf.fit([0.5]), "X: 0.5 is no set of labels"),
        (lambda: sf.fit(np.full((2, 2), 3)), "X: holds something other than 0 and 1"),
        (lambda: sf.evaluate(MODEL, [["a", "q"]]), "X: 'q' is not one of the 4 items"),
        (lambda: sf.select([["a"], ["b"]], families="flid", dims=1), "dims: it has no place beside families"),
    ],
)
def test_refusals_are_the_library_s_own(call, message: str) -> None:
    with pytest.raises(sf.Error, match=message):
        call()


def test_popularity_is_that_of_the_training_sets() -> None:
    held_out, seen = [["a", "b"]], [["d"], ["d", "c"], ["a"]]
    ranks = [sf.evaluate(MODEL, held_out, training=sets).to_dict()["prediction_by_popularity"]["mean_rank"]["mean"] for sets in (seen, held_out)]
    assert ranks == [2.75, 1.0]  # given b, a is behind d and beside c; given a, b is behind both


def test_what_falls_short_is_a_warning_and_a_status() -> None:
    rng = np.random.default_rng(0)
    hard = sf.PairwiseField(rng.random(60) * 4, -np.triu(rng.random((60, 60)), 1))
    with pytest.warns(sf.ShortfallWarning, match="wide"):
        found = sf.log_z(hard, seconds=0.1, width=1e-12)
    assert found.status == "short" and found.shortfalls
    quick = sf.PairwiseField(rng.random(20) * 4, -np.triu(rng.random((20, 20)), 1))
    assert sf.best_set(quick).status == "done"
    with pytest.warns(sf.ShortfallWarning, match="no bound of the optimum is proved"):
        assert sf.best_set(quick, seconds=0).status == "short"
    with pytest.warns(sf.ShortfallWarning, match="of the 50000 sets are drawn"):
        assert len(sf.sample(hard, 50000, method="gibbs", seconds=0.01)) < 50000
    sets = [["a", "b"], ["a"], ["b", "c"], ["c"], ["a", "c"]] * 8
    how = {"model": "fldc", "dims": 1, "concepts": 1, "epochs": 2, "folds": 2, "seconds": 0.01}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert sf.fit(sets, **how).status == "done", "of a model of both signs no width was asked for"
    with pytest.warns(sf.ShortfallWarning, match="wide"):
        assert sf.fit(sets, width=1e-300, **how).status == "short"
    frustrated = sf.PairwiseField([0.1, 0.2, 0.3], [[0, 1, 1], [1, 0, 1], [1, 1, 0]])
    with pytest.warns(sf.NoGuaranteeWarning, match="no guarantee: the model is not submodular"):
        sf.infer(frustrated)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sf.infer(frustrated, no_guarantee=True)


def test_results_as_text_frames_pictures_pages_and_pickles(tmp_path) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    result = sf.infer(MODEL, trace=True, algorithm="dr-double-greedy", polish=True)
    assert str(result).startswith("answer") and "best ELBO in [" in repr(result)
    assert result._repr_html_().index("best ELBO in [") < result._repr_html_().index("marginal")
    assert list(result.to_frame()["marginal"]) == list(result.marginals) and len(result.to_frame("trace")) == len(result.trace)
    for what in ("marginals", "bounds", "trajectory"):
        assert result.plot(what).has_data()
    with pytest.raises(sf.Error, match="plot: 'x' is not one of"):
        result.plot("x")
    bounds = result.plot("bounds")
    assert [text.get_text() for text in bounds.get_yticklabels()] == ["best ELBO", "log Z"]
    assert result.optimum.text(7) in [text.get_text() for text in bounds.texts]
    most, rest = result.plot().patches[0], result.plot().patches[1]  # the most likely on top, as long as it is likely
    assert most.get_width() == result.marginals.max() >= rest.get_width() and most.get_y() < rest.get_y()
    pairs = sf.agree(MODEL, 0.5 * MODEL, 0.7 * MODEL)
    assert pairs.plot().has_data() and "mean posterior agreement of 3 pairs in [" in repr(pairs)
    log_z = sf.log_z(MODEL)
    assert log_z.plot().has_data() and len(log_z.to_frame()) == len(log_z.methods)
    baskets = [["a", "b"], ["c"], ["a"], ["b", "c"]] * 10
    judged = sf.evaluate(MODEL, baskets)
    assert judged.plot().has_data() and judged.likelihood.low <= judged.likelihood.high < 0
    assert np.mean(MODEL.evaluate(sf.Sets(baskets, labels=MODEL.labels).to_csr().toarray())) - LOG_Z in judged.likelihood
    for chosen in (sf.select(baskets, dims=[0, 1], folds=2, epochs=3), sf.select(baskets, families=["modular"], folds=2)):
        assert chosen.plot().has_data() and len(chosen.to_frame()) == len(chosen.rows)
    assert sf.recommend(MODEL, "a").plot().has_data() and sf.agree(MODEL, MODEL).plot().has_data()
    matplotlib.pyplot.close("all")
    again = pickle.loads(pickle.dumps(result))
    assert again.elbo == result.elbo and (again.marginals == result.marginals).all() and again.to_json() == result.to_json()
    assert again.text() == result.text() and again.text(top=0) == result.text(top=0) and again.to_csv() == result.to_csv()
    with pytest.raises(sf.Error, match="for all items, top=0, not for top=2"):
        again.text(top=2)
    assert json.loads(result.to_json())["elbo"] == result.elbo == result.to_dict()["elbo"]
    evil = sf.infer(MODEL.with_labels(["<b>", "b", "c", "d"]))
    assert "<b>" not in evil._repr_html_()


def test_intervals_are_written_rounded_outwards() -> None:
    rng = np.random.default_rng(1)
    for low in [*(rng.normal(size=300) * 10.0 ** rng.integers(-12, 13, 300)), 0.0, 9.9999999999, -9.9999999999, 1e300, 5e-324]:
        for digits in (1, 7, 9):
            said = sf.Interval(low, low).text(digits)[1:-1].split(", ")
            assert Fraction(said[0]) <= Fraction(low) <= Fraction(said[1]), said
            assert float(said[1]) - float(said[0]) <= 10 ** (1 - digits) * 10 ** np.floor(np.log10(abs(low) or 1)) * 1.01
    assert str(sf.Interval(-np.inf, np.inf)) == "[-inf, inf]"


def test_a_report_page_holds_the_results(tmp_path) -> None:
    result = sf.infer(MODEL)
    try:
        sf.write_report(tmp_path / "page.html", [result, sf.log_z(MODEL)], "Two answers")
    except sf.Error as error:
        assert "no report page" in str(error)
        pytest.skip("this build has no report page")
    page = (tmp_path / "page.html").read_text()
    assert "Two answers" in page and '"certified_global":true' in page and page.count('class="result"') == 2


def test_sets_in_every_form_are_the_same_sets(tmp_path) -> None:
    pandas = pytest.importorskip("pandas")
    table = np.array([[1, 0, 1], [0, 0, 0], [1, 1, 1]])
    import scipy.sparse

    forms = [table, table.astype(bool), table.astype(float), scipy.sparse.csr_matrix(table), scipy.sparse.coo_matrix(table)]
    for form in forms:
        assert (sf.Sets(form).to_csr().toarray() == table).all() and sf.Sets(form).labels == []
    frame = sf.Sets(pandas.DataFrame(table, columns=["x", "y", "z"]))
    assert frame.labels == ["x", "y", "z"] and (frame.to_csr().toarray() == table).all()
    lists = sf.Sets([["x", "z"], [], ["x", "y", "z"]], labels=["x", "y", "z"])
    assert (lists.to_csr().toarray() == table).all()
    assert sf.Sets([[10, 9], [2]]).labels == ["2", "9", "10"]
    path = tmp_path / "sets.csv"
    path.write_text("x,z\nx,y,z\n")
    assert sf.read_sets(path).labels == ["x", "z", "y"] and len(sf.read_sets(path, form="lines")) == 2
