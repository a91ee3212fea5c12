"""From records to a report, on the bundled notes, and what interrupts that."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import unittest
import warnings

import residue
from support import CLINIC, ENOUGH, StoreTest, after_sigint, jsonl


def shouting(text: str) -> str:
    return text.upper()


def masked(text: str) -> str:
    return " ".join("***" if word[:1].isupper() else word for word in text.split())


class Opening(StoreTest):
    def test_finds_a_store_by_either_folder(self):
        self.assertEqual(residue.open(self.folder).path, self.store.path)
        self.assertEqual(residue.open(self.store.path).path, self.store.path)

    def test_says_where_there_is_none(self):
        error = self.refused(lambda: residue.open(self.folder + "/nowhere"), "no store", "create=True")
        self.assertIs(error.code, residue.Code.NOT_FOUND)
        self.assertIn("create=True", error.remedy)
        self.assertNotIn(error.remedy, error.message)

    def test_is_made_in_the_folder_that_is_named_like_a_store(self):
        made = residue.open(self.folder + "/new/.residue", create=True)
        self.assertEqual(made.path, self.folder + "/new/.residue")

    def test_says_what_to_call_where_there_is_no_dataset(self):
        error = self.refused(self.store.eval, "no dataset")
        self.assertEqual(error.remedy, "store.ingest_dataset(name, rows)")
        self.assertIn("store.ingest_dataset", self.refused(lambda: self.store.report("d")).remedy)

    def test_says_that_the_store_is_gone(self):
        shutil.rmtree(self.store.path)
        error = self.refused(self.store.eval, "no store in")
        self.assertIn("residue.open", error.remedy)

    def test_refuses_a_store_of_another_format(self):
        with open(self.store.path + "/format", "w", encoding="utf-8") as file:
            file.write("residue store 99\n")
        self.refused(lambda: residue.open(self.folder))

    def test_holds_nothing_open_between_calls(self):
        self.store.ingest_dataset("d", [{"id": "a", "text": "b"}])
        held = [os.readlink(f"/proc/self/fd/{fd}") for fd in os.listdir("/proc/self/fd") if os.path.lexists(f"/proc/self/fd/{fd}")]
        self.assertFalse([name for name in held if name.startswith(os.path.realpath(self.folder))])
        child = os.fork()
        if child == 0:
            made = self.store.ingest_dataset("d", [{"id": "b", "text": "c"}])
            os._exit(0 if made["new"] == 1 else 1)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(self.names("SELECT record FROM records ORDER BY 1"), ["a", "b"])


class Clinic(StoreTest):
    def setUp(self) -> None:
        super().setUp()
        self.store.ingest_dataset("clinic", jsonl(CLINIC / "notes.jsonl"))
        self.store.atomize("clinic")

    def evaluated(self) -> residue.Report:
        self.store.sanitize("masked", "clinic", masked)
        self.store.sanitize("scrub", "clinic", "scrub")
        self.store.eval("clinic")
        return self.store.report("clinic")

    def test_has_the_numbers_of_the_program(self):
        program = os.environ.get("RESIDUE_PROGRAM")
        if not program:
            self.skipTest("RESIDUE_PROGRAM names no program")
        report = self.evaluated()
        out = subprocess.run(
            [program, "--store", self.folder, "report", "clinic", "--format", "json"], check=True, capture_output=True
        )
        runs = {run["run"]: run["metrics"] for run in json.loads(out.stdout)["runs"]}
        for metric in ("leak_rate", "semantic_distance", "linkage_rate"):
            for run in ("masked", "scrub", "none"):
                self.assertEqual(report.value(run, metric), runs[run][metric]["value"], (run, metric))

    def test_reports_compares_and_lists_leaks(self):
        report = self.evaluated()
        self.assertEqual(report.value("none", "linkage_rate"), 1.0)
        self.assertLess(report.value("masked", "leak_rate"), report.value("none", "leak_rate"))
        self.assertGreater(len(report.df()), 50)
        for shown in (repr(report), report._repr_html_(), report._repr_markdown_()):
            self.assertIn("masked", shown)
            self.assertIn("leak_rate", shown.replace("\\", ""))
        compared = self.store.compare("clinic", "scrub", "masked")
        self.assertEqual(compared.baseline, "scrub")
        self.assertIn("leak_rate", {row["metric"] for row in compared.df().to_dict("records")})
        self.assertEqual(self.store.compare("clinic", "scrub").rows, compared.rows)
        worth = {row["run"] for row in compared.frontier if row["on_frontier"]}
        self.assertTrue(worth and worth <= {"masked", "scrub"}, worth)
        self.assertEqual(compared.frontier[0]["semantic_distance"], report.value(compared.frontier[0]["run"], "semantic_distance"))
        self.refused(lambda: self.store.compare("clinic", "scrub", privacy="rougeL_f"), "rougeL_f")
        leaks = self.store.leaks("clinic/masked")
        self.assertEqual(len(leaks), leaks.total)
        self.assertIn("claim", leaks.rows[0])
        self.assertIn(leaks.rows[0]["linked_text"], {masked(row["text"]) for row in jsonl(CLINIC / "notes.jsonl")})
        self.assertNotIn("claim", self.store.leaks("clinic/masked", texts=False).rows[0])
        self.store.sanitize("again", "clinic", masked)
        self.store.eval("clinic", jobs=1)
        one = self.store.report("clinic")
        for metric in ("linkage_rate", "leak_rate", "semantic_distance", "rougeL_f"):
            self.assertEqual(one.value("again", metric), report.value("masked", metric), "whatever the number of threads")
        for jobs in (0, -1, 1.5, "x"):
            self.refused(lambda: self.store.eval("clinic", jobs=jobs), "jobs")
        self.assertEqual(self.store.eval("clinic")["current"], self.store.eval("clinic")["evaluations"])

    def test_shows_no_mark_up_of_a_text(self):
        claims = "<script>alert(1)</script> | [x](javascript:y) \x1b[2J Ann Lee coughs."
        self.store.ingest_dataset("d", [{"id": "a", "text": claims}, {"id": "b", "text": "Bo sings in Rome."}])
        self.store.ingest_claims("d", [{"record": "a", "claims": [claims] * 4}, {"record": "b", "claims": ["Bo."] * 4}])
        self.store.ingest_run("d/r", [{"id": "a", "text": claims}, {"id": "b", "text": "Bo."}], texts_are_meant=True)
        self.store.eval("d")
        leaks = self.store.leaks("d/r")
        self.assertGreater(len(leaks), 0)
        for shown in (leaks._repr_html_(), leaks._repr_markdown_()):
            self.assertNotIn("<script", shown)
        self.assertIn("\\[x\\](javascript", leaks._repr_markdown_())  # no link
        self.assertNotIn("\x1b", repr(leaks) + leaks._repr_html_() + leaks._repr_markdown_())

    def test_a_function_that_fails_leaves_failed_records(self):
        def broken(text: str):
            if "ferry captain" in text:
                raise ValueError("no captains")
            if "choir" in text:
                return None
            return text

        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            made = self.store.sanitize("broken", "clinic", broken)
        self.assertGreater(made["failed"], 0)
        self.assertIn("records failed", str(caught[0].message))
        errors = self.names(
            "SELECT DISTINCT error FROM variants WHERE run = 'broken' AND error IS NOT NULL ORDER BY 1", "originals"
        )
        self.assertIn("ValueError: no captains", errors)
        total = self.names("SELECT count(*) AS n FROM variants WHERE run = 'broken'")
        self.assertEqual(total, [len(jsonl(CLINIC / "notes.jsonl"))])

    def test_a_function_that_is_interrupted_keeps_what_it_made(self):
        made = []

        def some(text: str) -> str:
            if len(made) == 10:
                raise KeyboardInterrupt
            made.append(text)
            return text.upper()

        with self.assertRaises(KeyboardInterrupt):
            self.store.sanitize("some", "clinic", some)
        self.assertEqual(self.names("SELECT count(*) AS n FROM variants WHERE run = 'some'"), [10])
        rest = self.store.sanitize("some", "clinic", shouting, missing_only=True)
        self.assertEqual(rest["new"], len(jsonl(CLINIC / "notes.jsonl")) - 10)

    def test_progress_is_told_and_its_exceptions_reach_the_caller(self):
        self.store.sanitize("masked", "clinic", masked)
        told = []
        self.store.eval("clinic", progress=lambda what, done, total: told.append((what, done, total)))
        self.assertTrue(told)

        def broken(what, done, total):
            raise ZeroDivisionError(what)

        self.store.ingest_run("clinic/other", [{"id": "n-01", "text": "x"}])
        with self.assertRaises(ZeroDivisionError):
            self.store.eval("clinic", progress=broken)
        self.refused(lambda: self.store.eval("clinic", progress=lambda *_: self.store.atomize("clinic")), "progress callback")
        self.store.eval("clinic")

    def test_eval_ends_within_a_second_of_ctrl_c_and_goes_on(self):
        notes = jsonl(CLINIC / "notes.jsonl")
        many = [{"id": f"{i}-{note['id']}", "text": f"{note['text']} Note {i}."} for i in range(60) for note in notes]
        self.store.ingest_dataset("many", many)
        self.store.atomize("many")
        self.store.ingest_run("many/r", ({"id": row["id"], "text": masked(row["text"])} for row in many))
        caught, seconds = after_sigint(lambda: self.store.eval("many", protocol="bm25/random:3,bm25/first:3"), 1.0)
        self.assertIsInstance(caught, KeyboardInterrupt)
        self.assertLess(seconds, ENOUGH)
        self.assertEqual(self.names("SELECT count(*) AS n FROM records WHERE dataset = 'many'"), [len(many)])


if __name__ == "__main__":
    unittest.main()
