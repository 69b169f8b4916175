"""Mean field as a layer of PyTorch: parameters of many models in, certified marginals out, gradients through both.

The structure of the models is given once, their numbers in every call, with a leading batch dimension that broadcasts.
One call of C++ does a whole batch, on several threads, in float64 whatever comes in; an element that fails says so and
leaves the others alone. ``docs/torch.md`` says what is differentiated and how.

>>> import torch, surefield as sf
>>> from surefield.torch import MeanField
>>> layer = MeanField(sf.Flid([0.0] * 3, [[0.0]] * 3))
>>> utility = torch.zeros(8, 3, requires_grad=True)
>>> answer = layer(utility, weights=torch.tensor([[1.0], [0.8], [0.5]]))
>>> answer.marginals.shape, bool((answer.elbo <= answer.upper_bound).all())
(torch.Size([8, 3]), True)
>>> answer.marginals.sum().backward()
>>> utility.grad.shape
torch.Size([8, 3])
"""
from __future__ import annotations

import math
import warnings
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.autograd import Function
from torch.autograd.function import once_differentiable

from surefield import Model, _core
from surefield._torch_likelihood import check_choice, flid_log_likelihood

__all__ = ["CONVERGED", "EPOCH_LIMIT", "FAILED", "MeanField", "MeanFieldAnswer", "flid_log_likelihood"]

CONVERGED: int = _core.layer_statuses()["converged"]
EPOCH_LIMIT: int = _core.layer_statuses()["epoch-limit"]
FAILED: int = _core.layer_statuses()["failed"]


class MeanFieldAnswer(NamedTuple):
    """What a layer returns; the leading dimensions are those of the batch."""

    marginals: Tensor
    """The chance of every item under the best product distribution found; NaN where an element failed."""
    elbo: Tensor
    """Its evidence lower bound: at most log Z."""
    upper_bound: Tensor
    """Of the best ELBO there is; infinite where the model is not submodular and no flips make it so. Has no gradient."""
    status: Tensor
    """int8: CONVERGED, EPOCH_LIMIT or FAILED."""


@dataclass(frozen=True)
class _Call:
    """One forward: all that its backward needs beside tensors."""

    layer: Any
    include: Any
    exclude: Any
    threads: int
    on_failure: str

    def elements(self, theta: Tensor, beta: Tensor) -> Any:
        return _core.Elements(theta.numpy(), beta.numpy(), self.include, self.exclude, self.threads)

    def judge(self, failures: dict[int, str], what: str) -> None:
        """Raises or warns, as the layer was told to."""
        if not failures:
            return
        element, reason = next(iter(failures.items()))
        text = f"{what}: element {element} of the batch: {reason}"
        if len(failures) > 1:
            text += f" (and {len(failures) - 1} more)"
        if self.on_failure == "raise":
            raise _core.Error(text)
        if self.on_failure == "zero":
            warnings.warn(text, RuntimeWarning, stacklevel=2)

    def marked(self, slopes: list[Any], failures: dict[int, str]) -> list[Tensor]:
        for slope in slopes:
            if self.on_failure == "nan" and len(slope):
                slope[list(failures)] = math.nan
        return [torch.from_numpy(slope) for slope in slopes]


def _numpy(slope: Tensor | None) -> Any:
    return None if slope is None else slope.detach().contiguous().numpy()


class _Forward(Function):  # type: ignore[misc]
    @staticmethod
    def forward(ctx: Any, call: _Call, theta: Tensor, beta: Tensor) -> Any:
        marginals, elbo, upper, status, failures = call.layer.forward(call.elements(theta, beta))
        call.judge(failures, "MeanField")
        answer = [torch.from_numpy(array) for array in (marginals, elbo, upper, status)]
        ctx.call = call
        ctx.save_for_backward(theta, beta, answer[0])
        ctx.mark_non_differentiable(answer[2], answer[3])
        ctx.set_materialize_grads(False)
        return tuple(answer)

    @staticmethod
    def backward(ctx: Any, *slopes: Any) -> Any:
        theta, beta, marginals = ctx.saved_tensors
        if slopes[0] is None and slopes[1] is None:
            return None, None, None
        return (None, *_Backward.apply(ctx.call, theta, beta, marginals.detach(), slopes[0], slopes[1]))


