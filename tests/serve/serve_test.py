"""`residue serve` as scripts ask it: what each level reads, that it changes nothing and lets evaluations go on.

serve_test.py PROGRAM
"""

from __future__ import annotations

import concurrent.futures
import csv
import io
import json
import os
import pathlib
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import time
import unittest
import urllib.parse

from serving import (CLAIM, META, NOTE, ORIGINAL, PROGRAM, RECORDS, RELEASED, REPLY, TASK, Server, SlowModel, make_store,
                     residue)

# Every way to ask for something; what is refused at a level answers 400.
PATHS = [
    "/api/store", "/api/notes?dataset=d", "/api/runs?dataset=d&notes=no", "/api/change", "/api/metrics", "/api/lenses?dataset=d", "/api/runs?dataset=d", "/api/status", "/api/questions",
    "/api/compare?dataset=d&baseline=one&run=two", "/api/compare?dataset=d&baseline=none&run=one",
    "/api/slices?dataset=d&metric=leak_rate",
    *[f"/api/{kind}?dataset=d&run={run}{more}{form}" for run in ("one", "two", "none") for form in ("", "&format=csv")
      for kind, more in (("leaks", ""), ("leaks", "&record=r1"), ("records", "&metric=leak_rate"), ("records", "&metric=linkage_rate"),
                         ("records", "&metric=rougeL_f&sort=value&desc=1"))],
    *[f"/api/record?dataset=d&record=r{i}{run}" for i in range(2) for run in ("", "&run=one", "&run=two", "&run=none", "&run=remove-all")],
    *[f"/api/votes?dataset=d&record=r{i}&run={run}&n={n}{more}" for i in range(2) for run in ("one", "none", "remove-all") for n in range(1, 5)
      for more in ("", "&judge=far", "&format=csv")],
    *[f"/api/{kind}?dataset=d&record=r{i}&run={run}{more}" for i in range(2) for run in ("one", "none", "remove-all")
      for kind, more in (("terms", ""), ("record", "&terms=no"))],
    *[f"/api/search?dataset=d&in={kind}&q={word}{run}" for kind in ("released", "claims", "originals")
      for word in ("number1", "goats", ORIGINAL, CLAIM) for run in ("", "&run=one", "&run=none")],
]
STATEMENTS = [
    "SELECT text(record_text) AS t FROM records", "SELECT text(claim_text) AS t FROM claims", "SELECT text(task_text) AS t FROM records",
    "SELECT text(variant_text) AS t FROM variants WHERE run = 'none'", "SELECT text(query_text) AS t FROM links",
    "SELECT text(variant_text) AS t FROM variants WHERE run = 'one'", "SELECT * FROM link_terms('d/one', 'r1')",
    "SELECT * FROM bm25('d/none', 'goats')", *[f"SELECT text({n}) AS t" for n in range(40)],
]


