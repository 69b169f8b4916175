"""Surefield: probabilistic inference over subsets that says how good its answer is.

Models p(S) ~ exp(F(S)); every answer carries a proved interval. See docs/python.md.

>>> import surefield as sf
>>> model = sf.Flid([1.0, 2.0, 0.5], [[0.3, 0.9], [0.8, 0.1], [0.4, 0.4]])
>>> result = sf.infer(model)
>>> result.certified
True
"""
from surefield._core import Contradiction, Error, __version__
from surefield._sets import Sets, read_sets
from surefield._result import Interval, Result, write_report
from surefield._run import NoGuaranteeWarning, ShortfallWarning, SurefieldWarning
from surefield.families import (
    ConcaveOverModular,
    Coverage,
    FacilityLocation,
    Fldc,
    Flid,
    GibbsField,
    GraphCut,
    HypergraphCut,
    LogDet,
    PairwiseField,
)
from surefield.learning import evaluate, fit, learners, select
from surefield.learning_results import EvaluateResult, FitResult, SelectResult
from surefield.model import Model, Sum, formats, from_json, model_table, read, write
from surefield.results import (
    AgreeResult,
    BestSetResult,
    InferResult,
    LogZResult,
    PairsResult,
    SampleResult,
)
from surefield.set_function import SetFunction
from surefield.suggestions import BasketsResult, RecommendResult
from surefield.work import agree, best_set, infer, log_z, options, recommend, recommend_each, sample

__all__ = [
    "AgreeResult", "BasketsResult", "BestSetResult", "ConcaveOverModular", "Contradiction", "Coverage", "Error", "EvaluateResult",
    "FacilityLocation", "FitResult", "Fldc", "Flid", "GibbsField", "GraphCut", "HypergraphCut", "InferResult", "Interval",
    "LogDet", "LogZResult", "Model", "NoGuaranteeWarning", "PairsResult", "PairwiseField", "RecommendResult", "Result",
    "SampleResult", "SelectResult", "SetFunction", "Sets", "ShortfallWarning", "Sum", "SurefieldWarning", "__version__",
    "agree", "best_set", "evaluate", "fit", "formats", "from_json", "infer", "learners", "log_z", "model_table", "options",
    "read", "read_sets", "recommend", "recommend_each", "sample", "select", "write", "write_report",
]
