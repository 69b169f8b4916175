#!/usr/bin/env bash
# Runs the benchmarks and the NumPy baselines one after the other on this machine, and prints growth factors and ratios.
# BENCH_FILTER narrows the benchmarks by a regular expression. The raw numbers stay in BUILD/bench.json.
set -eu
build=$1
cd "$(dirname "$0")/.."
python=/usr/bin/python3   # Debian's own, which has Debian's NumPy
"$python" scripts/upper_halves.py "$build"/bench/surefield_bench
"$build"/bench/surefield_bench --benchmark_filter="${BENCH_FILTER:-.}" --benchmark_min_time=0.2 \
  --benchmark_repetitions=3 --benchmark_report_aggregates_only=false \
  --benchmark_out="$build/bench.json" --benchmark_out_format=json >&2
"$python" bench/summary.py "$build/bench.json"
