"""Estimators in scikit-learn's habits."""
import pickle

import numpy as np
import pytest
import scipy.sparse
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import Binarizer
from sklearn.utils import check_random_state

import surefield as sf
from surefield import learning, work
from surefield.estimators import Auto, Dpp, Fldc, Flid, Modular, Pairwise, SetModel, Thin

RNG = np.random.default_rng(7)
X = (RNG.random((150, 5)) < [0.6, 0.5, 0.3, 0.4, 0.2]).astype(int)
X[:, 4] = X[:, 0] & (RNG.random(150) < 0.8)  # bought together
SMALL = [
    Flid(dims=2, max_iter=5, random_state=1), Fldc(dims=1, concepts=1, max_iter=5, random_state=1), Modular(random_state=1), Pairwise(penalty=1.0, random_state=1),
    Thin(treewidth=2, random_state=1), Dpp(dims=3, max_iter=20, random_state=1), Auto(max_iter=5, random_state=1),
]


def test_there_is_an_estimator_for_every_learner() -> None:
    families = {cls._family for cls in SetModel.__subclasses__()}
    assert families == {model for model, *_ in sf.learners()}


@pytest.mark.parametrize("estimator", SMALL, ids=lambda e: type(e).__name__)
def test_fit_score_sample_recommend_clone_and_pickle(estimator) -> None:
    fitted = clone(estimator).fit(X)
    assert not hasattr(estimator, "model_") and clone(estimator).get_params() == estimator.get_params()
    assert fitted.n_features_in_ == 5 and fitted.marginals_.shape == (5,) and fitted.n_iter_ >= 0
    assert fitted.elbo_ <= fitted.elbo_upper_ + 1e-9 or np.isnan(fitted.elbo_)
    everything = np.array([[int(b) for b in f"{k:05b}"] for k in range(32)])
    log_z = np.log(np.exp(fitted.model_.evaluate(everything)).sum())
    assert fitted.log_z_.low - 1e-6 <= log_z <= fitted.log_z_.high + 1e-6
    truth = (fitted.model_.evaluate(X) - log_z).mean()
    assert fitted.score(X) <= truth + 1e-6 and fitted.score(X) == pytest.approx(truth, abs=1e-2)
    interval = fitted.score_interval(X)
    assert interval.low - 1e-9 <= truth <= interval.high + 1e-9
    assert fitted.score_samples(X).shape == (150,)
    wide = pickle.loads(pickle.dumps(fitted))
    wide.log_z_ = sf.Interval(log_z - 1, log_z + 2)
    assert wide.score(X) == pytest.approx(truth - 2) and wide.score_interval(X) == pytest.approx((truth - 2, truth + 1))
    assert fitted.sample(3, random_state=1).shape == (3, 5)
    suggestions = fitted.recommend([[0], []], 2)
    assert [len(s) for s in suggestions] == [2, 2] and 0 not in suggestions[0]
    again = pickle.loads(pickle.dumps(fitted))
    assert again.score(X) == fitted.score(X) and again.model_ == fitted.model_
    assert (clone(estimator).fit(scipy.sparse.csr_matrix(X)).marginals_ == fitted.marginals_).all()


def test_labels_come_from_frames_and_lists() -> None:
    pandas = pytest.importorskip("pandas")
    names = ["cot", "pram", "swing", "toy", "rattle"]
    frame = pandas.DataFrame(X, columns=names)
    lists = [[names[k] for k in np.flatnonzero(row)] for row in X]
    one = Pairwise(penalty=1.0, random_state=1).fit(frame)
    assert list(one.feature_names_in_) == names and one.recommend([["cot"]], 1)[0][0] in names
    other = Pairwise(penalty=1.0, random_state=1).fit(lists)
    assert other.score(lists) == pytest.approx(one.score(frame)) and set(other.feature_names_in_) == set(names)
    assert other.score(frame[list(other.feature_names_in_)]) == pytest.approx(one.score(frame))
    assert "rattle" in one.recommend([["cot"]], 2)[0]  # bought together
    with pytest.raises(sf.Error, match="'q' is not one of the model's|'q' is not one of the 5 items"):
        one.score([["q"]])


def test_searches_scores_and_pipelines() -> None:
    scores = cross_val_score(Modular(), X, cv=3)
    assert scores.shape == (3,) and (scores < 0).all()
    search = GridSearchCV(Flid(max_iter=3, random_state=0), {"dims": [0, 1]}, cv=2).fit(X)
    assert search.best_params_["dims"] in (0, 1) and np.isfinite(search.best_score_)
    pipe = Pipeline([("binary", Binarizer(threshold=0.5)), ("model", Modular())]).fit(X * 0.9)
    assert pipe.score(X * 0.9) == pytest.approx(Modular().fit(X).score(X))
    pipe.set_params(model__smoothing=2.0).fit(X * 0.9)
    assert pipe.named_steps["model"].smoothing == 2.0
    assert (Modular().fit_transform(X) == X).all()


def test_seeds_jobs_and_refusals() -> None:
    first = Flid(dims=1, max_iter=3, random_state=3).fit(X)
    second = Flid(dims=1, max_iter=3, random_state=3, n_jobs=-1).fit(X)
    assert first.model_ == second.model_
    drawn = Flid(dims=1, max_iter=3, random_state=np.random.RandomState(1)).fit(X)
    assert drawn.model_ != first.model_
    with pytest.raises(Exception, match="not fitted"):
        Modular().score(X)
    with pytest.raises(sf.Error, match="epochs: the method is modular"):
        Modular(max_iter=3).fit(X)
    with pytest.raises(sf.Error, match="X: has 4 columns, but the model has 5 items"):
        first.score(X[:, :4])
    assert repr(Flid(dims=3)) == "Flid(dims=3)"


@pytest.mark.parametrize("cls", SetModel.__subclasses__(), ids=lambda cls: cls.__name__)
def test_every_parameter_goes_where_it_belongs(cls, monkeypatch) -> None:
    given = {name: f"value of {name}" for name in cls._own}
    estimator = cls(**given, max_iter=11, tol=0.0625, random_state=13, n_jobs=2, log_z_seconds=0.375)
    assert set(estimator.get_params()) == {*given, "max_iter", "tol", "random_state", "n_jobs", "verbose", "log_z_seconds"}
    found = sf.fit(X, model="modular")
    heard: dict[str, dict[str, object]] = {}

    def hears(module, name: str, answer=None) -> None:
        real = getattr(module, name)

        def call(first, *rest, **keywords):
            heard[name] = keywords
            return found if answer else real(first, *rest, **keywords)

        monkeypatch.setattr(module, name, call)

    hears(learning, "fit", found)
    for name in ("infer", "log_z", "sample", "recommend_each"):
        hears(work, name)
    fitted = estimator.fit(X)
    both = {"seed": 13, "threads": 2}
    assert heard["fit"] == {"model": cls._family, "epochs": 11, "progress": False, **both, **given}
    assert heard["infer"] == {"tolerance": 0.0625, **both}
    assert heard["log_z"] == {"seconds": 0.375, **both}
    for state, seed in ((None, 13), (5, int(check_random_state(5).randint(2**31 - 1)))):
        drawn = fitted.sample(4, random_state=state)
        assert heard["sample"] == {"seed": seed}
        assert (drawn == sf.sample(found.model, 4, seed=seed).sets).all()
    fitted.recommend([[0]], 1)
    assert heard["recommend_each"] == {"threads": 2}
