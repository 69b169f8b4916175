"""Log-likelihood of sets under a FLID as a function of PyTorch; its public name is in ``surefield.torch``."""
from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from surefield import Sets, _core


def check_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise _core.Error(f"{name}: {value!r} is not known; there are {', '.join(choices)}")


class _FlidLogZ(Function):  # type: ignore[misc]
    @staticmethod
    def forward(ctx: Any, utility: Tensor, weights: Tensor, exact: bool, threads: int) -> Tensor:
        log_z, in_utility, in_weights = _core.flid_log_z(utility.numpy(), weights.numpy(), exact, threads)
        ctx.save_for_backward(torch.from_numpy(in_utility), torch.from_numpy(in_weights).reshape(weights.shape))
        return torch.tensor(log_z, dtype=torch.float64)

    @staticmethod
    @once_differentiable  # type: ignore[misc]
    def backward(ctx: Any, slope: Tensor) -> Any:
        in_utility, in_weights = ctx.saved_tensors
        return slope * in_utility, slope * in_weights, None, None


class _FlidSets(Function):  # type: ignore[misc]
    @staticmethod
    def forward(ctx: Any, utility: Tensor, weights: Tensor, start: Any, item: Any) -> Tensor:
        ctx.columns = start, item
        ctx.save_for_backward(utility, weights)
        return torch.from_numpy(_core.flid_set_values(utility.numpy(), weights.numpy(), start, item))

    @staticmethod
    @once_differentiable  # type: ignore[misc]
    def backward(ctx: Any, slope: Tensor) -> Any:
        utility, weights = ctx.saved_tensors
        start, item = ctx.columns
        in_utility, in_weights = _core.flid_set_slopes(
            utility.numpy(), weights.numpy(), start, item, slope.contiguous().numpy()
        )
        return torch.from_numpy(in_utility), torch.from_numpy(in_weights).reshape(weights.shape), None, None


def flid_log_likelihood(
    theta: tuple[Tensor, Tensor],
    sets: Any,
    log_z: str = "exact",
    *,
    given_non_empty: bool = False,
    threads: int | None = None,
) -> Tensor:
    """log p(S) of every set under the FLID ``theta = (utility, weights)``, differentiable in both.

    ``sets`` is what :class:`surefield.Sets` takes: a 0/1 array, a sparse matrix, or :class:`surefield.Sets` itself.
    ``log_z="exact"`` is for about three dimensions; ``"hoelder"`` bounds log Z from above, so that the log-likelihood
    is one from below. ``given_non_empty`` is p(S | S is not empty), for data that cannot hold an empty set.

    >>> import numpy as np, torch
    >>> u, W = torch.zeros(3, requires_grad=True), torch.tensor([[1.0], [0.8], [0.5]])
    >>> log_p = flid_log_likelihood((u, W), np.array([[1, 0, 0], [0, 1, 1]]))
    >>> (-log_p.mean()).backward()
    >>> bool(u.grad.abs().sum() > 0)
    True
    """
    check_choice("log_z", log_z, ("exact", "hoelder"))
    utility, weights = theta
    if utility.dim() != 1 or weights.dim() != 2 or weights.shape[0] != utility.shape[0]:
        raise _core.Error(
            f"theta: the utilities have shape {tuple(utility.shape)} and the weights {tuple(weights.shape)}, which "
            "must be (items,) and (items, dimensions)"
        )
    for name, part in (("utility", utility), ("weights", weights)):
        if not part.is_floating_point():
            raise _core.Error(f"{name}: its numbers are {part.dtype}, which must be floating point")
    data = Sets(np.asarray(sets.cpu()) if isinstance(sets, Tensor) else sets)
    if data.shape[1] != utility.shape[0]:
        raise _core.Error(f"sets: they are of {data.shape[1]} items, but there are {utility.shape[0]} utilities")
    table = data.to_csr()
    start, item = table.indptr, table.indices
    if given_non_empty and bool((np.diff(start) == 0).any()):
        raise _core.Error("sets: one is empty, which has probability 0 given that it is not")
    u, w = (part.to("cpu", torch.float64).contiguous() for part in (utility, weights))
    normaliser = _FlidLogZ.apply(u, w, log_z == "exact", threads or torch.get_num_threads())
    if given_non_empty:
        normaliser = normaliser + torch.log(-torch.expm1(-normaliser))
    return (_FlidSets.apply(u, w, start, item) - normaliser).to(utility.device, utility.dtype)
