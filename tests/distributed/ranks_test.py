"""The program over 2, 3 and 4 ranks against the program of one process: answers bit by bit, refusals word by word.

usage: ranks_test.py MPIEXEC PROGRAM MPI_PROGRAM SAME_BITS SHARED_TASKS [TEST ...]

SUREFIELD_CASES=10000 takes so many random fields instead of 25, and larger fields and graphs, on 1 to 4 ranks (`make ranks COUNT=10000`);
SUREFIELD_KILLS=10 kills a run so often, at random
times, and lets it go on; SUREFIELD_KILL_ITEMS=1000000 makes that a run of minutes.

Tests run three at a time: ranks spend most of so short a life waiting for their start and their end. Files are in memory where the machine has
a place for that: models and checkpoints are small and many, and a disk would be waited for at each.
"""
import concurrent.futures
import io
import json
import os
import random
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

# Begun first, so that no long one begins when the others are done.
LONG = {"test_random_fields_have_the_same_bits", "test_sweeps_have_the_bytes_of_one_process",
        "test_a_killed_run_goes_on_to_the_bits_of_an_undisturbed_one", "test_tasks_are_shared_as_promised",
        "test_a_checkpoint_is_taken_up_by_its_own_run_alone", "test_refusals_come_once_and_end_all_ranks"}