class Levels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        make_store(cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def everything(self, *flags: str) -> str:
        server = Server(self.folder.name, *flags)
        try:
            with concurrent.futures.ThreadPoolExecutor(3) as pool:
                said = list(pool.map(lambda path: server.ask(path), PATHS))
                said += list(pool.map(lambda sql: server.ask("/api/sql", sql), STATEMENTS))
        finally:
            code = server.close()
        self.assertEqual(code, 0)
        for path, (status, text) in zip(PATHS + STATEMENTS, said):
            with self.subTest(path):
                self.assertIn(status, (200, 400, 404), text)
        # A question's own words come back in its statement: what is meant is everything else.
        return "\n".join(text for _, text in said).replace(f"'{ORIGINAL}'", "").replace(f"'{CLAIM}'", "")

    def test_released_is_the_texts_of_runs_alone(self):
        said = self.everything()
        self.assertIn(RELEASED, said)
        for word in (ORIGINAL, CLAIM, TASK, META, NOTE, REPLY):
            self.assertNotIn(word, said)

    def test_claims_are_not_originals(self):
        said = self.everything("--claims")
        for word in (RELEASED, CLAIM):
            self.assertIn(word, said)
        for word in (ORIGINAL, TASK, META, NOTE, REPLY):
            self.assertNotIn(word, said)

    def test_originals_are_everything(self):
        said = self.everything("--originals")
        for word in (RELEASED, CLAIM, ORIGINAL, TASK, NOTE, REPLY):
            self.assertIn(word, said)


class Serving(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        make_store(self.folder.name)
        self.server = Server(self.folder.name, "--originals")

    def tearDown(self):
        if self.server.process.poll() is None:
            self.server.close()
        self.folder.cleanup()

    def test_says_the_numbers_of_report(self):
        report = json.loads(residue(self.folder.name, "report", "d", "--format", "json"))
        runs = {run["run"]: run["metrics"] for run in self.server.json("/api/runs?dataset=d")["runs"]}
        compared = 0
        for run in report["runs"]:
            for metric, value in run["metrics"].items():
                if isinstance(value, dict) and "value" in value and metric in runs[run["run"]]:
                    if isinstance(value["value"], list):
                        self.assertEqual(runs[run["run"]][metric]["bins"], value["value"])
                        continue
                    for field in ("value", "low", "high", "n", "failed", "missing"):
                        self.assertEqual(runs[run["run"]][metric][field], value[field], (run["run"], metric, field))
                        compared += 1
        self.assertGreater(compared, 100)

    def test_a_table_has_all_rows_page_by_page_and_as_csv(self):
        path = "/api/records?dataset=d&run=one&metric=semantic_distance&sort=record"
        whole = self.server.json(path)
        self.assertEqual(whole["total"], RECORDS)
        pages = [row for i in range(0, RECORDS, 2) for row in self.server.json(f"{path}&limit=2&offset={i}")["rows"]]
        self.assertEqual(pages, whole["rows"])
        lines = self.server.ask(path + "&format=csv")[1].split("\r\n")
        self.assertEqual(lines[0], "record,state,outcome,value,weight,stale")
        self.assertEqual([line.split(",")[0] for line in lines[1:-1]], [row[0] for row in whole["rows"]])
        again = self.server.json("/api/sql", whole["sql"])
        self.assertEqual(again["rows"], whole["rows"])
        self.assertEqual(sum(count for _, count in whole["facets"]["state"]), RECORDS)

    def test_facets_count_what_the_other_facets_leave(self):
        path = "/api/leaks?dataset=d&run=none"
        whole = self.server.json(path + "&limit=1000")
        rows = [dict(zip(whole["columns"], row)) for row in whole["rows"]]
        self.assertEqual(whole["total"], len(rows))
        self.assertGreaterEqual(len(rows), RECORDS)
        self.assertGreater(len(whole["facets"]["category"]), 1)
        for facet, values in whole["facets"].items():
            for value, count in values:
                def has(row):
                    return value in (json.loads(row[facet] or "[]") or [None]) if facet == "category" else row[facet] == value
                with self.subTest(f"{facet} {value}"):
                    self.assertEqual(count, sum(map(has, rows)))
                    some = self.server.json(f"{path}&limit=1000&{facet}={'' if value is None else urllib.parse.quote(str(value))}")
                    self.assertEqual(some["rows"], [list(row.values()) for row in rows if has(row)])
                    self.assertEqual(some["total"], count)
                    self.assertEqual(some["facets"][facet], values)  # the own one stays as it is

    def agrees_with_sql(self, path):
        """All rows page by page, the total and the facets, as the statement that the answer names has them."""
        first = self.server.json(path + "&limit=4")
        rows = json.loads(residue(self.folder.name, "sql", first["sql"], "--format", "json", "--originals"))
        self.assertEqual(first["total"], len(rows), path)
        got = first["rows"] + [row for offset in range(4, len(rows), 4)
                               for row in self.server.json(f"{path}&limit=4&offset={offset}")["rows"]]
        self.assertEqual(got, [[row[name] for name in first["columns"]] for row in rows], path)
        return first

    def test_lists_of_records_are_those_of_the_statement(self):
        seen = 0
        for metric in ("leak_rate", "semantic_distance", "linkage_rate", "distance_histogram"):
            for run in ("one", "none"):
                for sort in ("", "&sort=record", "&sort=weight"):
                    for more in ("", "&desc=1", "&desc=1&outcome=right", "&state=failed&outcome="):
                        seen += len(self.agrees_with_sql(f"/api/records?dataset=d&metric={metric}&run={run}{sort}{more}")["rows"])
                seen += len(self.agrees_with_sql(f"/api/records?dataset=d&metric={metric}&run={run}&slice=Age&desc=1")["rows"])
        self.assertGreater(seen, 200)

    def test_nothing_that_is_kept_is_older_than_the_store(self):
        paths = ["/api/records?dataset=d&metric=semantic_distance&run=one", "/api/leaks?dataset=d&run=one"]
        others = ["/api/runs?dataset=d", "/api/compare?dataset=d&baseline=one&run=two", "/api/notes?dataset=d"]

        def answers():
            tables = [self.agrees_with_sql(path) for path in paths]
            return [(table["rows"], table["total"], table["facets"]) for table in tables] + [self.server.json(path) for path in others]
        before = answers()
        self.assertEqual(answers(), before)
        changed = pathlib.Path(self.folder.name) / "one.jsonl"
        changed.write_text("".join(json.dumps({"id": f"r{i}", "text": f"Nobody {i} is here."}) + "\n" for i in range(RECORDS)))
        residue(self.folder.name, "ingest", "run", "d/one", str(changed))
        residue(self.folder.name, "eval", "d")
        after = answers()
        fresh = Server(self.folder.name, "--originals")
        try:
            self.server, kept = fresh, self.server
            self.assertEqual(answers(), after)
        finally:
            self.server = kept
            fresh.close()
        self.assertNotEqual(before[:4], after[:4])
        self.assertNotEqual(before[0], after[0])

    def test_leaks_are_counted_later_where_that_is_asked(self):
        path = "/api/leaks?dataset=d&run=one"
        later = self.server.json(path + "&counts=later")
        self.assertIsNone(later["total"])
        self.assertNotIn("facets", later)
        whole = self.server.json(path)
        self.assertEqual(later["rows"], whole["rows"])
        self.assertEqual(self.server.json(path + "&counts=later"), whole)  # now it is known

    def test_a_failed_record_is_no_attack_that_missed(self):
        path = pathlib.Path(self.folder.name, "edit.jsonl")
        path.write_text(json.dumps({"id": "r1", "text": None, "error": "timeout"}) + "\n")
        residue(self.folder.name, "ingest", "run", "d/one", str(path))
        residue(self.folder.name, "eval", "d")
        flips = self.server.json("/api/compare?dataset=d&baseline=one&run=two")["flips"]["rows"]
        self.assertIn(["r1", "failed"], [row[:2] for row in flips])
        one = self.server.json("/api/record?dataset=d&record=r1&run=one")
        self.assertEqual((one["outcome"], [run["outcome"] for run in one["runs"] if run["run"] == "one"]), ("failed", ["failed"]))

    def test_votes_are_those_of_every_judge_and_replies_are_as_they_came(self):
        given = {answer["custom_id"]: answer for answer in map(json.loads, pathlib.Path(self.folder.name, "done.jsonl").read_text().splitlines())}
        shared = "dataset=d&record=r1&run=one"
        rows, seen = 0, set()
        for claim in self.server.json(f"/api/record?{shared}")["claims"]:
            answer = self.server.json(f"/api/votes?{shared}&n={claim['n']}")
            self.assertEqual((answer["n"], answer["known"], answer["hidden"]), (claim["n"], bool(claim["known"]), []))
            of = {judge["judge"]: judge for judge in answer["judges"]}
            if claim["rating"] is not None:
                self.assertEqual(of["lexical"], {"judge": "lexical", "kind": "embedded", "asks": None, "rating": claim["rating"], "together": 1, "votes": []})
            if "far" not in of:
                self.assertTrue(claim["known"])
                continue
            self.assertEqual((of["far"]["kind"], of["far"]["asks"], [vote["sample"] for vote in of["far"]["votes"]]), ("model", "far", [0, 1]))
            for vote in of["far"]["votes"]:
                reply, = vote["replies"]
                said, = json.loads(reply["content"])["ratings"]
                seen.add(said["rating"])
                self.assertEqual((vote["rating"], reply["problem"]), (said["rating"], None))
                self.assertEqual(json.loads(reply["raw"]), given[said["reason"].split()[1]]["response"]["body"])
            rows += 1
            for row in self.server.json("/api/sql", answer["sql"])["rows"]:
                self.assertEqual(of[row[0]]["rating"], row[1])
            status, text = self.server.ask(f"/api/votes?{shared}&n={claim['n']}&format=csv")
            self.assertEqual(status, 200)
            self.assertEqual([line.split(",") for line in text.split("\r\n")[:3]], [
                ["judge", "kind", "rating", "vote", "said"],
                *[["far", "model", str(of["far"]["rating"] or ""), str(i), str(vote["rating"])] for i, vote in enumerate(of["far"]["votes"])]])
        self.assertGreater(rows, 0)
        self.assertGreater(len(seen), 1)
        for path, status, words in ((f"/api/votes?{shared}&n=99", 404, "no claim #99"), (f"/api/votes?{shared}", 400, "n is missing"),
                                    ("/api/votes?dataset=d&record=nobody&run=one&n=1", 404, ""), (f"/api/votes?dataset=d&record=r1&run=no&n=1", 404, "")):
            with self.subTest(path):
                found, text = self.server.ask(path)
                self.assertEqual(found, status, text)
                self.assertIn(words, text)

    def test_how_the_attack_ended_is_told_of_every_metric_of_it_and_flips_are_all_that_differ(self):
        lens = self.server.json("/api/records?dataset=d&metric=linkage_rate&run=one")
        of_lens = f"protocol = '{lens['protocol']}' AND sample = {lens['sample']}"
        links = {run: dict(self.server.json("/api/sql", f"SELECT record, outcome FROM links WHERE {of_lens} AND run = '{run}'")["rows"])
                 for run in ("none", "one", "two", "remove-all")}
        for metric in ("linkage_rate", "mean_risk", "mrr"):
            for run, of in links.items():
                listed = self.server.json(f"/api/records?dataset=d&metric={metric}&run={run}")
                for record, state, outcome, *_ in listed["rows"]:
                    self.assertEqual(outcome, of[record] if state == "value" else None, (metric, run, record))
                again = self.server.json("/api/sql", listed["sql"])["rows"]
                self.assertEqual(sorted(map(str, again)), sorted(map(str, listed["rows"])))
        ended = {}
        for run in links:
            rows = self.server.json(f"/api/records?dataset=d&metric=linkage_rate&run={run}")["rows"]
            ended[run] = {record: outcome if state == "value" else state for record, state, outcome, *_ in rows}
        flipped = 0
        for before, after in (("none", "remove-all"), ("none", "one"), ("one", "two")):
            flips = self.server.json(f"/api/compare?dataset=d&baseline={before}&run={after}")["flips"]
            expected = [[record, end, ended[after][record]] for record, end in ended[before].items() if end != ended[after][record]]
            self.assertEqual(sorted(flips["rows"]), sorted(expected))
            self.assertEqual(flips["total"], len(expected))
            self.assertEqual(sorted(self.server.json("/api/sql", flips["sql"])["rows"]), sorted(expected))
            flipped += len(expected)
        self.assertGreater(flipped, 2)

    def test_a_record_that_a_run_lost_is_no_record_that_leaked_nothing(self):
        with tempfile.TemporaryDirectory() as copy:
            shutil.copytree(self.folder.name, copy, dirs_exist_ok=True)
            path = pathlib.Path(copy, "lost.jsonl")
            path.write_text(json.dumps({"id": "r0", "text": "released number0 text"}) + "\n")
            residue(copy, "ingest", "run", "d/lost", str(path))
            residue(copy, "eval", "d")
            server = Server(copy, "--originals")
            try:
                one = server.json("/api/record?dataset=d&record=r1&run=lost")
                self.assertEqual((one["outcome"], one["error"], one["released"]), ("failed", "the run has no text of this record", None))
                self.assertIn({"run": "lost", "state": "failed", "outcome": "failed", "linked": None}, one["runs"])
            finally:
                server.close()

    def test_terms_come_with_the_record_or_apart_and_say_why_there_are_none(self):
        shared = "dataset=d&record=r1&run=one"
        apart = self.server.json(f"/api/terms?{shared}")
        self.assertGreater(len(apart["terms"]), 0)
        self.assertIsNone(apart["missing"])
        self.assertEqual(self.server.json(f"/api/record?{shared}")["terms"], apart["terms"])
        self.assertNotIn("terms", self.server.json(f"/api/record?{shared}&terms=no"))
        with tempfile.TemporaryDirectory() as copy:
            shutil.copytree(self.folder.name, copy, dirs_exist_ok=True)
            shutil.rmtree(pathlib.Path(copy) / ".residue" / "index")
            server = Server(copy, "--claims")
            try:
                none = server.json(f"/api/terms?{shared}")
                self.assertIsNone(none["terms"])
                self.assertIn("residue link d/one", none["missing"])
            finally:
                server.close()
        for path, status in ((f"/api/terms?dataset=d&record=nobody&run=one", 404), ("/api/terms?dataset=d&record=r1&run=nope", 404),
                             ("/api/records?dataset=d&metric=leak_rate&run=one&sort=nope", 400)):
            self.assertEqual(self.server.ask(path)[0], status, path)
        released = Server(self.folder.name)
        try:
            self.assertEqual([released.json(f"/api/terms?{shared}")[name] for name in ("terms", "hidden")], [None, ["terms"]])
        finally:
            released.close()

    def test_replies_are_not_read_below_originals_and_votes_not_below_claims(self):
        released = Server(self.folder.name)
        try:
            status, text = released.ask("/api/votes?dataset=d&record=r1&run=one&n=1")
            self.assertEqual(status, 400, text)
            self.assertIn("--claims", text)
        finally:
            released.close()
        server = Server(self.folder.name, "--claims")
        try:
            answer = server.json("/api/votes?dataset=d&record=r1&run=one&n=1&judge=far")
            self.assertEqual(answer["hidden"], ["replies"])
            self.assertEqual([[vote["replies"] for vote in one["votes"]] for one in answer["judges"] if one["judge"] == "far"], [[None, None]])
        finally:
            server.close()

    def test_reasons_of_a_judge_that_rated_elsewhere_are_nobodys(self):
        path = pathlib.Path(self.folder.name, "judgments.jsonl")
        path.write_text("".join(json.dumps({"judge": "people", "claim": f"r{i}#{n}", "run": run, "sample": sample, "rating": 1 + (n + sample) % 3}) + "\n"
                                for i in range(RECORDS) for n in range(1, 5) for run in ("one", "two") for sample in range(3)))
        residue(self.folder.name, "ingest", "judgments", str(path), "--dataset", "d")
        residue(self.folder.name, "eval", "d", "--judge", "people")
        claims = self.server.json("/api/record?dataset=d&record=r1&run=one&judge=people")["claims"]
        self.assertEqual({claim["why"] for claim in claims}, {None})
        answer = self.server.json("/api/votes?dataset=d&record=r1&run=one&n=2&judge=people")
        people, = [one for one in answer["judges"] if one["judge"] == "people"]
        self.assertEqual((people["kind"], [(vote["sample"], vote["rating"]) for vote in people["votes"]]), ("elsewhere", [(0, 3), (1, 1), (2, 2)]))

    def test_seeds_and_samples_are_chosen_and_named(self):
        folder = self.folder.name
        residue(folder, "eval", "d", "--protocol", "bm25/random:3", "--seeds", "3")
        report = json.loads(residue(folder, "report", "d", "--format", "json"))
        mean = self.server.json("/api/runs?dataset=d")
        self.assertEqual((mean["seeds"], mean["protocols"]), (3, report["protocol"]))
        self.assertIn("@42..44", mean["protocols"])
        self.assertEqual(self.server.json("/api/lenses?dataset=d")["last"]["seeds"], 3)

        def leaks(answer):
            return {run["run"]: run["metrics"]["leak_rate"]["value"] for run in answer["runs"]}

        self.assertEqual(leaks(mean), leaks(report))
        single = [self.server.json(f"/api/runs?dataset=d&protocol=bm25/random:3@{seed}/claims&seeds=1") for seed in (42, 43, 44)]
        self.assertEqual([one["seeds"] for one in single], [1, 1, 1])
        for run, value in leaks(mean).items():
            self.assertAlmostEqual(value, sum(leaks(one)[run] for one in single) / 3)
        compared = self.server.json("/api/compare?dataset=d&baseline=one&run=two")
        self.assertEqual((compared["seeds"], compared["protocols"]), (3, report["protocol"]))
        self.assertEqual(self.server.json("/api/compare?dataset=d&baseline=one&run=two&seeds=1")["seeds"], 1)
        residue(folder, "eval", "d", "--sample", "3")
        some = self.server.json("/api/runs?dataset=d")
        self.assertEqual((some["sample"], some["seeds"]), (3, 1))
        whole = self.server.json("/api/runs?dataset=d&protocol=bm25/random:3@42/claims&sample=0&seeds=1")
        self.assertEqual((whole["sample"], leaks(whole)), (0, leaks(single[0])))
        of = "dataset=d&protocol=bm25/random:3@42/claims&judge=lexical"
        for sample, records in ((0, RECORDS), (3, 3)):
            for path in ("records?metric=leak_rate&run=one", "slices?metric=leak_rate", "leaks?run=one", "record?record=r1&run=one", "compare?baseline=one&run=two"):
                answer = self.server.json(f"/api/{path}&{of}&sample={sample}")
                self.assertEqual((answer["protocol"], answer["sample"], answer["judge"]), ("bm25/random:3@42/claims", sample, "lexical"), path)
            self.assertEqual(self.server.json(f"/api/records?metric=leak_rate&run=one&{of}&sample={sample}")["total"], records)
        for path, status in (("runs?dataset=d&seeds=0", 400), ("runs?dataset=d&seeds=9", 404), ("runs?dataset=d&sample=5", 404)):
            self.assertEqual(self.server.ask(f"/api/{path}")[0], status, path)

    def test_a_metric_of_answers_is_of_one_model_which_is_named(self):
        path = pathlib.Path(self.folder.name, "answers.jsonl")
        path.write_text("".join(json.dumps({"model": model, "task": "choice", "record": f"r{i}", "run": run, "answer": "AB"[(i % part) == 0]}) + "\n"
                                for model, part in (("m1", 2), ("m2", 3)) for i in range(RECORDS) for run in ("one", "two", "none")))
        residue(self.folder.name, "ingest", "answers", "d", str(path))
        residue(self.folder.name, "eval", "d")
        report = {run["run"]: run for run in self.server.json("/api/runs?dataset=d")["runs"]}
        default = report["one"]["metrics"]["task_accuracy"]["model"]
        self.assertEqual((default, report["one"]["metrics"]["task_accuracy"]["others"]), ("m1", ["m2"]))
        self.assertEqual(self.server.json("/api/runs?dataset=d")["answerers"]["choice"], "m1")
        for chosen, model in (("", "m1"), ("&model=m2", "m2")):
            slices = self.server.json(f"/api/slices?dataset=d&metric=task_accuracy{chosen}")
            self.assertEqual((slices["model"], {row[slices["columns"].index("model")] for row in slices["rows"]}), (model, {model}))
            records = self.server.json(f"/api/records?dataset=d&run=one&metric=task_accuracy{chosen}")
            self.assertEqual((records["model"], records["total"]), (model, RECORDS))
        self.assertNotEqual(self.server.json("/api/runs?dataset=d&model=m2")["runs"][0]["metrics"]["task_accuracy"]["value"],
                            report["one"]["metrics"]["task_accuracy"]["value"])

    def test_runs_are_chosen_by_a_condition(self):
        residue(self.folder.name, "tag", "d/one", "nightly")
        whole = self.server.json("/api/runs?dataset=d")
        some = self.server.json("/api/runs?dataset=d&where=" + urllib.parse.quote("tag = nightly"))
        self.assertEqual([run["run"] for run in some["runs"] if not run["control"]], ["one"])
        self.assertEqual(some["runs"][0]["tags"], ["nightly"])
        self.assertIn("1 of 2", " ".join(some["notes"]))
        by = [run["run"] for run in self.server.json("/api/runs?dataset=d&sort=run&desc=1")["runs"]]
        self.assertEqual(sorted(by), sorted(run["run"] for run in whole["runs"]))
        self.assertLess(by.index("two"), by.index("one"))

    def test_the_statement_of_runs_gives_those_that_are_shown(self):
        where = urllib.parse.quote("run = one")
        for more, runs, metrics in (("", {"none", "one", "two", "remove-all"}, None), (f"&where={where}", {"none", "one", "remove-all"}, None),
                                    (f"&where={where}&columns=leak_rate,param.x,mean_risk", {"none", "one", "remove-all"}, {"leak_rate", "mean_risk"})):
            answer = self.server.json("/api/runs?dataset=d" + more)
            found = self.server.json("/api/sql", answer["sql"])
            rows = {(row["run"], row["metric"]): row for row in (dict(zip(found["columns"], row)) for row in found["rows"])}
            self.assertEqual(len(rows), len(found["rows"]))
            shown = {(run["run"], name): one for run in answer["runs"] for name, one in run["metrics"].items() if name in (metrics or answer["columns"])}
            self.assertEqual({run for run, _ in shown}, runs)
            self.assertEqual(set(rows), set(shown), answer["sql"])
            for at, one in shown.items():
                self.assertEqual({name: rows[at][name] for name in ("value", "low", "high", "n")}, {name: one[name] for name in ("value", "low", "high", "n")}, at)

    def test_no_number_of_a_statement_is_changed_on_its_way(self):
        statement = "SELECT 9007199254740992 AS a, 9007199254740993 AS b, -9223372036854775808 AS c, 9e999 AS d, -9e999 AS e, 0.0004 AS f, 1e-12 AS g"
        self.assertEqual(self.server.json("/api/sql", statement)["rows"],
                         [[9007199254740992, "9007199254740993", "-9223372036854775808", "inf", "-inf", 0.0004, 1e-12]])
        self.assertEqual(self.server.ask("/api/sql?format=csv", statement)[1].split("\r\n")[1],
                         "9007199254740992,9007199254740993,-9223372036854775808,inf,-inf,0.0004,1e-12")

    def test_ready_questions_are_about_what_the_page_is_open_at(self):
        for judge in ("lexical", "far"):
            answer = self.server.json(f"/api/questions?dataset=d&run=one&protocol=bm25/random:3&judge={judge}&sample=0")
            about = answer["about"]
            self.assertEqual((about["dataset"], about["run"], about["record"], about["judge"]), ("d", "one", "r0", judge))
            found = {}
            for one in answer["questions"]:
                with self.subTest(one["what"]):
                    for demo in ("clinic", "scrub", "n-01"):
                        self.assertNotIn(demo, one["sql"])
                    found[one["what"]] = self.server.json("/api/sql", one["sql"])["rows"]
            self.assertEqual({row[0] for row in found["Which sanitizers were run, and how many texts failed?"]},
                             {"one", "two", "none", "remove-all"})
            kinds = [row[0] for row in found["Which kinds of facts leak most from a run?"]]
            self.assertEqual(sorted(kinds), sorted(set(kinds)), "each once, not once for each judge")
            counts = dict(found["How many leaks has each run?"])
            leaks = self.server.json(f"/api/leaks?dataset=d&run=one&protocol=bm25/random:3&judge={judge}&sample=0")["total"]
            self.assertEqual(counts.get("one", 0), leaks)
            worst = found["Whose records leak most?"]
            self.assertLessEqual(sum(n for _, n in worst), leaks)
            self.assertIn(f"judge = '{judge}'", next(one["sql"] for one in answer["questions"] if one["what"] == "Whose records leak most?"))
        newest = self.server.json("/api/questions?dataset=d")["about"]
        self.assertEqual((newest["run"], newest["judge"]), ("two", "lexical"))
        self.assertIsNone(self.server.json("/api/questions")["about"])

    def test_a_changed_record_is_seen_at_once(self):
        before = self.server.json("/api/change")["change"]
        self.assertEqual(self.server.json("/api/change")["change"], before)
        path = pathlib.Path(self.folder.name, "edit.jsonl")
        path.write_text(json.dumps({"id": "r1", "text": "Somebody else entirely."}) + "\n")
        residue(self.folder.name, "ingest", "run", "d/one", str(path))
        self.assertNotEqual(self.server.json("/api/change")["change"], before)
        self.assertEqual(self.server.json("/api/record?dataset=d&record=r1&run=one")["released"], "Somebody else entirely.")
        self.assertEqual([self.server.ask(f"/api/compare?dataset=d&baseline=two&run=one{form}")[0] for form in ("", "&format=csv")], [400, 400])
        # A file says itself that what it holds is old.
        for table in ("records?metric=leak_rate&run={}", "leaks?run={}", "slices?metric=leak_by_category&run={}"):
            for run, stale in (("one", "yes"), ("two", "no")):
                text = self.server.ask(f"/api/{table.format(run)}&dataset=d&format=csv")[1]
                rows = list(csv.DictReader(io.StringIO(text)))
                self.assertEqual({row["stale"] for row in rows if row.get("run", run) == run}, {stale}, table)
        # What is computed on demand stays old when the run is evaluated again.
        residue(self.folder.name, "eval", "d", "--metrics", "topic_distance")
        slices = "/api/slices?metric=topic_distance&dataset=d&format=csv"
        stale_of = lambda: {row["run"]: row["stale"] for row in csv.DictReader(io.StringIO(self.server.ask(slices)[1]))}
        self.assertEqual(stale_of()["one"], "no")
        path.write_text(json.dumps({"id": "r1", "text": "Somebody else again."}) + "\n")
        residue(self.folder.name, "ingest", "run", "d/one", str(path))
        residue(self.folder.name, "eval", "d")
        self.assertEqual((stale_of()["one"], stale_of()["two"]), ("yes", "no"))

    def test_evaluations_go_on_while_it_is_asked(self):
        stop = time.monotonic() + 60
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            going = [True]

            def keep_asking():
                count = 0
                while going[0] and time.monotonic() < stop:
                    self.server.json("/api/record?dataset=d&record=r1&run=one")
                    count += 1
                return count

            asking = [pool.submit(keep_asking) for _ in range(3)]
            try:
                residue(self.folder.name, "eval", "d", "--protocol", "bm25/first:2,rouge-l/last:2")
                residue(self.folder.name, "rm", "d/two", "--yes")
            finally:
                going[0] = False
            self.assertGreater(sum(one.result() for one in asking), 0)
        residue(self.folder.name, "gc")  # the server has the store open while it answers, and not between

    def evaluations(self):
        return self.server.json("/api/change")["evaluations"]

    def heard(self, wanted, seconds=30.0):
        """The first word of an evaluation that is like that."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for one in self.evaluations():
                if wanted(one):
                    return one
            time.sleep(0.02)
        self.fail(f"never heard; now {self.evaluations()}")

    def test_an_evaluation_tells_how_far_it_is_and_a_killed_one_is_silent(self):
        self.assertEqual(self.evaluations(), [])
        with SlowModel() as model:
            residue(self.folder.name, "model", "add", "slow", "--url", model.url, "--model", "m", "--votes", "1", "--no-canaries")
            words = [PROGRAM, "--store", self.folder.name, "-q", "eval", "d/one", "--judge", "slow", "--protocol", "bm25/random:3"]
            evaluation = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                first = self.heard(lambda one: one["asking"] and one["asking"]["done"] > 0)
                self.assertEqual((first["dataset"], first["run"], first["protocol"], first["judge"], first["stage"]),
                                 ("d", "one", "bm25/random:3@42/claims", "slow", "judgments and scores"))
                self.assertGreater(first["asking"]["total"], first["asking"]["done"])
                self.assertTrue(0 <= first["done"] < 1, first)
                more = self.heard(lambda one: one["asking"] and one["asking"]["done"] > first["asking"]["done"] and one["asking"]["per_second"])
                self.assertEqual(more["asking"]["total"], first["asking"]["total"])
                self.assertGreater(more["asking"]["per_second"], 0)
                self.assertGreaterEqual(more["seconds"], first["seconds"])
                self.assertIn("one", [run["run"] for run in self.server.json("/api/status")["runs"] if run["running"]])
            finally:
                evaluation.kill()
                evaluation.wait(timeout=20)
            self.assertEqual(self.evaluations(), [])
            self.assertEqual([run["run"] for run in self.server.json("/api/status")["runs"] if run["running"]], [])
            left = list(pathlib.Path(self.folder.name, ".residue").glob("notice-*"))
            self.assertEqual(len(left), 1)
            self.assertEqual(stat.S_IMODE(left[0].stat().st_mode), 0o600)
            model.wait = 0.0
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL, timeout=120)
        self.assertEqual(self.evaluations(), [])
        self.assertEqual(list(pathlib.Path(self.folder.name, ".residue").glob("notice-*")), [])

    def test_runs_that_are_done_are_read_before_an_evaluation_has_ended(self):
        folder = self.folder.name
        self.assertTrue(self.server.json("/api/lenses?dataset=d")["ended"])
        for words in (("dataset", "new", "d.jsonl"), ("claims", "new", "c.jsonl"), ("run", "new/one", "one.jsonl"), ("run", "new/two", "two.jsonl")):
            residue(folder, "ingest", *words[:2], os.path.join(folder, words[2]))
        self.assertEqual(self.server.json("/api/lenses?dataset=new"), {"lenses": [], "last": None, "ended": False})
        with SlowModel() as model:
            residue(folder, "model", "add", "slow", "--url", model.url, "--model", "m", "--votes", "1", "--no-canaries")
            words = [PROGRAM, "--store", folder, "-q", "eval", "new", "--judge", "slow", "--protocol", "bm25/random:3"]
            model.wait = 0.05
            evaluation = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            until = time.monotonic() + 60
            while not self.server.json("/api/lenses?dataset=new")["lenses"] and time.monotonic() < until:
                time.sleep(0.02)
            evaluation.kill()
            evaluation.wait(timeout=20)
        told = self.server.json("/api/lenses?dataset=new")
        self.assertEqual((told["last"], told["ended"], len(told["lenses"])), (None, False, 1))
        one = urllib.parse.urlencode({name: told["lenses"][0][name] for name in ("protocol", "judge", "sample")})
        runs = {run["run"]: run for run in self.server.json("/api/runs?dataset=new&" + one)["runs"]}
        self.assertTrue(any("leak_rate" in run["metrics"] for run in runs.values()), runs)
        self.assertFalse(all(run["evaluated"] for run in runs.values()), runs)
        self.assertEqual(self.server.ask("/api/lenses?dataset=new&protocol=bm25/random:2")[0], 404)
        self.assertEqual(self.server.ask("/api/status?dataset=new")[0], 200)

    def test_failed_and_lacking_texts_are_counted_alike_everywhere(self):
        path = pathlib.Path(self.folder.name, "some.jsonl")
        path.write_text("".join(json.dumps({"id": f"r{i}", "text": f"goats {i}" if i else ""}) + "\n" for i in range(4)), encoding="utf-8")
        residue(self.folder.name, "ingest", "run", "d/some", str(path))
        for _ in range(2):  # before and after its evaluation
            rows = json.loads(residue(self.folder.name, "sql", "--format", "json", "SELECT run, variants, failed FROM runs WHERE dataset = 'd'"))
            view = {row["run"]: (row["variants"], row["failed"]) for row in rows}
            self.assertEqual(view["some"], (4, 1))
            for path in ("/api/runs?dataset=d", "/api/status?dataset=d"):
                runs = self.server.json(path)["runs"]
                self.assertEqual({run["run"]: (run["variants"], run["failed"]) for run in runs}, view, path)
                self.assertEqual({run["run"]: run["lacking"] for run in runs},
                                 {run["run"]: None if run["control"] else RECORDS - 4 if run["run"] == "some" else 0 for run in runs}, path)
            residue(self.folder.name, "eval", "d", "--protocol", "bm25/random:3")

    def test_texts_that_are_markup_or_turn_letters_come_as_they_are(self):
        hostile = "<script>alert(1)</script> \u202egnp.exe\u202c \u0007 \u2028 " + "a" * 1_000_000
        path = pathlib.Path(self.folder.name, "edit.jsonl")
        path.write_text(json.dumps({"id": "r2", "text": hostile}) + "\n")
        residue(self.folder.name, "ingest", "run", "d/one", str(path))
        self.assertEqual(self.server.json("/api/record?dataset=d&record=r2&run=one")["released"], hostile)

    def test_names_that_are_sql_are_names(self):
        for name in ("'", "x' OR '1'='1", "d'; DROP TABLE record; --", "%", "\\", '"', "*/", "a\nb"):
            quoted = urllib.parse.quote(name)
            for path in (f"/api/runs?dataset={quoted}", f"/api/record?dataset=d&record={quoted}", f"/api/leaks?dataset=d&run={quoted}",
                         f"/api/search?dataset=d&in=claims&q={quoted}", f"/api/record?dataset=d&record=r1&run={quoted}",
                         f"/api/leaks?dataset=d&run=one&category={quoted}", f"/api/records?dataset=d&run=one&metric=leak_rate&state={quoted}"):
                with self.subTest(path):
                    status, text = self.server.ask(path)
                    self.assertIn(status, (200, 400, 404), text)
                    self.assertNotIn("syntax error", text)
                    if status == 200:
                        self.assertEqual(json.loads(text)["total"], 0)

    def test_bad_questions_are_told_what_is_wrong(self):
        path = pathlib.Path(self.folder.name, "new.jsonl")
        path.write_text(json.dumps({"id": "r1", "text": "x"}) + "\n")
        residue(self.folder.name, "ingest", "run", "d/new", str(path))
        for path, status, words in (
            ("/api/runs", 400, "dataset is missing"), ("/api/runs?dataset=e", 404, "e"),
            ("/api/records?dataset=d&run=one&metric=leak_rat", 404, "metric"), ("/api/records?dataset=d&run=one", 400, "metric is missing"),
            ("/api/leaks?dataset=d&run=nobody", 404, "no run"), ("/api/leaks?dataset=d&run=new", 404, "not evaluated"),
            ("/api/records?dataset=d&run=new&metric=linkage_rate", 404, "not evaluated"),
            ("/api/compare?dataset=d&baseline=one&run=new", 404, "not evaluated"), ("/api/runs?dataset=d&where='", 400, ""),
            ("/api/runs?dataset=d&sample=3", 404, "sample"), ("/api/leaks?dataset=d&run=one&sample=3", 404, "sample"),
            ("/api/leaks?dataset=d&run=one&limit=100000000", 400, "limit"), ("/api/leaks?dataset=d&run=one&offset=-1", 400, "offset"),
            ("/api/runs?dataset=d&protocol=bm25/last:9", 404, ""), ("/api/runs?dataset=d&judge=nobody", 404, ""),
            ("/api/records?dataset=d&run=one&metric=leak_rate&outcom=right", 400, "outcome"), ("/api/metrics?dataset=d", 400, "behind"),
            ("/api/record?dataset=d&record=r1&run=one&judge=nobody", 404, ""), ("/api/record?dataset=d&record=r1&run=one&sample=5", 404, ""),
            ("/api/leaks?dataset=d&run=one&format=xml", 400, "csv or json"),
            ("/api/search?dataset=d&in=elsewhere&q=x", 400, "in is"), ("/api/nothing", 404, ""), ("/api/sql", 405, ""),
        ):
            with self.subTest(path):
                found, text = self.server.ask(path)
                self.assertEqual(found, status, text)
                self.assertIn(words, text)

    def test_a_store_of_an_older_format_is_refused_at_once_and_told_the_way(self):
        store = pathlib.Path(__file__).parents[1] / "storage/stores/format-2.tar.zst"
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(f"zstd -qdc '{store}' | tar xf -", shell=True, check=True, cwd=folder)
            serve, report = (subprocess.run([PROGRAM, "--store", folder, *words], capture_output=True, text=True, timeout=60)
                             for words in (["serve"], ["report", "clinic"]))
        self.assertIn("residue migrate", serve.stderr)
        self.assertEqual((serve.returncode, serve.stdout, serve.stderr), (2, "", report.stderr))

    def test_a_signal_ends_it_and_its_socket_goes(self):
        for name in ("SIGTERM", "SIGINT", "SIGHUP"):
            path = os.path.join(self.folder.name, "end")
            server = Server(self.folder.name, "--socket", path)
            self.assertTrue(os.path.exists(path))
            begun = time.monotonic()
            server.process.send_signal(getattr(signal, name))
            with self.subTest(name):
                self.assertEqual(server.process.wait(timeout=20), 0)
                self.assertLess(time.monotonic() - begun, 2)
                self.assertFalse(os.path.exists(path))
            for pipe in (server.process.stdout, server.process.stderr):
                pipe.close()

    def test_a_socket_that_cannot_be_is_told_why(self):
        def said(*words):
            done = subprocess.run([PROGRAM, "--store", self.folder.name, "serve", *words], capture_output=True, text=True, timeout=60)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            return done.stderr
        path = os.path.join(self.folder.name, "left")
        server = Server(self.folder.name, "--socket", path)
        self.assertIn("name a file that is not there yet", said("--socket", path))
        server.process.kill()
        server.process.wait(timeout=20)
        for pipe in (server.process.stdout, server.process.stderr):
            pipe.close()
        self.assertIn("remove it", said("--socket", path))
        self.assertIn("its folder is not there", said("--socket", os.path.join(self.folder.name, "no", "s")))
        self.assertIn("a socket has no port", said("--socket", path + "2", "--port", "8080"))
        # As of a variable that is not set: no port may be opened in its place.
        self.assertIn("--socket names no file", said("--socket", ""))
        self.assertIn("1 required FILE missing", said("--socket="))

    def test_ends_in_order_and_a_socket_is_its_owners_alone(self):
        path = os.path.join(self.folder.name, "s")
        server = Server(self.folder.name, "--socket", path)
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        asked = socket.socket(socket.AF_UNIX)
        asked.connect(path)
        asked.sendall(f"GET /api/store HTTP/1.1\r\nHost: localhost:8000\r\nConnection: close\r\nAuthorization: Bearer {server.token}\r\n\r\n".encode())
        answer = b""
        while chunk := asked.recv(65536):
            answer += chunk
        asked.close()
        self.assertIn(b'"level":"released"', answer)
        self.assertEqual(server.close(), 0)
        self.assertFalse(os.path.exists(path))

    def test_a_rating_and_an_attempt_are_kept_from_claims_on(self):
        of = "dataset=d&run=one&annotator=ann"
        released = Server(self.folder.name)
        for path, body in ((f"/api/label?{of}", None), (f"/api/intruder/next?{of}", "{}"), (f"/api/intruder/search?{of}&target=x&q=goats", None)):
            with self.subTest(path):
                status, text = released.ask(path, body)
                self.assertEqual(status, 400, text)
                self.assertNotIn(CLAIM, text)
        status, text = released.ask("/api/intruder/report?dataset=d&run=one", "{}")
        self.assertEqual((status, "--claims" in text), (400, True), text)
        self.assertEqual(released.close(), 0)
        asked = self.server.json(f"/api/label?{of}")
        self.assertIsNone(asked["judge"])
        said = json.dumps({"pair": asked["pair"], "rating": 2, "blind": True, "seconds": 1.5})
        self.assertEqual(self.server.json(f"/api/label?{of}", said), {"kept": "new"})
        self.assertEqual(self.server.json(f"/api/label?{of}", said), {"kept": "same"})
        self.assertNotEqual(self.server.json(f"/api/label?{of}")["pair"], asked["pair"])
        self.assertEqual(self.server.json("/api/agreement?dataset=d&run=one")["labels"], 1)
        for body in ("", "[]", "{}", '{"pair":"x","rating":1}', json.dumps({"pair": asked["pair"], "rating": 4}),
                     json.dumps({"pair": asked["pair"], "rating": "1"}), json.dumps({"pair": 7, "rating": 1})):
            with self.subTest(body):
                self.assertEqual(self.server.ask(f"/api/label?{of}", body or " ")[0], 400)
        target = self.server.json(f"/api/intruder/next?{of}", "{}")["target"]
        hits = self.server.json(f"/api/intruder/search?{of}&target={target}&q=goats")["hits"]
        self.assertTrue(hits)
        self.assertIn(RELEASED, self.server.json(f"/api/intruder/text?{of}&target={target}&code={hits[0]['code']}")["text"])
        self.assertEqual(self.server.ask(f"/api/intruder/text?{of}&target={target}&code=nothing")[0], 404)
        answer = json.dumps({"target": target, "choice": hits[0]["code"], "sure": 70, "seconds": 9, "searches": 1})
        self.assertEqual(self.server.json(f"/api/intruder/answer?{of}", answer), {"kept": "new"})
        report = "/api/intruder/report?dataset=d&run=one"
        held = self.server.json(report)
        self.assertEqual((held["attempts"], held["held_back"], held["blind"]), (1, True, 1))
        self.assertFalse({"right", "wrong", "none", "present", "absent", "difference", "confidence"} & set(held), "how it came out is held back")
        self.assertEqual([row["who"] for row in held["rows"]], ["machine, all targets"])
        self.assertIsNone(held["annotators"][0]["right"])
        whole = self.server.json(report, json.dumps({"reader": "ann"}))
        self.assertFalse(whole["held_back"])
        self.assertEqual(whole["right"] + whole["wrong"] + whole["none"] + whole["absent"], 1)
        self.assertIsNone(held["sql"], "the statement would show what is held back")
        self.assertEqual(len(self.server.json("/api/sql", whole["sql"])["rows"]), 1)
        others = self.server.json(report + "&annotator=bob", json.dumps({"reader": "ann"}))
        self.assertEqual((others["attempts"], self.server.json("/api/sql", others["sql"])["rows"]), (0, []))
        for path in (f"/api/intruder/next?{of}&sample=2", "/api/intruder/report?dataset=d&run=one&sample=2"):
            self.assertEqual(self.server.ask(path, "{}")[0], 404, "nothing was attacked in such a sample")
        # A page that asks again with each change of the store changes nothing.
        change = self.server.json("/api/change")
        self.server.json(report, json.dumps({"reader": "ann"}))
        self.assertEqual(self.server.json("/api/change"), change)
        self.assertTrue(self.server.json(report)["held_back"])
        self.assertIn(self.server.json(f"/api/intruder/outcome?{of}", json.dumps({"target": target}))["outcome"], ("right", "wrong"))
        second = self.server.json(f"/api/intruder/next?{of}", "{}")["target"]
        self.assertNotEqual(second, target)
        self.server.json(f"/api/intruder/answer?{of}", json.dumps({"target": second, "choice": None, "sure": 5}))
        self.assertEqual([self.server.json(report)[name] for name in ("blind", "after_look")], [1, 1])
        # What people said is not of the release, however it is asked for.
        said = "annotator, present, chosen, outcome, sure, seconds, searches, told, blind, answered_at"
        released, claims = Server(self.folder.name), Server(self.folder.name, "--claims")
        try:
            rows = claims.json("/api/sql", f"SELECT {said} FROM intruder")["rows"]
            self.assertEqual([row[0] for row in rows], ["ann", "ann"])
            self.assertEqual(claims.json("/api/sql", "SELECT DISTINCT annotator FROM labels")["rows"], [["ann"]])
            self.assertEqual(released.json("/api/sql", f"SELECT {said} FROM intruder")["rows"], [[None] * 10] * 2)
            self.assertEqual(released.json("/api/sql", "SELECT DISTINCT annotator FROM labels")["rows"], [[None]])
            for path in (report, "/api/agreement?dataset=d&run=one"):
                for server, name in ((claims, "ann"), (released, "annotator 1")):
                    self.assertEqual([one["name"] for one in server.json(path)["annotators"]], [name])
            self.assertEqual(released.ask(f"{report}&annotator=ann")[0], 400)
            agreement = "/api/agreement?dataset=d&run=one"
            self.assertEqual(claims.json("/api/sql", claims.json(agreement)["sql"])["rows"][0][2], "ann")
            self.assertIsNone(released.json(agreement)["sql"])
            for sql in ("SELECT * FROM intruder", "SELECT * FROM labels", "SELECT * FROM intruder WHERE annotator = 'ann'", "SELECT * FROM intruder_attempt",
                        "SELECT count(*) FROM intruder WHERE outcome IN ('right', 'wrong', 'none')", "SELECT * FROM intruder_look"):
                with self.subTest(sql):
                    told = [cell for row in released.json("/api/sql", sql)["rows"] for cell in row]
                    self.assertFalse({"ann", "right", "wrong", "none"} & set(told), told)
            self.assertEqual(released.json("/api/sql", "SELECT count(*) FROM intruder WHERE outcome IS NOT NULL")["rows"], [[0]])
        finally:
            released.close()
            claims.close()

    def test_nothing_in_the_store_changes(self):
        store = pathlib.Path(self.folder.name, ".residue")

        def tables() -> str:
            return residue(self.folder.name, "export", "metrics", "--format", "jsonl") + residue(self.folder.name, "status", "--format", "json")

        before, commits = tables(), (store / "commits").read_bytes()
        for path in PATHS[:40]:
            self.server.ask(path)
        self.assertEqual((store / "commits").read_bytes(), commits)
        self.assertEqual(tables(), before)


if __name__ == "__main__":
    unittest.main()
