"""What a command costs on 1, 2, ... ranks: seconds, processor seconds and memory of each rank.

usage: measure_ranks.py MPIEXEC MPI_PROGRAM RANKS[,RANKS...] COMMAND [ARGUMENT ...]

  seconds     by the clock, of mpirun and all; says something on a quiet machine only
  processor   user and system time of each rank. All of them together over the largest is how much faster the ranks could be than
              one that did all of it: the balance, which other programs on the machine do not change
  memory      VmHWM of each rank: the most it had resident at once, its own pages and those of files that it has mapped (RssAnon and
              RssFile, the largest of each beside it)
"""
import os
import subprocess
import sys
import time

MPIEXEC, PROGRAM = (os.path.abspath(path) for path in sys.argv[1:3])
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1")
TICKS = os.sysconf("SC_CLK_TCK")


def state_of(pid):
    """Processor seconds, then VmHWM, RssAnon and RssFile in bytes; nothing if it is no rank or has ended."""
    try:
        if os.path.realpath(f"/proc/{pid}/exe") != os.path.realpath(PROGRAM):
            return None
        with open(f"/proc/{pid}/stat") as file:
            words = file.read().rsplit(")", 1)[1].split()
        with open(f"/proc/{pid}/status") as file:
            status = dict(line.split(":", 1) for line in file)
        sizes = [1024 * int(status[key].split()[0]) for key in ("VmHWM", "RssAnon", "RssFile")]
        return [(int(words[11]) + int(words[12])) / TICKS, *sizes]
    except (OSError, KeyError, IndexError):
        return None


def measure(ranks, command):
    begun = time.time()
    run = subprocess.Popen([MPIEXEC, "-n", str(ranks), PROGRAM, *command], env=ENVIRONMENT, stdout=subprocess.DEVNULL)
    seen = {}
    while run.poll() is None:
        try:
            with open(f"/proc/{run.pid}/task/{run.pid}/children") as file:
                children = file.read().split()
        except OSError:
            children = []
        for pid in children:
            if state := state_of(pid):
                seen[pid] = [max(pair) for pair in zip(state, seen.get(pid, state))]
        time.sleep(0.02)
    processor = [state[0] for state in seen.values()]
    balance = sum(processor) / max(processor) if processor and max(processor) > 0 else 0
    print(f"{ranks} ranks, exit code {run.returncode}: {time.time() - begun:.2f} s; processor "
          f"{' + '.join(f'{seconds:.2f}' for seconds in processor)} = {sum(processor):.2f} s, balance {balance:.2f}; memory "
          f"{' + '.join(f'{state[1] / 1e6:.0f}' for state in seen.values())} = {sum(s[1] for s in seen.values()) / 1e6:.0f} MB (anon "
          f"{' + '.join(f'{state[2] / 1e6:.0f}' for state in seen.values())}, file "
          f"{' + '.join(f'{state[3] / 1e6:.0f}' for state in seen.values())})", flush=True)


for count in sys.argv[3].split(","):
    measure(int(count), sys.argv[4:])