class _Backward(Function):  # type: ignore[misc]
    """The derivatives themselves, which for the ELBO can be differentiated once more."""

    @staticmethod
    def forward(
        ctx: Any, call: _Call, theta: Tensor, beta: Tensor, marginals: Tensor, by_marginals: Tensor | None,
        by_elbo: Tensor | None,
    ) -> Any:
        elements = call.elements(theta, beta)
        in_theta, in_beta, _, failures = call.layer.backward(
            elements, marginals.numpy(), _numpy(by_marginals), _numpy(by_elbo)
        )
        call.judge(failures, "MeanField, backward")
        ctx.call = call
        ctx.of_marginals = by_marginals is not None and bool((by_marginals != 0).any())
        ctx.save_for_backward(theta, beta, marginals, by_elbo)
        return tuple(call.marked([in_theta, in_beta], failures))

    @staticmethod
    @once_differentiable  # type: ignore[misc]
    def backward(ctx: Any, v: Tensor, w: Tensor) -> Any:
        theta, beta, marginals, by_elbo = ctx.saved_tensors
        if ctx.of_marginals:
            raise NotImplementedError(
                "MeanField: the marginals can be differentiated once; second derivatives are those of the ELBO alone"
            )
        in_theta, in_beta, in_elbo, failures = ctx.call.layer.second(
            ctx.call.elements(theta, beta), marginals.numpy(), _numpy(by_elbo), _numpy(v), _numpy(w)
        )
        ctx.call.judge(failures, "MeanField, second derivatives")
        slopes = ctx.call.marked([in_theta, in_beta, in_elbo], failures)
        return None, slopes[0], slopes[1], None, None, slopes[2]


