"""Reads the benchmark's JSON, runs the NumPy baselines beside it, and prints costs, growth factors and ratios.

The least time of the repetitions counts: on a shared machine it is the one least disturbed.
"""
import json
import pathlib
import subprocess
import sys

BASELINES = pathlib.Path(__file__).parent / "baselines"
SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


def least_times(path):
    times, failed = {}, []
    for run in json.loads(path.read_text())["benchmarks"]:
        if run.get("run_type") == "aggregate":
            continue
        name = run["run_name"]
        if run.get("error_occurred"):
            failed.append(f"{name}: {run['error_message']}")
            continue
        seconds = run["real_time"] * SECONDS[run["time_unit"]]
        times[name] = min(seconds, times.get(name, seconds))
    return times, failed


def baseline(name):
    words = subprocess.run([sys.executable, BASELINES / name], check=True, capture_output=True, text=True).stdout.split()
    return float(words[-1])


def ratio(times, ours, script, what, target):
    if ours not in times:
        return
    theirs = baseline(script)
    print(f"{what}: {times[ours] * 1e3:.4f} ms, NumPy {theirs * 1e3:.3f} ms: {theirs / times[ours]:.1f} times faster"
          f" (target {target})")


def main():
    times, failed = least_times(pathlib.Path(sys.argv[1]))
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
    ratio(times, "flid_double_greedy", "flid_double_greedy.py", "  DR-DoubleGreedy pass, FLID n = 100, D = 10", 200)
    ratio(times, "grid_sweep/coloured", "grid_sweep.py", "  coordinate ascent sweep, 1000 x 1000 grid", 2)
    for line in failed:
        print("FAILED", line)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
