"""Rows of Python become rows of the store: all of them, or none and one clear line."""

from __future__ import annotations

import pathlib
import unittest

import numpy
import pandas

import residue
from support import StoreTest

TWO = [{"id": "a", "text": "Ann Lee has a cough."}, {"id": "b", "text": "Bo was born in Rome."}]


class Dataset:
    """As a HuggingFace Dataset: column_names, and iteration over dicts."""

    column_names = ["id", "text"]

    def __iter__(self):
        return iter(TWO)


class Rows(StoreTest):
    def stored(self, rows, **options):
        self.store.ingest_dataset("d", rows, **options)
        found = self.store.sql("SELECT record AS key, text(record_text) AS text FROM records ORDER BY record", level="originals", to="dicts")
        return [(row["key"], row["text"]) for row in found]

    def test_come_from_dicts_generators_frames_and_datasets(self):
        expected = [(row["id"], row["text"]) for row in TWO]
        for rows in (TWO, iter(TWO), (dict(row) for row in TWO), pandas.DataFrame(TWO), Dataset()):
            with self.subTest(type(rows).__name__):
                self.assertEqual(self.stored(rows), expected)

    def test_keep_every_character(self):
        text = 'quote " back \\ tab \t line \n nul-less \u0001 ä 漢 😀'
        self.assertEqual(self.stored([{"id": "x", "text": text}]), [("x", text)])

    def test_have_values_of_numpy_and_pandas(self):
        frame = pandas.DataFrame({"id": ["a", "b"], "text": ["one", "two"], "person": ["p", None]})
        frame["age"] = numpy.array([7, 8], dtype="int32")
        frame["weight"] = [1.5, numpy.nan]
        frame["list"] = [numpy.array([1, 2]), pandas.NA]
        self.store.ingest_dataset("d", frame)
        self.assertEqual(self.names("SELECT person FROM records ORDER BY record"), ["p", None])
        rows = [{"id": numpy.str_("c"), "text": "three", "n": numpy.int64(3), "flag": numpy.bool_(True)}]
        self.assertEqual(self.store.ingest_dataset("d", rows)["new"], 1)

    def test_of_another_name_and_numbered(self):
        rows = [{"note": 1, "body": "one"}, {"note": 2, "body": "two"}]
        self.store.ingest_dataset("d", rows, id="note", text="body")
        self.store.ingest_dataset("e", [{"text": "one"}], id="auto")
        self.assertEqual(self.names("SELECT record FROM records ORDER BY dataset, record"), ["1", "2", "1"])

    def test_of_other_programs_come_from_their_files(self):
        self.store.ingest_dataset("d", TWO)
        sample = '{"id": "%s", "epoch": %d, "output": {"completion": "Somebody."}}'
        samples = ", ".join(sample % (key, epoch) for key in "ab" for epoch in (1, 2))
        path = pathlib.Path(self.folder) / "log.json"
        path.write_text('{"version": 2, "status": "success", "eval": {"model": "m"}, "samples": [%s]}' % samples)
        with self.assertRaisesRegex(residue.Error, "log.json has samples of 2 values of epoch: 1, 2"):
            self.store.ingest_run("d/r", path)
        told = self.store.ingest_run("d/r", path, only={"epoch": "2"})
        self.assertEqual(told["new"], 2)
        self.assertIn("read as a log of inspect_ai (--preset inspect)", told["notes"])
        self.assertEqual(self.store.ingest_run("d/s", path, preset="inspect", only={"epoch": "1"})["new"], 2)

    def test_of_a_wrong_shape_are_one_clear_line_and_nothing_is_stored(self):
        good = [{"id": str(i), "text": "word"} for i in range(3)]
        cases = [
            (good + [{"id": "x", "text": object()}], ("row 4", '"text"', "object")),
            (good + [["x", "y"]], ("row 4", "mapping", "list")),
            (good + ["text"], ("row 4", "mapping", "str")),
            (good + [{"id": "x", "text": 5}], ("row 4", "text")),
            (good + [{"id": "x"}], ("row 4", '"text"', "text=")),
            (good + [{"text": "y"}], ("row 4", '"id"')),
            (good + [{3: "x"}], ("row 4", "key", "int")),
            (good + [{"id": "x", "text": "y", "m": float("inf")}], ("row 4", '"m"', "infinite")),
            (good + [{"id": "x", "text": "\ud800"}], ("row 4", '"text"', "surrogate")),
            (good + [{"id": "x", "text": "y", "m": 2**70}], ("row 4", '"m"', "64 bits")),
            (good + [{"id": "x", "text": "y", "m": {"k": [b"b"]}}], ("row 4", '"m"', "bytes")),
            (good + good[:1], ("row 4", "earlier")),
            ({"id": ["a"], "text": ["b"]}, ("rows were expected", "dict")),
            (7, ("rows were expected", "int")),
            (b"x", ("rows were expected", "bytes")),
            ([], ("no row",)),
        ]
        for rows, words in cases:
            with self.subTest(words):
                error = self.refused(lambda: self.store.ingest_dataset("d", rows), *words)
                self.assertIn(error.code, (residue.Code.BAD_INPUT, residue.Code.USAGE))
                self.assertNotIn("standard input", str(error))
                self.assertNotIn("--", str(error))
                self.assertEqual(self.names("SELECT count(*) AS n FROM records"), [0])

    def test_that_the_store_refuses_late_leave_nothing_of_the_early_ones(self):
        self.store.ingest_dataset("d", TWO)
        many = [{"id": str(i), "text": f"text {i}"} for i in range(25_000)]  # more than a batch of a file has
        self.store.ingest_dataset("d", many)
        self.refused(lambda: self.store.ingest_run("d/r", many + [{"id": "nobody", "text": "z"}]), "row 25001")
        self.assertEqual(self.names("SELECT run FROM runs WHERE run = 'r'"), [])

    def test_an_exception_of_the_iterable_is_the_callers(self):
        def broken():
            yield TWO[0]
            raise ZeroDivisionError("mine")

        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            self.store.ingest_dataset("d", broken())
        self.assertEqual(self.names("SELECT count(*) AS n FROM records"), [0])

    def test_bad_ones_are_listed_where_that_is_asked_for(self):
        result = self.store.ingest_dataset("d", TWO + [{"id": "c"}], on_error="skip")
        self.assertEqual((result["new"], result["bad"]), (2, 1))
        self.assertEqual(result["rejected"][0][0], 3)

    def test_unknown_keywords_are_refused(self):
        self.refused(lambda: self.store.ingest_dataset("d", TWO, txet="body"), "txet=")
        self.refused(lambda: self.store.ingest_dataset("d", TWO, append="yes"), "append=", "str")

    def test_claims_labels_and_runs_are_read_as_well(self):
        self.store.ingest_dataset("d", TWO)
        self.store.ingest_claims("d", [{"record": "a", "claims": ["Ann coughs.", "Ann is a Lee."]}])
        self.store.ingest_labels("d", "span", [{"record": "a", "start": 0, "end": 7, "text": "Ann Lee"}])
        answers = self.store.ingest_labels("d", "response", [{"record": "a", "response": "B"}])
        self.assertEqual((answers["new"], self.names("SELECT count(*) AS n FROM answers")), (1, [1]))
        made = self.store.ingest_run(
            "d/r",
            pandas.DataFrame({"id": ["a", "b"], "text": ["X has a cough.", None], "error": [None, "too long"]}),
            sanitizer="mine",
            params={"p": "1"},
        )
        self.assertEqual(made["new"], 2)
        self.assertEqual(self.names("SELECT count(*) AS n FROM claims"), [2])
        errors = "SELECT error FROM variants WHERE run = 'r' ORDER BY record"
        self.assertEqual(self.names(errors), [None, "failed"])  # an error may quote what was read
        self.assertEqual(self.names(errors, "originals"), [None, "too long"])

    def test_are_told_as_rows_while_they_are_read(self):
        told = []
        many = [{"id": str(i), "text": f"text {i}"} for i in range(20_000)]
        self.store.ingest_dataset("d", many, progress=lambda what, done, total: told.append(what))
        self.assertEqual(set(told), {"reading rows"})

    def test_come_from_a_file_with_what_was_found_out_about_it(self):
        path = pathlib.Path(self.folder, "rows.csv")
        path.write_text("id;text\na;one\nb;two\n", encoding="utf-8")
        made = self.store.ingest_dataset("d", path)
        self.assertEqual(made["new"], 2)
        self.assertIn("columns are separated by semicolons", made["notes"])
        again = self.store.ingest_dataset("d", path)
        self.assertEqual((again["new"], again["same"]), (0, 2))

    def test_of_a_bad_name_or_with_a_bad_keyword_are_not_read(self):
        rows = iter(TWO)
        self.refused(lambda: self.store.ingest_dataset("d", rows, nothing=1), "nothing=")
        self.assertEqual(len(list(rows)), 2)
        self.refused(lambda: self.store.ingest_dataset("d/r", TWO), "dataset")


if __name__ == "__main__":
    unittest.main()
