"""Surefield: probabilistic inference over subsets that says how good its answer is."""
from surefield._core import Error, __version__

__all__ = ["Error", "__version__"]
