"""Reads the benchmark's JSON, runs the NumPy baselines beside it, and prints costs, growth factors and ratios.

The least time of the repetitions counts: on a shared machine it is the one least disturbed. It is that of the processor, as the
baselines' is, but where threads are compared.
"""
import json
import pathlib
import subprocess
import sys

BASELINES = pathlib.Path(__file__).parent / "baselines"
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def least_times(path):
    times, counters, failed = {}, {}, []
    for run in json.loads(path.read_text())["benchmarks"]:
        if run.get("run_type") == "aggregate":
            continue
        name = run["run_name"]
        if run.get("error_occurred"):
            failed.append(f"{name}: {run['error_message']}")
            continue
        clock = "real_time" if name.endswith("real_time") else "cpu_time"
        seconds = run[clock] * SECONDS[run["time_unit"]]
        if seconds <= times.get(name, seconds):
            counters[name] = {**run, "cpu_seconds": run["cpu_time"] * SECONDS[run["time_unit"]]}
        times[name] = min(seconds, times.get(name, seconds))
    return times, counters, failed


def baseline(name):
    words = subprocess.run([sys.executable, BASELINES / name], check=True, capture_output=True, text=True).stdout.split()
    return float(words[-1])


def ratio(times, ours, script, what, target):
    if ours not in times:
        return
    theirs = baseline(script)
    print(f"{what}: {times[ours] * 1e3:.4f} ms, NumPy {theirs * 1e3:.3f} ms: {theirs / times[ours]:.1f} times faster"
          f" (target {target})")


def traffic(counters):
    """Sweeps against the time that their bytes take at the speed of a triad, 24 bytes an element, that ran in turn with them: medians by the
    clock."""
    for name in sorted(counters):
        if not name.startswith("sweep_beside_triad/"):
            continue
        _, pages, threads = name.split("/")[:3]
        run = counters[name]
        print(f"  coordinate ascent sweep, 1000 x 1000 grid, threads {threads}: {run['sweep'] * 1e3:.2f} ms beside a triad on pages of {pages}, "
              f"{run['bandwidth'] / 1e9:.1f} GB/s:")
        for bytes_of, key in (("what a sweep along rows reads and writes", "row_bytes"), ("the field as it is stored, order and point", "bytes")):
            print(f"    {bytes_of}: {run[key] / 1e6:.0f} bytes a node take {run[key] / run['bandwidth'] * 1e3:.2f} ms: "
                  f"{run['sweep'] * run['bandwidth'] / run[key]:.2f} times (target 1.3)")


def megapixels(times, counters):
    """Seconds by the clock, and of the processor; bits were compared in the run."""
    targets = {"megapixel/hard-grid/1": "8 s", "megapixel/hard-grid/2": "5 s", "megapixel/soft-grid/1": "1 s",
               "megapixel/soft-grid/2": "1 s"}
    for short, target in targets.items():
        name = next((key for key in times if key.startswith(short)), None)
        if name:
            _, kind, threads = short.split("/")
            print(f"  infer, {kind} 1000 x 1000, threads {threads}: {times[name]:.2f} s, processor {counters[name]['cpu_seconds']:.2f} s"
                  f" (target {target}; bits equal)")
    name = next((key for key in times if key.startswith("megapixel/certified")), None)
    if name:
        run = counters[name]
        print(f"  infer --certify 60, hard-grid 1000 x 1000, threads 2: gap {run['gap_per_cent']:.3f} % in {times[name]:.0f} s, processor "
              f"{run['cpu_seconds']:.0f} s, {run['gigabytes']:.2f} GB of the whole benchmark (target 0.1 %, 2 GB)")


def flid_growth(times):
    """FLID from 10^3 to 10^6 items, a partial and a set."""
    small, large = (times.get(f"partial_and_set/flid/{n}") for n in (1000, 1000000))
    if small and large:
        print(f"  FLID, D = 10, one coordinate at n = 10^6 against 10^3: {large / small:.2f} times (target 5)")


def main():
    times, counters, failed = least_times(pathlib.Path(sys.argv[1]))
    print("\nOne partial and one set, by family: nanoseconds, and growth from the size before")
    last = None
    for name, seconds in times.items():
        if not name.startswith("partial_and_set/"):
            continue
        _, family, n = name.split("/")
        growth = f"x {seconds / last[2]:.2f} for n x {int(n) // last[1]}" if last and last[0] == family else ""
        print(f"  {family:<22} n = {n:>8} {seconds * 1e9:10.1f} ns  {growth}")
        last = (family, int(n), seconds)
    sweep = times.get("flid_pass/one coordinate ascent sweep")
    if sweep:
        print("\nOne double greedy pass in coordinate ascent sweeps, FLID n = 100, D = 10")
        for name, seconds in times.items():
            if name.startswith("flid_pass/") and "sweep" not in name:
                print(f"  {name.split('/')[1]:<22} {seconds * 1e6:10.1f} us = {seconds / sweep:.2f} sweeps")
    print("\nAgainst NumPy in the same run")
    ratio(times, "flid_double_greedy", "flid_double_greedy.py", "  DR-DoubleGreedy pass, FLID n = 100, D = 10", 150)
    ratio(times, "grid_sweep/coloured", "grid_sweep.py", "  coordinate ascent sweep, 1000 x 1000 grid", 2)
    print("\nLarge models")
    traffic(counters)
    megapixels(times, counters)
    flid_growth(times)
    for line in failed:
        print("FAILED", line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
