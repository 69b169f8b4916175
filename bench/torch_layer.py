"""The layer against plain PyTorch: 128 FLIDs of 100 items and 10 dimensions, marginals and their gradient.

Run with the package on the path, after the answers have been compared:

    PYTHONPATH=build/release/python python3 bench/torch_layer.py

The plain way unrolls sweeps of coordinate ascent in tensors of the whole batch, and lets autograd go back along them. It
makes as many sweeps as the layer makes steps to its fixed point, which is too few for the plain way to converge.
"""
import argparse
import os
import time

import numpy as np
import torch

import surefield as sf
from surefield.torch import CONVERGED, MeanField


def plain_sweeps(utility, weights, sweeps, start=None):
    """Sweeps of coordinate ascent on a batch of FLIDs: (B, n), (B, n, D) -> (B, n)."""
    batch, items, _ = weights.shape
    order = weights.argsort(dim=1)  # items by weight, dimension by dimension
    rank = order.argsort(dim=1)
    ranked = weights.gather(1, order)
    place = torch.arange(items).reshape(1, items, 1)
    x = torch.full_like(utility, 0.5) if start is None else start
    for _ in range(sweeps):
        for i in range(items):
            own = rank[:, i : i + 1]  # where the item is, (B, 1, D)
            into = x.unsqueeze(2).expand_as(weights).gather(1, order)
            above = torch.where(place > own, 1 - into, torch.ones_like(into)).prod(1)
            below = torch.where(place < own, into, torch.zeros_like(into))
            rest = (1 - below).flip(1).cumprod(1).flip(1)  # of those from l on
            rest = torch.cat([rest[:, 1:], torch.ones_like(rest[:, :1])], 1)
            best = (ranked * below * rest).sum(1)  # what the best below is worth on average
            gain = utility[:, i] + (above * (weights[:, i] - best) - weights[:, i]).sum(1)
            x = torch.cat([x[:, :i], torch.sigmoid(gain).unsqueeze(1), x[:, i + 1 :]], 1)
    return x


def timed(work, times):
    """The best of so many runs: seconds by the clock, and of all processors."""
    best = (float("inf"), float("inf"))
    for _ in range(times):
        clock, cpu = time.perf_counter(), time.process_time()
        work()
        best = min(best, (time.perf_counter() - clock, time.process_time() - cpu))
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--elements", type=int, default=128)
    parser.add_argument("--items", type=int, default=100)
    parser.add_argument("--dims", type=int, default=10)
    parser.add_argument("--sweeps", type=int, default=8)
    parser.add_argument("--chunk", type=int, default=32, help="elements of the plain way at a time: its memory")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of the layer; PyTorch has its own number")
    given = parser.parse_args()
    random = np.random.default_rng(1)
    shape = (given.elements, given.items)
    utility = torch.tensor(random.uniform(-1, 2, shape), dtype=torch.float32, requires_grad=True)
    weights = torch.tensor(random.uniform(0, 1.5, (*shape, given.dims)), dtype=torch.float32, requires_grad=True)
    slope = torch.tensor(random.uniform(-1, 1, shape), dtype=torch.float32)
    layer = MeanField(sf.Flid(np.zeros(given.items), np.zeros((given.items, given.dims))), threads=given.threads)

    few = slice(0, 2)  # equal once the plain way has converged, gradients too
    answer = layer(utility[few], weights[few])
    assert bool((answer.status == CONVERGED).all()) and bool((answer.elbo <= answer.upper_bound).all())
    found = torch.autograd.grad((answer.marginals * slope[few]).sum(), [utility, weights])
    wide = [part[few].detach().double().requires_grad_() for part in (utility, weights)]
    x = plain_sweeps(*wide, 20)
    plain = torch.autograd.grad((x * slope[few]).sum(), wide)
    far = max(float((a[few] - b).abs().max()) for a, b in zip(found, plain))
    far = max(far, float((answer.marginals - x).abs().max()))
    print(f"largest difference of marginals and gradients, 20 plain sweeps in double: {far:.1e}")
    assert far < 1e-4

    def by_layer():
        torch.autograd.grad((layer(utility, weights).marginals * slope).sum(), [utility, weights])

    def by_plain():
        for first in range(0, given.elements, given.chunk):
            rows = slice(first, first + given.chunk)
            parts = [part[rows].detach().requires_grad_() for part in (utility, weights)]
            torch.autograd.grad((plain_sweeps(*parts, given.sweeps) * slope[rows]).sum(), parts)

    def forward_only():
        with torch.no_grad():
            layer(utility, weights)

    ours, ours_cpu = timed(by_layer, 10)
    half, half_cpu = timed(forward_only, 10)
    theirs, theirs_cpu = timed(by_plain, 1)
    print(f"layer, forward and backward  {1e3 * ours:8.1f} ms   {1e3 * ours_cpu:8.1f} ms of processor time")
    print(f"layer, forward               {1e3 * half:8.1f} ms   {1e3 * half_cpu:8.1f} ms")
    print(f"plain PyTorch, {given.sweeps:2d} sweeps     {1e3 * theirs:8.1f} ms   {1e3 * theirs_cpu:8.1f} ms")
    print(f"ratio                        {theirs / ours:8.0f}      {theirs_cpu / ours_cpu:8.0f}")


if __name__ == "__main__":
    main()