class Ranks(unittest.TestCase):
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

    def test_random_fields_have_the_same_bits(self):
        for first in range(0, int(CASES), AT_ONCE):
            count = min(AT_ONCE, int(CASES) - first)
            for ranks in (1, 2, 3, 4) if LONG_RUN else (2, 3):
                with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
                    done = self.many(ranks, folder, str(count), str(first), program=SAME_BITS)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(f"{count} fields, {ranks} ranks: every bit agrees", done.stdout)
                if LONG_RUN:
                    print(f"from field {first}: {done.stdout}", end="", flush=True)

    def test_a_grid_has_the_same_answer(self):
        self.make_grid()
        for arguments in (["-a", "coordinate-ascent", "--start", "random", "--seed", "7", "--trace"],
                          ["-a", "equalised", "--contract", "--polish", "--threads", "2"]):
            command = ["infer", "g.sfm", "--order", "coloured", "--format", "json", "-q", *arguments]
            one = self.answer(self.one(*command))
            for point in one["trace"]:
                del point["seconds"]
            for ranks, partition in ((2, "scotch"), (3, "random")):
                many = self.answer(self.many(ranks, *command, "--partition", partition))
                for point in many["trace"]:
                    del point["seconds"]
                self.assert_same(one, many)

    def test_a_graph_without_order_has_the_same_answer_however_it_is_shared(self):
        graph = os.path.join(DATA, "maxcut_gset", "G1.txt")
        if not os.path.exists(graph):
            self.skipTest(f"there is no {graph}")
        self.answer_of_nothing(self.one("convert", graph, "g.sfm", "--edges", "cut", "-q"))
        command = ["infer", "g.sfm", "-a", "dg-mean-field-1/2", "--order", "coloured", "--format", "json", "-q"]
        one = self.answer(self.one(*command))
        for ranks, partition in ((4, "blocks"), (2, "scotch"), (3, "random")):
            self.assert_same(one, self.answer(self.many(ranks, *command, "--partition", partition)))

    @unittest.skipIf(not LONG_RUN, "SUREFIELD_CASES=1000 or more takes larger fields too")
    def test_larger_fields_have_the_same_answer_on_any_ranks_threads_and_partition(self):
        chance = random.Random(3)
        with open(f"{self.folder.name}/random.txt", "w") as file:  # no order, so blocks touch everywhere
            edges = sorted({tuple(sorted(chance.sample(range(1, 3001), 2))) for _ in range(9000)})
            file.write(f"3000 {len(edges)}\n" + "".join(f"{i} {j} {chance.uniform(0, 2)}\n" for i, j in edges))
        self.answer_of_nothing(self.one("generate", "hard-grid", "-n", "260000", "--seed", "5", "-o", "grid.sfm", "-q"))
        graphs = [os.path.join(DATA, "maxcut_gset", f"{name}.txt") for name in ("G1", "G14")]
        names = ["grid.sfm"]
        for path in [f"{self.folder.name}/random.txt", *(path for path in graphs if os.path.exists(path))]:
            names.append(os.path.basename(path).replace(".txt", ".sfm"))
            self.answer_of_nothing(self.one("convert", path, names[-1], "--edges", "cut", "-q"))
        runs = 0
        for name in names:
            for how in (["-a", "coordinate-ascent", "--start", "middle"], ["-a", "equalised", "--contract", "--polish"]):
                command = ["infer", name, *how, "--tolerance", "1e-3", "--order", "coloured", "--format", "json", "-q"]
                one = self.answer(self.one(*command, "--threads", "1"))
                for ranks in (1, 2, 3, 4):
                    for threads, partition in (("1", "blocks"), ("2", "scotch"), ("2", "random")):
                        many = self.answer(self.many(ranks, *command, "--threads", threads, "--partition", partition))
                        del many["threads"]
                        self.assert_same({key: one[key] for key in one if key != "threads"}, many)
                        runs += 1
        print(f"{runs} runs of {', '.join(names)}: every bit agrees")

    def test_best_of_a_large_grid_has_the_same_answer_with_both_ends_of_log_z(self):
        self.make_grid("10500")
        command = ["infer", "g.sfm", "--order", "coloured", "--tolerance", "1e-4", "--format", "json", "-q"]
        one = self.answer(self.one(*command))
        self.assertEqual(one["log_z_method"], "mean field, forests")
        self.assertLess(one["log_z_lower"], one["log_z_upper"])
        self.assert_same(one, self.answer(self.many(2, *command)))

    def test_a_proof_has_the_same_answer(self):
        self.make_grid("10500")
        command = ["infer", "g.sfm", "-a", "equalised", "--order", "coloured", "--certify", "1000", "--gap", "0.01", "--format",
                   "json", "-q"]
        one = self.answer(self.one(*command))
        self.assertEqual(one["upper_bound_method"], "minimum cuts")
        self.assert_same(one, self.answer(self.many(2, *command)))

    def test_a_proof_that_runs_out_of_time_ends_on_all_ranks(self):
        self.make_grid("10500")
        done = self.many(3, "infer", "g.sfm", "-a", "equalised", "--certify", "0", "--gap", "0", "--format", "json", "-q")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("the gap asked for, 0 relative, was not reached", json.loads(done.stdout)["notes"])

    def test_marginals_are_written_in_slices_and_are_where_to_start(self):
        self.make_grid()
        command = ["infer", "g.sfm", "-a", "coordinate-ascent", "--order", "coloured", "--format", "json", "-q"]
        self.answer(self.one(*command, "--marginals", "one.npy"))
        many = self.answer(self.many(3, *command, "--marginals", "many.npy"))
        self.assertEqual(many["marginals_file"], "many.npy")
        self.assertNotIn("marginals", many)
        with open(f"{self.folder.name}/one.npy", "rb") as one, open(f"{self.folder.name}/many.npy", "rb") as other:
            self.assertEqual(one.read(), other.read())
        again = ["--start-file", "one.npy"]
        self.assert_same(self.answer(self.one(*command, *again)), self.answer(self.many(2, *command, *again)))

    def test_refusals_come_once_and_end_all_ranks(self):
        self.make_grid()
        for arguments, words in ((["none.sfm"], "none.sfm: cannot be read"),
                                 (["g.sfm", "-a", "continuous"], "the algorithm continuous is not offered"),
                                 (["g.sfm", "-a", "equalised", "--certify", "1"], "--certify for fewer than 10000 variables"),
                                 (["g.sfm", "--order", "natural", "-a", "equalised"], "this order is not offered")):
            done = self.many(2, "infer", *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stderr.count(words), 1, done.stderr)
        self.answer_of_nothing(self.one("generate", "coverage", "-n", "9", "-o", "coverage.json", "-q"))
        for option in (["--partition", "blocks"], ["--checkpoint", "saved"]):
            done = self.many(2, "infer", "coverage.json", *option)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stderr.count(f"{option[0]} is of binary models, and coverage.json is not: ranks share"), 1,
                             done.stderr)
        bias = f"{self.folder.name}/g.sfm/bias.npy"
        with open(bias, "r+b") as file:  # of the last variable: what the last rank looks at
            file.seek(-8, os.SEEK_END)
            file.write(b"\xff" * 8)
        done = self.many(2, "infer", "g.sfm", "-a", "equalised")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("g.sfm/bias.npy: number 2499 is nan, which must be finite"), 1, done.stderr)

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

    def test_a_killed_run_goes_on_to_the_bits_of_an_undisturbed_one(self):
        self.make_grid("10500")
        command = ["infer", "g.sfm", "-a", "coordinate-ascent", "--start", "middle", "--format", "json", "-q"]
        undisturbed = self.answer(self.many(2, *command))
        saved = [*command, "--checkpoint", "saved"]
        run = self.start_with_checkpoints(3, saved)
        os.kill(self.ranks_of(run)[-1], signal.SIGKILL)
        _, told = run.communicate(timeout=60)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("with --checkpoint saved --resume goes on from the last checkpoint", told)
        again = self.many(2, *saved)
        self.assertEqual(again.returncode, 2)
        self.assertIn("saved: it holds a checkpoint already; --resume goes on from it", again.stderr)
        other = self.many(2, *saved, "--resume", "--beta", "2")
        self.assertEqual(other.returncode, 2)
        self.assertIn("saved: this checkpoint is of another run", other.stderr)
        resumed = self.answer(self.many(2, *saved, "--resume"))
        self.assert_same(undisturbed, resumed)
        self.assert_same(undisturbed, self.answer(self.many(3, *saved, "--resume")))  # nothing is left to do
        with open(f"{self.folder.name}/saved/ascent-0/x.npy", "r+b") as file:  # one bit, of a number that stays from 0 to 1
            file.seek(1000)
            byte = file.read(1)[0]
            file.seek(1000)
            file.write(bytes([byte ^ 1]))
        damaged = self.many(2, *saved, "--resume")
        self.assertEqual(damaged.returncode, 2)
        self.assertEqual(damaged.stderr.count("saved/ascent-0: this checkpoint is damaged"), 1, damaged.stderr)
        with open(f"{self.folder.name}/saved/ascent-0/x.npy", "r+b") as file:
            file.truncate(1000)
        damaged = self.many(2, *saved, "--resume")
        self.assertEqual(damaged.returncode, 2)
        self.assertEqual(damaged.stderr.count("saved/ascent-0/x.npy: it says that it holds"), 1, damaged.stderr)

    def test_a_checkpoint_is_taken_up_by_its_own_run_alone(self):
        self.make_grid("400")
        asked = {"beta": "1", "tolerance": "0.125", "epochs": "50", "start": "middle", "seed": "1"}

        def run(*more, **changed):
            options = [word for key, value in {**asked, **changed}.items() for word in (f"--{key}", value)]
            return self.many(1, "infer", "g.sfm", "-a", "coordinate-ascent", *options, "--format", "json", "-q", "--checkpoint", "saved", *more)

        def refused(done):
            self.assertEqual(done.returncode, 2, done.stderr)
            told = re.search(r"saved: this checkpoint is of another run: it says (.*), but this is (.*)", done.stderr)
            self.assertIsNotNone(told, done.stderr)
            return told.groups()

        self.answer(run("--every", "0"))
        for key, other in (("beta", "2"), ("tolerance", "0.25"), ("epochs", "7"), ("start", "high"), ("seed", "9")):
            then, now = refused(run("--resume", **{key: other}))
            self.assertIn(f", {key} {asked[key]},", then)
            self.assertIn(f", {key} {other},", now)
        then, now = refused(run("--resume", "--contract"))
        self.assertNotIn("contracted", then)
        self.assertIn(", contracted,", now)
        self.answer(run("--resume"))

    @unittest.skipIf(KILLS == 0, "SUREFIELD_KILLS says how often a run is killed")
    def test_a_run_killed_again_and_again_ends_with_the_bits_of_an_undisturbed_one(self):
        self.make_grid(KILL_ITEMS)
        command = ["infer", "g.sfm", "-a", "coordinate-ascent", "--start", "middle", "--format", "json", "-q"]
        before = time.time()
        undisturbed = self.answer(self.many(2, *command))
        lasts = time.time() - before
        chance = random.Random(1)
        saved = [*command, "--checkpoint", "saved", "--every", "0"]
        left = f"{self.folder.name}/saved/ascent-0"
        killed = resumed = 0
        for _ in range(KILLS):
            resume = ["--resume"] if os.path.exists(left) else []
            resumed += len(resume)
            run = subprocess.Popen([MPIEXEC, "-n", str(chance.randint(2, 4)), MPI_PROGRAM, *saved, *resume],
                                   cwd=self.folder.name, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   text=True)
            time.sleep(chance.uniform(0, lasts / KILLS))  # so that it is still on its way the last time
            pids = []
            while run.poll() is None and not pids:  # mpirun may not have come to start them yet
                pids = self.ranks_of(run)
                time.sleep(0.01)
            if pids:
                os.kill(chance.choice(pids), signal.SIGKILL)
                killed += 1
            run.communicate(timeout=PATIENCE)
        resume = ["--resume"] if os.path.exists(left) else []
        self.assert_same(undisturbed, self.answer(self.many(3, *saved, *resume)))
        print(f"a run of {lasts:.0f} s: {killed} of {KILLS} times killed on its way, {resumed} times resumed in between")
        self.assertGreater(killed, KILLS // 2)

    def test_a_run_that_is_asked_to_stop_answers_with_what_it_has(self):
        self.make_grid("10500")
        command = ["infer", "g.sfm", "-a", "coordinate-ascent", "--start", "middle", "--format", "json", "-q"]
        run = self.start_with_checkpoints(2, [*command, "--checkpoint", "saved"])
        for pid in self.ranks_of(run):
            os.kill(pid, signal.SIGTERM)
        out, err = run.communicate(timeout=60)
        partial = json.loads(out)
        self.assertEqual(partial["status"], "interrupted", err)
        self.assertIn("--checkpoint saved --resume goes on from here", partial["notes"])
        undisturbed = self.answer(self.many(3, *command))
        self.assertLess(partial["elbo"], undisturbed["elbo"])
        self.assert_same(undisturbed, self.answer(self.many(3, *command, "--checkpoint", "saved", "--resume")))

    def test_a_checkpoint_that_cannot_be_written_ends_no_run(self):
        self.make_grid()
        os.mkdir(f"{self.folder.name}/saved")
        os.symlink("/nowhere", f"{self.folder.name}/saved/ascent-0")  # in the way of what is renamed there
        done = self.answer(self.many(2, "infer", "g.sfm", "-a", "coordinate-ascent", "--checkpoint", "saved", "--every", "0",
                                     "--format", "json", "-q"))
        self.assertIn("the checkpoint could not be written: saved/ascent-0: cannot be written", " ".join(done["notes"]))

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

    @unittest.skipIf("ASAN_OPTIONS" in os.environ, "sanitizers take all the address space there is")
    def test_out_of_memory_on_one_rank_ends_all_with_its_name(self):
        self.make_grid("400000")
        self.answer_of_nothing(self.one("generate", "coverage", "-n", "30000", "--seed", "2", "-o", "cover.json", "-q"))
        os.mkdir(f"{self.folder.name}/late.sfm")
        for name in ("bias", "coupling", "neighbour", "start"):
            os.symlink(f"../g.sfm/{name}.npy", f"{self.folder.name}/late.sfm/{name}.npy")
        for pipe in ("late.sfm/model.json", "late.json"):
            os.mkfifo(f"{self.folder.name}/{pipe}")
        with open(f"{self.folder.name}/g.sfm/model.json") as grid, open(f"{self.folder.name}/cover.json") as cover:
            sliced, whole = ("late.sfm/model.json", grid.read()), ("late.json", cover.read())
        ascent = ["infer", "-a", "coordinate-ascent"]
        self.starved(1, sliced, ("g.sfm", "late.sfm"), *ascent)  # with no room for its files
        self.starved(1, sliced, ("late.sfm", "g.sfm"), *ascent)  # nor for its variables
        self.starved(1, whole, ("cover.json", "late.json"), "logz")
        self.starved(0, whole, ("late.json", "cover.json"), "logz")

    def test_tasks_are_shared_as_promised(self):
        for ranks in (1, 2, 3):
            done = self.many(ranks, program=SHARED_TASKS)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"{ranks} ranks share their tasks", done.stdout)

    def make_models(self):
        for fold in ("1", "2", "3"):
            self.answer_of_nothing(self.one("generate", "flid", "-n", "12", "--groups", "2", "--seed", fold, "-o", f"{fold}.json"))
            os.makedirs(f"{self.folder.name}/models", exist_ok=True)
            self.answer_of_nothing(self.one("convert", f"{fold}.json", f"models/toy_flid_d_2_fold_{fold}.txt", "--to", "flid"))
        self.answer_of_nothing(self.one("sample", "1.json", "-k", "90", "-o", "sets.csv"))

    def test_sweeps_have_the_bytes_of_one_process(self):
        self.make_models()
        self.answer_of_nothing(self.one("generate", "coverage", "-n", "18", "--seed", "2", "-o", "cover.json", "-q"))
        with open(f"{self.folder.name}/models/toy_flid_d_3_fold_1.txt", "w") as file:
            file.write("damaged\n")
        for many, code, command in (
                ((2, 4), 0, ["select", "sets.csv", "--dims", "0,1,2", "--beta", "0.5,1", "--folds", "3", "--epochs", "30"]),
                ((3,), 0, ["agree", "1.json", "2.json", "3.json", "--beta", "0.5,1"]),
                ((2, 3), 1, ["reproduce", "certified", "--data", "models", "--gap", "0"]),
                ((2,), 0, ["logz", "cover.json", "--width", "0.1", "--seconds", "1000"]),
                ((3,), 0, ["infer", "cover.json", "--certify", "1000", "--gap", "1e-3"])):
            command += ["--format", "json", "-o", "answer.json"]
            answers = []
            for ranks in (1, *many):
                done = self.one(*command) if ranks == 1 else self.many(ranks, *command)
                self.assertEqual(done.returncode, code, done.stderr)
                with open(f"{self.folder.name}/answer.json") as file:
                    answers.append(re.sub(r'seconds": [^,\n]*', "seconds", file.read()))
                os.remove(f"{self.folder.name}/answer.json")
                self.assertEqual(done.stderr.count("wrote answer.json"), 1, done.stderr)
                self.assertEqual(answers[0], answers[-1], command)

    def test_the_model_that_leads_is_written_once(self):
        self.make_models()
        command = ["select", "sets.csv", "--dims", "1,2", "--folds", "2", "--epochs", "20", "--model"]
        self.answer_of_nothing(self.one(*command, "one.json"))
        self.answer_of_nothing(self.many(2, *command, "many.json"))
        with open(f"{self.folder.name}/one.json") as one, open(f"{self.folder.name}/many.json") as other:
            self.assertEqual(one.read(), other.read())

    def test_a_training_over_ranks_has_the_bytes_of_one_process(self):
        self.make_models()
        command = ["fit", "sets.csv", "--model", "pairwise", "-o"]
        self.answer_of_nothing(self.one(*command, "one.json"))
        with open(f"{self.folder.name}/one.json") as file:
            one = file.read()
        self.assertIn('"edges"', one)
        for ranks in (2, 3):
            done = self.many(ranks, *command, "many.json")
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(f"{self.folder.name}/many.json") as file:
                self.assertEqual(one, file.read())
        done = self.many(2, "fit", "sets.csv", "--model", "modular", "-o", "many.json")
        self.assertEqual(done.stderr.count("wrote many.json"), 1, done.stderr)
        self.assertEqual(done.stderr.count("fit: the first rank alone is at work: modular is learned in one piece"), 1, done.stderr)

    def test_sets_starts_families_and_folds_are_shared_with_the_bytes_of_one_process(self):
        self.make_models()
        self.answer_of_nothing(self.one("sample", "1.json", "-k", "1500", "-o", "more.csv"))  # sets enough for several parts
        for ranks, names, command in ((2, ["m.json"], ["more.csv", "--model", "dpp", "--dims", "2", "-o", "m.json"]),
                                      (3, ["m.json"], ["more.csv", "--model", "thin", "-o", "m.json"]),
                                      (2, ["m.json"], ["sets.csv", "--model", "flid", "--method", "likelihood", "--log-z", "exact",
                                                       "--dims", "1", "-o", "m.json"]),
                                      (2, ["m.json"], ["sets.csv", "--model", "auto", "--epochs", "5", "-o", "m.json"]),
                                      (3, ["1.out.json", "2.out.json"], ["sets.csv", "--model", "flid", "--dims", "1", "--epochs", "5",
                                                                         "--folds", "2", "-o", "{fold}.out.json", "--format", "csv"])):
            answers = []
            for run in (self.one, lambda *words: self.many(ranks, *words)):
                done = run("fit", *command)
                self.assertIn(done.returncode, (0, 1), done.stderr)
                self.assertNotIn("alone", done.stderr)
                rows = [line.split(",") for line in done.stdout.splitlines()]
                answers.append([[cell for cell, name in zip(row, rows[0]) if name != "seconds"] for row in rows])
                for name in names:
                    with open(f"{self.folder.name}/{name}") as file:
                        answers[-1].append(file.read())
                    os.remove(f"{self.folder.name}/{name}")
            self.assertEqual(*answers, command)

    def test_a_sweep_that_is_asked_to_stop_answers_with_what_it_has(self):
        self.make_models()
        run = self.started(2, "select", "sets.csv", "--dims", "1,2", "--epochs", "100000000", "--format", "json", "-q")
        os.kill(self.ranks_that_listen(run, 2)[1], signal.SIGTERM)  # one is enough: all know
        out, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 1, err)
        partial = json.loads(out)
        self.assertFalse(partial["complete"])
        self.assertEqual(partial["verdict"], "stopped before anything could be compared")

    def test_searches_and_sweeps_under_ctrl_c_answer_with_what_they_have(self):
        for seed in ("1", "2", "3"):
            self.answer_of_nothing(self.one("generate", "contested-coverage", "-n", "60", "--seed", seed, "-o", f"{seed}.json", "-q"))
        for command in (["logz", "1.json", "--width", "1e-9", "--seconds", "100000"],
                        ["infer", "2.json", "--certify", "100000", "--gap", "1e-9"],
                        ["agree", "1.json", "2.json", "3.json", "--seconds", "100000"]):
            run = self.started(2, *command, "--threads", "1", "--format", "json")
            self.ranks_that_listen(run, 2)
            time.sleep(0.5)
            run.send_signal(signal.SIGINT)  # Ctrl-C on mpirun, which passes it on
            out, err = run.communicate(timeout=60)
            self.assertEqual(run.returncode, 1, err)
            self.assertIn("interrupted", err)
            partial = json.loads(out)
            if command[0] == "logz":
                self.assertFalse(partial["log_z_exact"])
            elif command[0] == "infer":
                self.assertEqual(len(partial["marginals"]), 60)
                self.assertLess(partial["elbo"], partial["upper_bound"])
            else:
                self.assertEqual(len(partial["tables"]), 1)

    def test_a_search_over_a_model_that_only_the_first_rank_has(self):
        self.answer_of_nothing(self.one("generate", "coverage", "-n", "18", "--seed", "2", "-o", "cover.json", "-q"))
        with open(f"{self.folder.name}/cover.json") as file:
            model = file.read()
        command = ["logz", "-", "--width", "0.1", "--format", "json", "-q"]
        one, many = (subprocess.run([*program, *command], cwd=self.folder.name, env=ENVIRONMENT, capture_output=True, text=True,
                                    input=model, timeout=PATIENCE) for program in ([PROGRAM], [MPIEXEC, "-n", "2", MPI_PROGRAM]))
        one, many = self.answer(one), self.answer(many)
        for row in (*one["methods"], *many["methods"]):
            del row["seconds"]
        self.assert_same(one, many)

    def listens(self, pid, number):
        """Whether a process has a handler for a signal."""
        with open(f"/proc/{pid}/status") as file:
            caught = re.search(r"SigCgt:\s*(\w+)", file.read())
        return bool(int(caught[1], 16) >> (number - 1) & 1)

    def test_other_commands_are_run_once(self):
        done = self.many(2, "generate", "flid", "-n", "4")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["kind"], "flid")


def run(case):
    """One test, with what it has to say."""
    told = io.StringIO()
    began = time.time()
    result = unittest.TextTestRunner(told, verbosity=2).run(case)
    return result.wasSuccessful(), f"{told.getvalue()}{case.id()}: {time.time() - began:.1f} s"


if __name__ == "__main__":
    names = sys.argv[6:] or unittest.defaultTestLoader.getTestCaseNames(Ranks)
    cases = [Ranks(name) for name in sorted(names, key=lambda name: name not in LONG)]
    with concurrent.futures.ThreadPoolExecutor(3) as three:
        outcomes = list(three.map(run, cases))
    for passed, told in outcomes:
        print(told, file=sys.stderr)
    sys.exit(not all(passed for passed, _ in outcomes))
