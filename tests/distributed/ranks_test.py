"""The program over 2 and 3 ranks against the program of one process: answers bit by bit, refusals word by word.

usage: ranks_test.py MPIEXEC PROGRAM MPI_PROGRAM SAME_BITS
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

MPIEXEC, PROGRAM, MPI_PROGRAM, SAME_BITS = (os.path.abspath(path) for path in sys.argv[1:5])
ENVIRONMENT = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1")
MAY_DIFFER = {"seconds", "arguments"}


class Ranks(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def run_in_folder(self, command):
        return subprocess.run(command, cwd=self.folder.name, env=ENVIRONMENT, capture_output=True, text=True,
                              timeout=120)

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

    def assert_same(self, one, many, but=()):
        for key in one:
            if key not in MAY_DIFFER and key not in but:
                self.assertEqual(one[key], many.get(key), key)

    def test_random_fields_have_the_same_bits(self):
        for ranks in (2, 3):
            done = self.many(ranks, ".", "80", program=SAME_BITS)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"80 fields, {ranks} ranks: every bit agrees", done.stdout)

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

    def test_best_of_a_large_grid_has_the_same_answer_but_for_log_z(self):
        self.make_grid("10500")
        command = ["infer", "g.sfm", "--order", "coloured", "--tolerance", "1e-4", "--format", "json", "-q"]
        self.assert_same(self.answer(self.one(*command)), self.answer(self.many(2, *command)),
                         but=("log_z_upper", "log_z_method"))

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
                                 (["g.sfm", "--order", "natural", "-a", "equalised"], "this order is not offered")):
            done = self.many(2, "infer", *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stderr.count(words), 1, done.stderr)
        bias = f"{self.folder.name}/g.sfm/bias.npy"
        with open(bias, "r+b") as file:  # of the last variable: what the last rank looks at
            file.seek(-8, os.SEEK_END)
            file.write(b"\xff" * 8)
        done = self.many(2, "infer", "g.sfm", "-a", "equalised")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("g.sfm/bias.npy: number 2499 is nan, which must be finite"), 1, done.stderr)

    def test_other_commands_are_run_once(self):
        done = self.many(2, "generate", "flid", "-n", "4")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["kind"], "flid")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
