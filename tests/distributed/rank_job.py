"""Programs over ranks and of one process, in a folder of their own: what the tests of ranks stand on."""
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
import unittest

MPIEXEC, PROGRAM, MPI_PROGRAM, SAME_BITS, SHARED_TASKS = (os.path.abspath(path) for path in sys.argv[1:6])
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1")
MAY_DIFFER = {"seconds", "arguments"}
CASES = os.environ.get("SUREFIELD_CASES", "25")
LONG_RUN = int(CASES) >= 1000
KILLS = int(os.environ.get("SUREFIELD_KILLS", "0"))
KILL_ITEMS = os.environ.get("SUREFIELD_KILL_ITEMS", "40000")
AT_ONCE = 1000  # fields a job
PATIENCE = max(240, 4 * min(AT_ONCE, int(CASES)), int(KILL_ITEMS) // 100)
IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
DATA = os.environ.get("SUREFIELD_DATA") or os.path.join(os.path.dirname(__file__), "../../../shared/data")


class RankJob(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(dir=IN_MEMORY)
        self.addCleanup(self.folder.cleanup)

    def run_in_folder(self, command):
        return subprocess.run(command, cwd=self.folder.name, env=ENVIRONMENT, capture_output=True, text=True,
                              timeout=PATIENCE)

    def one(self, *arguments):
        return self.run_in_folder([PROGRAM, *arguments])

    def many(self, ranks, *arguments, program=MPI_PROGRAM):
        return self.run_in_folder([MPIEXEC, "-n", str(ranks), program, *arguments])

    def answer(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def make_grid(self, items="2500", kind="hard-grid"):
        self.answer_of_nothing(self.one("generate", kind, "-n", items, "--seed", "5", "-o", "g.sfm", "-q"))

    def answer_of_nothing(self, done):
        self.assertEqual(done.returncode, 0, done.stderr)

    def assert_same(self, one, many):
        for key in one:
            if key not in MAY_DIFFER:
                self.assertEqual(one[key], many.get(key), key)

    def ranks_of(self, mpirun):
        """The processes that mpirun started."""
        with open(f"/proc/{mpirun.pid}/task/{mpirun.pid}/children") as file:
            children = [int(word) for word in file.read().split()]
        return [pid for pid in children if os.path.realpath(f"/proc/{pid}/exe") == os.path.realpath(MPI_PROGRAM)]

    def started(self, ranks, *command):
        """A run under way. Once it is told to stop it has three seconds, as a busy machine leaves little of one."""
        return subprocess.Popen([MPIEXEC, "-n", str(ranks), MPI_PROGRAM, *command], cwd=self.folder.name,
                                env=dict(ENVIRONMENT, OMPI_MCA_odls_base_sigkill_timeout="3"), stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def ranks_that_listen(self, run, number):
        """The processes of a run, once so many can be told to stop."""
        pids = []
        for _ in range(6000):
            pids = self.ranks_of(run)
            if len(pids) == number and all(self.listens(pid, signal.SIGTERM) for pid in pids):
                break
            time.sleep(0.01)
        return pids

    def start_with_checkpoints(self, ranks, command):
        """A run under way, once it has left its first checkpoint."""
        run = self.started(ranks, *command, "--every", "0")
        state = f"{self.folder.name}/saved/ascent-0/state.json"
        for _ in range(6000):
            if os.path.exists(state) or run.poll() is not None:
                break
            time.sleep(0.01)
        self.assertIsNone(run.poll(), "the run ended before it could be disturbed")
        return run

    def starved(self, poor, waits, files, *command):
        """Runs on two ranks, of which one is left no more memory than it has once the one that waits has opened its own file."""
        lines = [[MPI_PROGRAM, command[0], file, *command[1:], "--threads", "1", "--format", "json", "-q"] for file in files]
        run = subprocess.Popen([MPIEXEC, "-n", "1", *lines[0], ":", "-n", "1", *lines[1]], cwd=self.folder.name, env=ENVIRONMENT,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        pipe, content = waits
        while run.poll() is None:
            try:
                end = os.open(f"{self.folder.name}/{pipe}", os.O_WRONLY | os.O_NONBLOCK)
                break
            except OSError:  # nobody reads it yet
                time.sleep(0.01)
        self.assertIsNone(run.poll(), "the run ended before it could be starved")
        by_rank = {}
        while len(by_rank) < 2:
            time.sleep(0.5)  # for the other rank, to come to where it waits
            for pid in self.ranks_of(run):
                with open(f"/proc/{pid}/environ") as file:
                    by_rank[int(re.search(r"OMPI_COMM_WORLD_RANK=(\d)", file.read())[1])] = pid
        with open(f"/proc/{by_rank[poor]}/statm") as file:
            size = int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.prlimit(by_rank[poor], resource.RLIMIT_AS, (size + (1 << 20), size + (1 << 20)))
        os.set_blocking(end, True)
        with os.fdopen(end, "w") as file:
            try:
                file.write(content)
            except BrokenPipeError:
                pass
        out, err = run.communicate(timeout=PATIENCE)
        self.assertEqual(run.returncode, 2, err)
        self.assertEqual(err.count(f"surefield-mpi: rank {poor} of 2: out of memory\n"), 1, err)
        self.assertEqual(out, "")

    def make_models(self):
        for fold in ("1", "2", "3"):
            self.answer_of_nothing(self.one("generate", "flid", "-n", "12", "--groups", "2", "--seed", fold, "-o", f"{fold}.json"))
            os.makedirs(f"{self.folder.name}/models", exist_ok=True)
            self.answer_of_nothing(self.one("convert", f"{fold}.json", f"models/toy_flid_d_2_fold_{fold}.txt", "--to", "flid"))
        self.answer_of_nothing(self.one("sample", "1.json", "-k", "90", "-o", "sets.csv"))

    def listens(self, pid, number):
        """Whether a process has a handler for a signal."""
        with open(f"/proc/{pid}/status") as file:
            caught = re.search(r"SigCgt:\s*(\w+)", file.read())
        return bool(int(caught[1], 16) >> (number - 1) & 1)
