"""The studio's API: the same answers as the command line, runs that can be watched, stopped and found again.

usage: api_test.py PROGRAM
"""
import contextlib
import json
import math
import os
import pathlib
import re
import signal
import sqlite3
import sys
import tempfile
import time
import unittest

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from studio_server import Studio

PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
ROOT = pathlib.Path(__file__).parent.parent.parent
SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "docs/result_schema.json").read_text()))
# How long it took, and which number of threads, are no part of an answer.
TIMES = {"seconds", "threads", "solver_seconds"}


def timeless(value):
    if isinstance(value, dict):
        return {key: timeless(one) for key, one in value.items() if key not in TIMES}
    return [timeless(one) for one in value] if isinstance(value, list) else value


class Api(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.studio = Studio(PROGRAM)
        make = cls.studio.surefield
        make("generate", "flid", "--items", 12, "--groups", 3, "--seed", 1, "-o", "flid.json")
        make("generate", "hard-grid", "--items", 49, "--seed", 3, "-o", "grid.json")
        make("generate", "registries", "--items", 10, "--sets", 200, "--dims", 2, "--seed", 1, "-o", "sets.csv")
        make("convert", "grid.json", "grid.uai")
        cls.id = {name: cls.open(name)["id"] for name in ("flid.json", "grid.json", "sets.csv", "grid.uai")}

    @classmethod
    def tearDownClass(cls):
        assert cls.studio.end() == 0

    @classmethod
    def open(cls, path):
        status, file = cls.studio.json("POST", "/api/v1/files", {"path": path})
        assert status == 201, file
        return file

    def same_as_typed(self, command, name, options, **more):
        """Asks, types the arguments that came with the answer, and compares."""
        status, answer = self.studio.ask(command, self.id[name], options, **more)
        self.assertEqual(status, 200, answer)
        SCHEMA.validate(answer)
        typed = json.loads(self.studio.surefield(*answer["arguments"]))
        self.assertEqual(timeless(answer), timeless(typed))
        return answer

    def test_every_command_answers_as_the_command_line_does(self):
        self.same_as_typed("infer", "flid.json", {})
        self.same_as_typed("infer", "flid.json", {"in": [3, 7], "out": [0], "beta": 1.5, "certify": 5, "trace": True})
        self.same_as_typed("infer", "grid.json", {"algorithm": "coordinate-ascent", "start": "random", "seed": 7})
        self.same_as_typed("infer", "grid.uai", {"out": [4]})
        self.same_as_typed("logz", "flid.json", {"marginals": True, "width": 0.01, "in": [1], "seed": 7})
        self.same_as_typed("recommend", "flid.json", {"have": [3], "out": [2], "count": 4, "explain": True})
        self.same_as_typed("best-set", "flid.json", {"most": 3, "out": [5]})
        self.same_as_typed("select", "sets.csv", {"dims": [1, 2], "folds": 2, "starts": 1, "seed": 7})
        self.same_as_typed("select", "sets.csv", {"families": ["modular", "dpp"], "folds": 3})
        self.same_as_typed("select", "sets.csv", {"folds": 2, "starts": 1, "epochs": 5})
        self.same_as_typed("infer", "grid.json", {"algorithm": "bscb", "polish": True, "order": "shuffled", "epochs": 3})
        self.same_as_typed("infer", "flid.json", {"algorithm": "shrunken-frank-wolfe", "epochs": 3})

    def test_sets_are_matched_as_asked(self):
        """By number from 0 or from 1, with items that the model does not have left out where that is said."""
        (self.studio.folder / "numbers.csv").write_text("1,2\n3\n2,12\n")
        sets = self.open("numbers.csv")["id"]
        found = {}
        for first in (0, 1):
            status, judged = self.studio.ask("evaluate", self.id["flid.json"], {"first-id": first, "skip-unknown": True}, sets=sets)
            self.assertEqual(status, 200, judged)
            self.assertEqual(timeless(judged), timeless(json.loads(self.studio.surefield(*judged["arguments"]))))
            found[first] = judged["log_likelihood_all_sets"]["lower"]
        self.assertNotEqual(found[0], found[1])

    def test_the_box_of_a_model_is_shown_with_both_ends(self):
        model = json.loads((self.studio.folder / "flid.json").read_text())
        model["box"] = {"low": [0.25] + [0] * 11, "high": [0.75] + [1] * 11}
        (self.studio.folder / "boxed.json").write_text(json.dumps(model))
        seen = self.studio.json("GET", f"/api/v1/files/{self.open('boxed.json')['id']}")[1]
        self.assertEqual(seen["box"], [[0, 0.25, 0.75]])

    def test_what_a_run_told_is_kept_beside_its_answer(self):
        events = list(self.studio.events({"command": "infer", "file": self.id["grid.json"], "options": {"trace": True}}))
        kept = [data["id"] for name, data in events if name == "kept"][0]
        news = self.studio.json("GET", f"/api/v1/runs/{kept}?news=1")[1]
        told = [{"event": name, "data": data} for name, data in events if name in ("bounds", "start", "epoch")]
        self.assertEqual(news, told)

    def test_a_number_is_an_item_by_its_place_even_where_numbers_are_names(self):
        model = json.loads((self.studio.folder / "flid.json").read_text())
        model["items"] = [str(k) for k in range(3, 15)]  # item 0 is called 3
        (self.studio.folder / "numbered.json").write_text(json.dumps(model))
        self.id["numbered.json"] = self.open("numbered.json")["id"]
        answer = self.same_as_typed("infer", "numbered.json", {"in": [4], "out": ["4"]})
        self.assertEqual((answer["marginals"][4], answer["marginals"][1]), (1, 0))
        self.assertIn("7", answer["arguments"])

    def test_a_model_is_learned_and_can_be_questioned(self):
        before = len(self.studio.json("GET", "/api/v1/files")[1])
        status, answer = self.studio.ask("fit", self.id["sets.csv"], {"model": "flid", "dims": 2, "seed": 3})
        self.assertEqual(status, 200, answer)
        files = self.studio.json("GET", "/api/v1/files")[1]
        self.assertEqual(len(files), before + 1)
        made = files[-1]
        self.assertEqual((made["name"], made["kind"], made["n"]), ("sets.flid.json", "flid", 10))
        typed = json.loads(self.studio.surefield(*answer["arguments"]))
        self.assertEqual(timeless(answer), timeless(typed))
        self.assertEqual((self.studio.folder / "sets.flid.json").read_bytes(), self.studio.request("GET", f"/api/v1/text/{made['id']}")[2])
        for options in ({"non-empty": True}, {"hide-one": True, "seed": 7, "bins": 3}):
            status, judged = self.studio.ask("evaluate", made["id"], options, sets=self.id["sets.csv"])
            self.assertEqual(status, 200, judged)
            typed = json.loads(self.studio.surefield(*judged["arguments"]))
            self.assertEqual(timeless(judged), timeless(typed))

    def test_a_file_is_uploaded_in_any_format_with_any_name(self):
        text = (self.studio.folder / "grid.uai").read_bytes()
        name = "<img src=x onerror=alert(1)>.uai"
        status, file = self.studio.request("POST", "/api/v1/files?name=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E.uai", text + b"\n")[0::2]
        self.assertEqual(status, 201, file)
        self.assertEqual(json.loads(file)["name"], name)
        status, sets = self.studio.request("POST", "/api/v1/files?name=mine.csv", b"a,b\nb,c\na\n")[0::2]
        self.assertEqual((status, json.loads(sets)["holds"], json.loads(sets)["n"]), (201, "sets", 3))
        described = self.studio.json("GET", f"/api/v1/files/{json.loads(sets)['id']}")[1]
        self.assertEqual((described["items"], described["counts"], described["sets"], described["sizes"]), (["a", "b", "c"], [2, 2, 1], 3, [0, 1, 2]))
        status, refused = self.studio.request("POST", "/api/v1/files?name=bad.uai", b"MARKOV\nnothing")[0::2]
        self.assertEqual(status, 422)
        self.assertIn("bad.uai", json.loads(refused)["error"])
        self.assertEqual(self.studio.json("DELETE", f"/api/v1/files/{json.loads(sets)['id']}")[0], 204)
        self.assertEqual(self.studio.json("GET", f"/api/v1/files/{json.loads(sets)['id']}")[0], 400)

    def test_the_picture_is_the_model(self):
        model = json.loads((self.studio.folder / "flid.json").read_text())
        seen = self.studio.json("GET", f"/api/v1/files/{self.id['flid.json']}")[1]
        picture = seen["picture"]
        self.assertEqual((seen["kind"], seen["n"], len(picture["groups"]), picture["whole"]), ("flid", 12, 3, True))
        weights = [[0.0] * 12 for _ in range(3)]
        for d, group in enumerate(picture["groups"]):
            for i, value in group["members"]:
                weights[d][i] = group["weight"] * value
        given = model["weights"]
        flat = [one for row in given for one in row] if isinstance(given[0], list) else given
        self.assertEqual(sorted(w for row in weights for w in row if w), sorted(w for w in flat if w))
        for i, gain in enumerate(picture["alone"]):
            self.assertAlmostEqual(gain, model["utility"][i], 9)
        # F({i, j}) - F({i}) - F({j}) of a FLID, from its definition: the smaller weight of each dimension is lost.
        for i in range(12):
            for j in range(12):
                lost = -sum(min(weights[d][i], weights[d][j]) for d in range(3)) if i != j else 0
                self.assertAlmostEqual(picture["interaction"][i][j], lost, 9)

    def test_both_bounds_close_in_while_one_watches(self):
        question = {"command": "infer", "file": self.id["flid.json"], "options": {"certify": 5, "trace": True, "beta": 3}}
        events = list(self.studio.events(question))
        names = [name for name, _ in events]
        self.assertEqual((names[0], names[-1]), ("run", "result"))
        self.assertGreater(names.count("start"), 1)
        self.assertGreater(names.count("epoch"), 2)
        result = events[-1][1]
        bounds = [data for name, data in events if name == "bounds"]
        self.assertGreaterEqual(len(bounds), 1)
        truth = result["log_z_upper"]
        for earlier, later in zip(bounds, bounds[1:]):
            self.assertGreaterEqual(later["lower"], earlier["lower"])
            self.assertLessEqual(later["upper"] or math.inf, earlier["upper"] or math.inf)
            self.assertLessEqual(earlier["seconds"], later["seconds"])
        for one in bounds:  # every end holds: the best ELBO is between them
            self.assertLessEqual(one["lower"], result["upper_bound"])
            self.assertLessEqual(one["lower"], truth)
            if one["upper"] is not None:
                self.assertGreaterEqual(one["upper"], result["elbo_lower"])
        plain = self.studio.ask("infer", self.id["flid.json"], question["options"])[1]
        self.assertEqual(timeless(plain) | {"trace": 0}, timeless(result) | {"trace": 0}, "watching changes nothing")

    def test_the_course_of_every_start_is_told_without_a_jump(self):
        """However fast the machine is: what is left out goes by epochs, so that the line that is drawn is the course."""
        events = list(self.studio.events({"command": "infer", "file": self.id["grid.json"], "options": {"trace": True}}))
        starts = [[data["epoch"] for name, data in events if name == "epoch" and data["start"] == k]
                  for k in range(sum(name == "start" for name, _ in events))]
        self.assertGreater(max(map(len, starts)), 10)
        for told in starts:
            self.assertEqual(told, sorted(told))
            for earlier, later in zip(told, told[1:]):
                self.assertLessEqual(later - earlier, 1 + max(1, 0.02 * later))
            self.assertLess(sum(epoch < 1 for epoch in told), 25, "not every item of a pass")

    def test_what_the_page_offers_is_what_the_program_lists(self):
        about = self.studio.json("GET", "/api/v1/about")[1]
        listed = self.studio.surefield("list", "--format", "csv")
        self.assertEqual(about["algorithms"], re.findall(r"^algorithm,([^,]+)", listed, re.MULTILINE))
        for name in about["algorithms"]:
            self.assertEqual(self.studio.ask("infer", self.id["flid.json"], {"algorithm": name})[0], 200, name)
        self.assertEqual({row["model"] for row in about["learners"]}, {"flid", "fldc", "modular", "pairwise", "thin", "dpp", "auto"})

    def test_log_z_is_watched_too(self):
        events = list(self.studio.events({"command": "logz", "file": self.id["grid.json"], "options": {"seconds": 2}}))
        self.assertTrue([data for name, data in events if name == "bounds"])
        self.assertEqual(events[-1][0], "result")

    def test_log_z_keeps_to_its_seconds(self):
        question = self.hard()
        status, answer = self.studio.ask("logz", question["file"], {**question["options"], "seconds": 0.5})
        self.assertEqual(status, 200, answer)
        self.assertLess(answer["seconds"], 45, "a machine may be busy; without a limit it would take minutes")

    def hard(self):
        """A question that takes all of its minute, unless it is stopped."""
        self.studio.surefield("generate", "flid", "--items", 100, "--groups", 10, "--seed", 5, "-o", "hard.json")
        return {"command": "logz", "file": self.open("hard.json")["id"], "options": {"beta": 2, "width": 1e-9, "seconds": 60}}

    def test_stop_ends_a_run_with_what_is_proved(self):
        begun = time.monotonic()
        result, number = None, None
        for name, data in self.studio.events(self.hard()):
            number = data["number"] if name == "run" else number
            if name == "bounds" and data["upper"] is not None and data["lower"] is not None:
                self.studio.request("POST", f"/api/v1/stop/{number}")
            result = data if name == "result" else result
        self.assertLess(time.monotonic() - begun, 30)
        self.assertGreaterEqual(result["log_z_upper"], result["log_z_lower"])
        # Whoever presses Stop may come a moment late; a number that was never given is a mistake.
        self.assertEqual(self.studio.request("POST", f"/api/v1/stop/{number}")[0], 204)
        for never in (number + 1000, 0, -1):
            self.assertEqual(self.studio.request("POST", f"/api/v1/stop/{never}")[0], 404, never)

    def test_closing_the_page_ends_its_work(self):
        kept = len(self.studio.json("GET", "/api/v1/runs")[1])
        begun = time.monotonic()
        with contextlib.closing(self.studio.events(self.hard())) as events:
            self.assertTrue(any(name == "bounds" for name, _ in events), "it is at work")
        while len(self.studio.json("GET", "/api/v1/runs")[1]) == kept and time.monotonic() - begun < 30:
            time.sleep(0.1)
        self.assertLess(time.monotonic() - begun, 20, "the run ended, and what it proved is kept")

    def test_options_are_held_to_their_rules(self):
        for options, part in (({"beta": 0}, "beta: found 0, expected a number > 0"), ({"beta": "1"}, 'beta: found "1"'), ({"algorithm": "x"}, "expected one of best"),
                              ({"in": [99]}, "'99' is not"), ({"in": 3}, "expected a list"), ({"output": "/tmp/x"}, "there is no option 'output'"), ({"in": [1], "out": [1]}, "bounded"),
                              ({"seed": -1}, "whole number"), ({"seed": 1.5}, "whole number"), ({"trace": 1}, "true or false"), ({"beta": 1e400}, "not JSON"),
                              ({"rounds": 5}, "rounds: the algorithm is best, but this option is for continuous"), ({"gap": 0.1}, "gap: it has no effect without certify")):
            status, answer = self.studio.json("POST", "/api/v1/ask", {"command": "infer", "file": self.id["flid.json"], "options": options})
            self.assertIn(status, (400, 422), options)
            self.assertIn(part, answer["error"])
        for question in ({"command": "rm", "file": self.id["flid.json"]}, {"command": "infer", "file": "0"}, {"command": "infer", "file": self.id["sets.csv"]}, {"command": "fit", "file": self.id["flid.json"]},
                         {"command": "evaluate", "file": self.id["flid.json"]}, {"command": 3}, {"command": "infer", "file": self.id["flid.json"], "quick": 1}):
            self.assertEqual(self.studio.json("POST", "/api/v1/ask", question)[0], 400, question)

    def test_quick_questions_are_not_kept_and_others_are(self):
        before = len(self.studio.json("GET", "/api/v1/runs")[1])
        self.studio.ask("infer", self.id["flid.json"], {}, quick=True)
        self.assertEqual(len(self.studio.json("GET", "/api/v1/runs")[1]), before)
        status, head, text = self.studio.request("POST", "/api/v1/ask", json.dumps({"command": "infer", "file": self.id["flid.json"]}))
        self.assertEqual(status, 200)
        kept = head["X-Surefield-Run"]
        self.assertEqual(self.studio.request("GET", f"/api/v1/runs/{kept}")[2], text, "to the byte")
        row = self.studio.json("GET", "/api/v1/runs")[1][0]
        self.assertEqual((str(row["id"]), row["command"], row["name"], row["options"]), (kept, "infer", "flid.json", {}))
        asked = {"algorithm": "equalised", "in": [0], "beta": 2}
        self.studio.ask("infer", self.id["flid.json"], asked)
        self.assertEqual(self.studio.json("GET", "/api/v1/runs")[1][0]["options"], asked)
        status, head, page = self.studio.request("GET", f"/api/v1/report?runs={kept}")
        self.assertEqual((status, head["Content-Type"]), (200, "text/html; charset=utf-8"))
        self.assertIn(b'class="result"', page)
        self.assertEqual(self.studio.json("DELETE", f"/api/v1/runs/{kept}")[0], 204)
        self.assertEqual(self.studio.json("GET", f"/api/v1/runs/{kept}")[0], 404)


class History(unittest.TestCase):
    def test_a_kill_in_the_middle_of_a_run_loses_no_finished_run(self):
        with tempfile.TemporaryDirectory() as folder:
            studio = Studio(PROGRAM, folder=folder, store="runs.sqlite")
            studio.surefield("generate", "flid", "--items", 100, "--groups", 10, "--seed", 5, "-o", "hard.json")
            file = studio.json("POST", "/api/v1/files", {"path": "hard.json"})[1]["id"]
            done = [studio.request("POST", "/api/v1/ask", json.dumps({"command": "infer", "file": file, "options": {"seed": k}}))[2] for k in range(3)]
            events = studio.events({"command": "logz", "file": file, "options": {"beta": 2, "width": 1e-9, "seconds": 60}})
            next(events)
            studio.process.send_signal(signal.SIGKILL)
            studio.process.communicate()
            with Studio(PROGRAM, folder=folder, store="runs.sqlite") as again:
                rows = again.json("GET", "/api/v1/runs")[1]
                self.assertEqual([row["id"] for row in rows], [3, 2, 1])
                self.assertEqual([again.request("GET", f"/api/v1/runs/{k}")[2] for k in (1, 2, 3)], done)
                self.assertEqual([one["id"] for one in again.json("GET", "/api/v1/files")[1]], [file], "the file is open again")
                self.assertNotEqual(again.token, studio.token)
                self.assertEqual(again.ask("infer", file, {})[0], 200)
            database = sqlite3.connect(pathlib.Path(folder) / "runs.sqlite")
            self.assertEqual(database.execute("PRAGMA journal_mode").fetchone(), ("wal",))
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchone(), ("ok",))
            database.close()

    def test_a_closed_file_stays_closed_when_the_studio_begins_anew(self):
        with tempfile.TemporaryDirectory() as folder:
            with Studio(PROGRAM, folder=folder, store="runs.sqlite") as studio:
                for items, name in ((4, "kept.json"), (5, "closed.json")):
                    studio.surefield("generate", "flid", "--items", items, "-o", name)
                kept, closed = (studio.json("POST", "/api/v1/files", {"path": name})[1]["id"] for name in ("kept.json", "closed.json"))
                posted = json.loads(studio.request("POST", "/api/v1/files?name=posted.csv", b"a,b\nb\n")[2])["id"]
                for gone in (closed, posted):
                    self.assertEqual(studio.json("DELETE", f"/api/v1/files/{gone}")[0], 204)
                self.assertEqual([file["id"] for file in studio.json("GET", "/api/v1/files")[1]], [kept])
            with Studio(PROGRAM, folder=folder, store="runs.sqlite") as again:
                self.assertEqual([file["id"] for file in again.json("GET", "/api/v1/files")[1]], [kept])
                self.assertEqual(again.ask("infer", closed, {})[0], 400)

    def test_an_earlier_history_is_brought_up_to_date_and_a_later_one_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "runs.sqlite"
            database = sqlite3.connect(path)
            database.execute("CREATE TABLE runs(id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, command TEXT NOT NULL, file TEXT NOT NULL, name TEXT NOT NULL, "
                             "result TEXT NOT NULL, news TEXT NOT NULL DEFAULT '[]')")
            database.execute("INSERT INTO runs(at, command, file, name, result) VALUES('2026-01-01T00:00:00Z', 'infer', 'f', 'old.json', '{\"surefield\": \"1\"}')")
            database.execute("PRAGMA user_version = 1")
            database.commit()
            database.close()
            with Studio(PROGRAM, folder=folder, store="runs.sqlite") as studio:
                self.assertEqual(studio.json("GET", "/api/v1/runs/1")[1], {"surefield": "1"})
                self.assertEqual(studio.json("GET", "/api/v1/runs")[1][0]["options"], {})
            database = sqlite3.connect(path)
            self.assertEqual(database.execute("PRAGMA user_version").fetchone(), (3,))
            database.execute("PRAGMA user_version = 99")
            database.close()
            with self.assertRaisesRegex(RuntimeError, "its number is 99, and this program knows those up to 3"):
                Studio(PROGRAM, folder=folder, store="runs.sqlite")
            (pathlib.Path(folder) / "text.sqlite").write_text("this is no database " * 100)
            with self.assertRaisesRegex(RuntimeError, "text.sqlite: it is no history of runs"):
                Studio(PROGRAM, folder=folder, store="text.sqlite")

    def test_the_command_of_the_document_runs(self):
        line = re.search(r"^surefield (serve .*)$", (ROOT / "docs/studio.md").read_text(), re.MULTILINE)[1].split()
        self.assertIn("--open", line)
        with tempfile.TemporaryDirectory() as folder:
            with Studio(PROGRAM, folder=folder) as maker:
                maker.surefield("generate", "flid", "--items", 5, "-o", "model.json")
                maker.surefield("generate", "registries", "--items", 5, "--sets", 50, "-o", "registries.csv")
            with Studio(PROGRAM, files=[word for word in line[1:] if word != "--open"], folder=folder) as studio:
                self.assertEqual([file["name"] for file in studio.json("GET", "/api/v1/files")[1]], ["model.json", "registries.csv"])
            self.assertTrue((pathlib.Path(folder) / "runs.sqlite").exists())

    def test_open_hands_the_address_to_the_browser_and_nothing_else(self):
        with tempfile.TemporaryDirectory() as folder:
            browser = pathlib.Path(folder) / "xdg-open"
            browser.write_text("""#!/bin/sh\necho "$1" > said.part; ls -l /proc/$$/fd >> said.part; mv said.part said\n""")
            browser.chmod(0o755)
            path = {"PATH": f"{folder}:{os.environ['PATH']}"}
            with Studio(PROGRAM, ("--open",), folder=folder, environment=path) as studio:
                said = pathlib.Path(folder) / "said"
                for _ in range(200):
                    if said.exists():
                        break
                    time.sleep(0.05)
                address, *held = said.read_text().splitlines()
                self.assertEqual(address, studio.address)
                self.assertFalse([line for line in held if "socket" in line], held)

    def test_a_port_that_is_taken_and_files_outside_are_refused(self):
        with Studio(PROGRAM) as studio:
            with self.assertRaisesRegex(RuntimeError, "cannot be had"):
                Studio(PROGRAM, port=studio.port)
            with self.assertRaisesRegex(RuntimeError, "outside the folder"):
                Studio(PROGRAM, files=("/etc/hostname",))
            with self.assertRaisesRegex(RuntimeError, "no such file"):
                Studio(PROGRAM, files=("none.json",))


if __name__ == "__main__":
    unittest.main(verbosity=1)