class MeanField(torch.nn.Module):  # type: ignore[misc]
    """Mean field inference in models of one structure, as a layer.

    ``structure`` is a model of a family with derivatives (FLID, facility location, coverage, pairwise field, weighted
    sum); its numbers are only what is used where none are given. ``blocks`` names the parameters and their shapes, and
    ``pairs`` says which pair every coupling of a field (item, item), or benefit (item, customer), belongs to.

    ``gradient="implicit"`` runs to the fixed point and differentiates there by one linear solve; ``"unrolled"`` makes
    at most ``epochs`` sweeps from the middle and differentiates those. ``on_failure`` is what an element without an
    answer does: ``"zero"`` warns and has gradient 0, ``"nan"`` has gradient NaN, ``"raise"`` raises; its marginals and
    ELBO are NaN in any case. ``upper_bound=False`` saves the bound where nobody asks for it.
    """

    def __init__(
        self,
        structure: Model,
        gradient: str = "implicit",
        epochs: int = 1000,
        tolerance: float = 1e-10,
        on_failure: str = "zero",
        *,
        upper_bound: bool = True,
        threads: int | None = None,
    ) -> None:
        super().__init__()
        check_choice("gradient", gradient, ("implicit", "unrolled"))
        check_choice("on_failure", on_failure, ("zero", "nan", "raise"))
        if threads is not None and threads < 1:
            raise _core.Error(f"threads: {threads} is not a number of threads; at least 1")
        self.structure = structure
        self.gradient = gradient
        self.epochs = epochs
        self.tolerance = tolerance
        self.on_failure = on_failure
        self.upper_bound = upper_bound
        self.threads = threads
        self._layer = self._made()

    def _made(self) -> Any:
        if not isinstance(self.structure, Model):
            raise _core.Error(f"structure: a {type(self.structure).__name__} is not a model of surefield")
        return _core.MeanFieldLayer(
            self.structure._core, self.gradient == "unrolled", self.epochs, self.tolerance, self.upper_bound
        )

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["_layer"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._layer = self._made()

    @property
    def blocks(self) -> dict[str, tuple[int, ...]]:
        """The parameters of one element: their names, in order, and their shapes."""
        return {name: tuple(shape) for name, shape in self._layer.blocks}

    @property
    def pairs(self) -> Tensor:
        """One row a coupling or benefit: (item, item) or (item, customer). Empty for other families."""
        return torch.tensor(self._layer.pairs, dtype=torch.long).reshape(-1, 2)

    def initial(self, dtype: torch.dtype | None = None) -> dict[str, Tensor]:
        """The numbers of the structure itself, by block: a start for learning."""
        theta = torch.from_numpy(self._layer.parameters).to(dtype or torch.get_default_dtype())
        sizes = [math.prod(shape) for shape in self.blocks.values()]
        return {
            name: part.reshape(shape) for (name, shape), part in zip(self.blocks.items(), theta.split(sizes))
        }

    def extra_repr(self) -> str:
        return f"{self.structure!r}, gradient={self.gradient!r}"

    def forward(
        self,
        *parameters: Tensor,
        inverse_temperature: Tensor | float = 1.0,
        include: Tensor | None = None,
        exclude: Tensor | None = None,
        **named: Tensor,
    ) -> MeanFieldAnswer:
        """Parameters in the order of ``blocks`` or by name; ``include`` and ``exclude`` force items in and out."""
        given = self._given(parameters, named)
        like = next((block for block in given.values() if block is not None), torch.empty(0))
        dtype, device = like.dtype, like.device
        for block in given.values():
            if block is not None:
                dtype = torch.promote_types(dtype, block.dtype)
        beta = torch.as_tensor(inverse_temperature, device=device)
        parts = [self._initial_part(name) if block is None else block for name, block in given.items()]
        leads = [part.shape[: part.dim() - len(shape)] for part, shape in zip(parts, self.blocks.values())]
        masks = [self._mask(name, mask) for name, mask in (("include", include), ("exclude", exclude))]
        batch = _broadcast([*leads, beta.shape, *(mask.shape[:-1] for mask in masks if mask is not None)])
        count, items = math.prod(batch), self._layer.items

        theta = torch.cat(
            [
                part.to("cpu", torch.float64).expand(*batch, *shape).reshape(count, math.prod(shape))
                for part, shape in zip(parts, self.blocks.values())
            ],
            dim=1,
        )
        rows = [
            None if mask is None else mask.expand(*batch, items).reshape(count, items).to("cpu", torch.uint8).numpy()
            for mask in masks
        ]
        call = _Call(self._layer, rows[0], rows[1], self.threads or torch.get_num_threads(), self.on_failure)
        one = beta.to("cpu", torch.float64).expand(batch).reshape(count)
        marginals, elbo, upper, status = _Forward.apply(call, theta.contiguous(), one.contiguous())
        return MeanFieldAnswer(
            marginals.reshape(*batch, items).to(device, dtype),
            elbo.reshape(batch).to(device, dtype),
            _upwards(upper.reshape(batch), dtype).to(device),
            status.reshape(batch).to(device),
        )

    def _given(self, parameters: tuple[Tensor, ...], named: dict[str, Tensor]) -> dict[str, Tensor | None]:
        """By block, checked; None where there is none."""
        blocks = self.blocks
        if len(parameters) > len(blocks):
            raise _core.Error(f"MeanField: {len(parameters)} parameters were given, but there are {list(blocks)}")
        given: dict[str, Tensor | None] = dict.fromkeys(blocks)
        for name, part in [*zip(blocks, parameters), *named.items()]:
            if name not in blocks:
                raise _core.Error(f"MeanField: {name!r} is not a parameter; there are {list(blocks)}")
            if given[name] is not None:
                raise _core.Error(f"MeanField: {name} was given twice")
            part = torch.as_tensor(part)
            if not part.is_floating_point():
                raise _core.Error(f"{name}: its numbers are {part.dtype}, which must be floating point")
            shape = blocks[name]
            if part.dim() < len(shape) or tuple(part.shape[part.dim() - len(shape) :]) != shape:
                raise _core.Error(f"{name}: its shape is {tuple(part.shape)}, which must end in {shape}")
            given[name] = part
        return given

    def _initial_part(self, name: str) -> Tensor:
        return self.initial(torch.float64)[name]

    def _mask(self, name: str, mask: Tensor | None) -> Tensor | None:
        if mask is None:
            return None
        mask = torch.as_tensor(mask)
        if mask.dtype != torch.bool:
            raise _core.Error(f"{name}: it is a mask of {mask.dtype}, which must be bool: one entry an item")
        if mask.dim() == 0 or mask.shape[-1] != self._layer.items:
            raise _core.Error(f"{name}: its shape is {tuple(mask.shape)}, which must end in ({self._layer.items},)")
        return mask


def _broadcast(shapes: list[Any]) -> tuple[int, ...]:
    try:
        return tuple(torch.broadcast_shapes(*shapes))
    except RuntimeError:
        listed = ", ".join(str(tuple(shape)) for shape in shapes)
        raise _core.Error(f"MeanField: the batches {listed} do not broadcast together") from None


def _upwards(bound: Tensor, dtype: torch.dtype) -> Tensor:
    """In another precision, never below: a bound stays one."""
    info = torch.finfo(dtype)
    narrow = bound.to(dtype)
    return torch.where(narrow.double() < bound, (bound + bound.abs() * info.eps + info.tiny).to(dtype), narrow)
