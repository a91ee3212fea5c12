"""Measures without a store, held against their definitions."""

from __future__ import annotations

import math
import random
import tempfile
import traceback
import unittest
from collections import Counter

import residue
from support import CLINIC, ENOUGH, after_sigint, jsonl

WORDS = "river stone cloud lamp tiger orange winter garden silver mountain copper violin".split()


def texts(count: int, seed: int, length: int = 12):
    draw = random.Random(seed)
    return [" ".join(draw.choices(WORDS, k=draw.randint(0, length))) for _ in range(count)]


def lcs(a, b) -> int:
    row = [0] * (len(b) + 1)
    for x in a:
        before = 0
        for j, y in enumerate(b):
            before, row[j + 1] = row[j + 1], before + 1 if x == y else max(row[j + 1], row[j])
    return row[-1]


class Rouge(unittest.TestCase):
    def test_is_its_definition(self):
        a, b = texts(200, 1), texts(200, 2)
        scores = residue.rouge_l_batch(a, b)
        self.assertEqual(scores.shape, (200, 3))
        for x, y, (p, r, f) in zip(a, b, scores):
            common, n, m = lcs(x.split(), y.split()), len(x.split()), len(y.split())
            self.assertAlmostEqual(p, common / m if m else 0, delta=1e-12)
            self.assertAlmostEqual(r, common / n if n else 0, delta=1e-12)
            self.assertAlmostEqual(f, 2 * common / (n + m) if common else 0, delta=1e-12)

    def test_of_one_pair_is_that_of_a_batch(self):
        one = residue.rouge_l("the cat sat", "cats sat down")
        self.assertEqual(tuple(residue.rouge_l_batch(["the cat sat"], ["cats sat down"])[0]), tuple(one))
        self.assertGreater(one.f, residue.rouge_l("the cat sat", "cats sat down", stem=False).f)

    def test_refuses_what_are_no_texts(self):
        for a, b, words in (
            (["a", None], ["b", "c"], "item 1 is None"),
            (["a"], ["b", "c"], "1 and 2"),
            ("a", ["b"], "list of str"),
            ([b"a"], ["b"], "item 0 is a bytes"),
            (["\ud800"], ["b"], "surrogate"),
            (3, ["b"], "list of str"),
        ):
            with self.subTest(words), self.assertRaisesRegex(residue.Error, words):
                residue.rouge_l_batch(a, b)

    def test_ends_within_a_second_of_ctrl_c(self):
        long = [" ".join(random.Random(i).choices(WORDS, k=4000)) for i in range(20)] * 400
        caught, seconds = after_sigint(lambda: residue.rouge_l_batch(long, long[::-1]), 0.5)
        self.assertIsInstance(caught, KeyboardInterrupt)
        self.assertLess(seconds, ENOUGH)


class Bm25(unittest.TestCase):
    def test_is_its_definition(self):
        documents, queries = texts(300, 3), texts(50, 4, 4)
        hits = residue.bm25(queries, documents, 5)
        counts = [Counter(text.split()) for text in documents]
        kept = [count for count in counts if count]
        average = sum(sum(count.values()) for count in kept) / len(kept)
        have = Counter(word for count in kept for word in count)

        def score(query: Counter, count: Counter) -> float:
            norm = 0.9 * (1 - 0.4 + 0.4 * sum(count.values()) / average)
            return sum(
                math.log(1 + (len(kept) - have[word] + 0.5) / (have[word] + 0.5)) * times * count[word] / (count[word] + norm)
                for word, times in query.items()
                if count[word]
            )

        for i, query in enumerate(queries):
            all_scores = [score(Counter(query.split()), count) for count in counts]
            best = sorted(range(len(documents)), key=lambda d: (-all_scores[d], d))[:5]
            for place, document in enumerate(best):
                if all_scores[document] == 0:
                    self.assertEqual(hits.documents[i][place], -1)
                    continue
                self.assertAlmostEqual(hits.scores[i][place], all_scores[document], places=9)
                found = int(hits.documents[i][place])
                self.assertAlmostEqual(all_scores[found], all_scores[document], places=9)

    def test_gives_ties_to_the_first(self):
        hits = residue.bm25(["river stone", "zebra"], ["river", "stone river", "stone river", ""], 2)
        self.assertEqual(hits.documents.tolist(), [[1, 2], [-1, -1]])
        self.assertEqual(hits.tied.tolist()[0], [1, 1])

    def test_of_nothing_is_nothing(self):
        self.assertEqual(residue.bm25([], ["river"], 2).documents.shape, (0, 2))
        self.assertEqual(residue.bm25(["river"], [], 2).documents.tolist(), [[-1, -1]])
        with self.assertRaisesRegex(residue.Error, "k:"):
            residue.bm25(["river"], ["river"], 0)


class Judge(unittest.TestCase):
    def test_rates_claims_against_passages(self):
        passage = "Ann Lee, a retired ferry captain from Bergen, has gout."
        judged = residue.judge(["Ann Lee has gout.", "Bo plays the violin.", " "], [passage] * 3)
        self.assertEqual(judged.ratings.tolist(), [1, 3, 0])
        with self.assertRaisesRegex(residue.Error, "lexical"):
            residue.judge(["a"], ["b"], judge="nobody")


class Errors(unittest.TestCase):
    def test_of_wrong_arguments_quote_no_text(self):
        docs = ["SECRET one", "SECRET two"]
        with tempfile.TemporaryDirectory() as folder:
            store = residue.open(folder, create=True)
            calls = {
                "bm25 k": lambda: residue.bm25(docs, docs, k=2.0),
                "bm25 k1": lambda: residue.bm25(docs, docs, k1="x"),
                "bm25 large": lambda: residue.bm25(docs, docs, k=10**30),
                "judge": lambda: residue.judge(docs, docs, judge=5),
                "rouge": lambda: residue.rouge_l_batch(docs, docs, stem="x"),
                "dataset": lambda: store.ingest_dataset(5, [{"id": "1", "text": docs[0]}]),
                "labels": lambda: store.ingest_labels("d", 5, [{"id": "1", "text": docs[0]}]),
                "sql": lambda: store.sql("SELECT 'SECRET \ud800'"),
                "limit": lambda: store.sql("SELECT 'SECRET'", limit=-1),
            }
            for name, call in calls.items():
                with self.subTest(name):
                    try:
                        call()
                        self.fail("nothing was said")
                    except residue.Error as error:
                        self.assertEqual(error.code, residue.Code.USAGE)
                        said = "".join(traceback.format_exception(error, limit=0))
                        self.assertNotIn("SECRET", said)
                        self.assertEqual(said.count("\n"), 1)


class Quick(unittest.TestCase):
    def test_says_what_is_left(self):
        notes = [row["text"] for row in jsonl(CLINIC / "notes.jsonl")]
        masked = [" ".join("***" if i % 3 == 0 else word for i, word in enumerate(text.split())) for text in notes]
        answer = residue.quick(notes, masked)
        self.assertEqual(answer.counts["originals"], len(notes))
        self.assertGreater(answer.report.value("none", "leak_rate"), 0.9)
        self.assertIn("leak_rate", answer._repr_html_())
        self.assertTrue(answer.worst)

    def test_refuses_lists_that_do_not_belong_together(self):
        with self.assertRaisesRegex(residue.Error, "2 originals and 1 sanitized"):
            residue.quick(["a", "b"], ["a"])
        with self.assertRaises(residue.Error):
            residue.quick(["Ann has a cough.", "Bo has gout."], ["Ann has a cough.", "Bo has gout."])


if __name__ == "__main__":
    unittest.main()
