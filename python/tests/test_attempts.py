"""Statements that try to read what their level keeps from them, or to do harm: those of the tests in C++, from Python."""

from __future__ import annotations

import concurrent.futures
import pathlib
import time
import unittest
from typing import List, Tuple

import residue
from support import StoreTest, literals

ORIGINAL = "Tom repairs clocks in Bern. He takes aspirin every morning. He hides a zither."
CLAIMS = ["Tom repairs clocks in Bern.", "He takes aspirin every morning."]


class Attempts(StoreTest):
    def setUp(self) -> None:
        super().setUp()
        bees = "Maria keeps bees in Graz. She has asthma since childhood."
        words = "aspirin, zither"
        task = {"question": f"Which? {words}", "options": {"A": words, "B": "none"}, "answer": "A"}
        self.store.ingest_dataset("d", [{"id": "a", "text": bees}, {"id": "b", "text": ORIGINAL, "task": task, "note": words}])
        self.store.ingest_claims(
            "d",
            [{"record": "a", "claims": bees.replace(". ", ".|").split("|")}, {"record": "b", "claims": CLAIMS}],
        )
        failed = {"id": "b", "error": "no aspirin, no zither"}
        self.store.ingest_run("d/r", [{"id": "a", "text": "A person keeps bees. She has asthma."}, failed])
        self.store.eval("d", protocol="bm25/first:1", seeds=1)
        self.numbers = {
            "%O": self.names("SELECT record_text FROM records WHERE record = 'b'")[0],
            "%C": self.names("SELECT claim_text FROM claims WHERE record = 'b' AND n = 2")[0],
            "%Q": self.names("SELECT query_text FROM links WHERE record = 'b'")[0],
        }

    def said(self, query: str, level: str) -> Tuple[str, bool]:
        """All values of the answer, or the error; and whether it was refused."""
        try:
            return repr(self.store.sql(query, to="dicts", level=level)), False
        except residue.Error as error:
            return str(error), True

    def all_said(self, queries: List[str], level: str) -> List[Tuple[str, bool]]:
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            return list(pool.map(lambda query: self.said(query, level), queries))

    def attempts(self, word: str) -> List[str]:
        found = []
        for query in literals("tests/query/sql/levels_test.cc", "attempts"):
            for name, number in self.numbers.items():
                query = query.replace(name, str(number))
            found.append(query.replace("aspirin", word))
        self.assertGreaterEqual(len(found), 40)
        return found

    def none_reads(self, level: str, word: str, secrets: List[str]) -> None:
        queries = self.attempts(word)
        original = f"text({self.numbers['%O']}"
        for query, (answer, refused) in zip(queries, self.all_said(queries, level)):
            with self.subTest(query, level=level):
                for secret in [word[1:], word.encode().hex().upper(), "found", *secrets]:
                    self.assertNotIn(secret, answer)
                if refused:
                    self.assertNotIn("--", answer)  # flags of the program mean nothing here
                # Neither its length nor whether it is there is told.
                if original in query and not query.startswith("EXPLAIN"):
                    self.assertTrue(refused, answer)
                # A guess is not confirmed.
                if query.startswith("SELECT count(*)") and not refused:
                    self.assertTrue(answer.endswith(": 0}]"), answer)

    def test_no_statement_reads_originals_by_default(self):
        self.none_reads("released", "aspirin", ["Tom", "clocks", "ither"])

    def test_no_statement_reads_originals_at_the_level_of_claims(self):
        self.none_reads("claims", "zither", [])

    # Without this, the two tests above would pass where nothing can be read at all.
    def test_the_same_statements_read_them_at_their_level(self):
        said = self.all_said(self.attempts("zither"), "originals")
        for word in ("aspirin", "zither"):
            self.assertGreaterEqual(sum(word in answer and not refused for answer, refused in said), 15, word)

    def test_a_refused_text_looks_like_one_that_is_not_there(self):
        for level in ("released", "claims"):
            unread = self.said("SELECT text(987654321) AS t", level)
            self.assertTrue(unread[1])
            self.assertEqual(self.said(f"SELECT text({self.numbers['%O']}) AS t", level), unread)

    def test_an_attack_is_refused_or_ends_at_its_limits(self):
        def files() -> List[pathlib.Path]:
            return sorted(pathlib.Path(self.folder).rglob("*"))

        made = pathlib.Path(self.folder, "made")
        attacks = [one.replace("%F", str(made)) for one in literals("tests/query/sql/attacks.h", "kAttacks")]
        self.assertGreaterEqual(len(attacks), 190)
        before = files()

        def try_one(query: str) -> Tuple[str, float]:
            began = time.monotonic()
            try:
                answer = repr(self.store.sql(query, to="dicts", level="originals", timeout=0.5))[:200]
            except residue.Error:
                answer = ""
            return answer, time.monotonic() - began

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for query, (answer, seconds) in zip(attacks, pool.map(try_one, attacks)):
                with self.subTest(query):
                    self.assertEqual(answer, "", "it was answered")
                    self.assertLess(seconds, 10)  # of the clock: the statement may use half a second
        self.assertEqual(files(), before)
        self.assertEqual(self.names("SELECT count(*) AS n FROM records"), [2])


if __name__ == "__main__":
    unittest.main()
