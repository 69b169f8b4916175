"""Inference over ranks: the answer of one process, bit by bit."""
import json
import os
import random
import tempfile
import unittest

from rank_job import AT_ONCE, CASES, DATA, IN_MEMORY, LONG_RUN, SAME_BITS, RankJob


class SameAnswers(RankJob):
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

    def test_of_a_box_that_is_not_of_sets_no_upper_end_of_log_z_is_told(self):
        self.make_grid("10609")
        self.answer_of_nothing(self.one("convert", "g.sfm", "g.json", "-q"))
        with open(f"{self.folder.name}/g.json") as file:
            model = json.load(file)
        model["box"] = {"low": [0.2] + [0] * 10608, "high": [0.7] + [1] * 10608}
        with open(f"{self.folder.name}/bounded.json", "w") as file:
            json.dump(model, file)
        self.answer_of_nothing(self.one("convert", "bounded.json", "bounded.sfm", "-q"))
        command = ["infer", "bounded.sfm", "--order", "coloured", "--tolerance", "1e-4", "--format", "json", "-q"]
        one = self.answer(self.one(*command))
        self.assertIsNone(one.get("log_z_upper"))
        many = self.answer(self.many(2, *command))
        self.assertIsNone(many.get("log_z_upper"))
        self.assert_same(one, many)

    def test_a_proof_has_the_same_answer(self):
        self.make_grid("10500")
        command = ["infer", "g.sfm", "-a", "equalised", "--order", "coloured", "--certify", "1000", "--gap", "0.01", "--format",
                   "json", "-q"]
        one = self.answer(self.one(*command))
        self.assertEqual(one["upper_bound_method"], "minimum cuts")
        self.assert_same(one, self.answer(self.many(2, *command)))

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
