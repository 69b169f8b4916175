"""Sweeps, searches and training over ranks: the bytes of one process."""
import json
import os
import re
import subprocess

from rank_job import ENVIRONMENT, MPIEXEC, MPI_PROGRAM, PATIENCE, PROGRAM, SHARED_TASKS, RankJob


class SharedWork(RankJob):
    def test_tasks_are_shared_as_promised(self):
        for ranks in (1, 2, 3):
            done = self.many(ranks, program=SHARED_TASKS)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"{ranks} ranks share their tasks", done.stdout)

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

    def test_other_commands_are_run_once(self):
        done = self.many(2, "generate", "flid", "-n", "4")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["kind"], "flid")
