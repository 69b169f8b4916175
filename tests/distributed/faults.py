"""What ends early or badly: refusals, kills, checkpoints, memory, Ctrl-C."""
import json
import os
import random
import re
import signal
import subprocess
import time
import unittest

from rank_job import ENVIRONMENT, KILLS, KILL_ITEMS, MPIEXEC, MPI_PROGRAM, PATIENCE, RankJob


class Faults(RankJob):
    def test_a_proof_that_runs_out_of_time_ends_on_all_ranks(self):
        self.make_grid("10500")
        done = self.many(3, "infer", "g.sfm", "-a", "equalised", "--certify", "0", "--gap", "0", "--format", "json", "-q")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("the gap asked for, 0 relative, was not reached", json.loads(done.stdout)["notes"])

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

    def test_a_run_that_is_out_of_time_leaves_what_it_has_though_none_was_due(self):
        self.make_grid("400")
        command = ["infer", "g.sfm", "-a", "coordinate-ascent", "--start", "middle", "--format", "json", "-q"]
        saved = [*command, "--checkpoint", "saved", "--every", "3600"]
        undisturbed = self.answer(self.many(2, *command))
        ended = self.many(2, *saved, "--seconds", "0.000001")
        self.assertEqual(ended.returncode, 1, ended.stderr)
        self.assertTrue(os.path.exists(f"{self.folder.name}/saved/ascent-0"), ended.stderr)
        self.assert_same(undisturbed, self.answer(self.many(2, *saved, "--resume")))

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
