"""SQL as data frames, dicts and a stream of Arrow, within the limits of `residue sql`."""

from __future__ import annotations

import ctypes
import os
import pathlib
import sys
import threading
import time
import unittest
from unittest import mock


import residue
from support import ENOUGH, StoreTest, after_sigint

MIXED = "SELECT 1 AS a, 2.5 AS b, 'x' AS c, NULL AS d, x'00ff' AS e UNION ALL SELECT 2, 3, 'ä', NULL, x'01' ORDER BY 1"
LARGE = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {}) SELECT i, 'name ' || (i % 7) AS t FROM n"
ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) AS m FROM n"


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


P = ctypes.POINTER
Schema._fields_ = [
    ("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64), ("children", P(P(Schema))),
    ("dictionary", P(Schema)), ("release", ctypes.CFUNCTYPE(None, P(Schema))), ("private", ctypes.c_void_p),
]  # fmt: skip
Array._fields_ = [
    ("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64), ("buffers", P(ctypes.c_void_p)),
    ("children", P(P(Array))), ("dictionary", P(Array)), ("release", ctypes.CFUNCTYPE(None, P(Array))),
    ("private", ctypes.c_void_p),
]  # fmt: skip
Stream._fields_ = [
    ("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, P(Stream), P(Schema))),
    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, P(Stream), P(Array))),
    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, P(Stream))),
    ("release", ctypes.CFUNCTYPE(None, P(Stream))), ("private", ctypes.c_void_p),
]  # fmt: skip


def values_of(kind: bytes, array: Array):
    """The values of one column, as the C data interface says that they lie there."""
    if kind == b"n":
        return [None] * array.length
    valid = ctypes.cast(array.buffers[0], P(ctypes.c_uint8))
    found = []
    for i in range(array.length):
        if not valid[i // 8] >> (i % 8) & 1:
            found.append(None)
        elif kind in (b"l", b"g"):
            number = ctypes.c_int64 if kind == b"l" else ctypes.c_double
            found.append(ctypes.cast(array.buffers[1], P(number))[i])
        else:
            ends = ctypes.cast(array.buffers[1], P(ctypes.c_int32))
            raw = ctypes.string_at(array.buffers[2] + ends[i], ends[i + 1] - ends[i])
            found.append(raw.decode() if kind == b"u" else raw)
    assert array.null_count == found.count(None)
    return found


def consume(table):
    """All columns of a stream by name, how many batches there were; everything is released."""
    capsule = table.__arrow_c_stream__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    stream = ctypes.cast(pointer(capsule, b"arrow_array_stream"), P(Stream))
    schema = Schema()
    assert stream.contents.get_schema(stream, ctypes.byref(schema)) == 0 and schema.format == b"+s"
    heads = [(schema.children[i].contents.name.decode(), schema.children[i].contents.format) for i in range(schema.n_children)]
    columns = {name: [] for name, _ in heads}
    batches = 0
    while True:
        batch = Array()
        assert stream.contents.get_next(stream, ctypes.byref(batch)) == 0
        if not batch.release:
            break
        batches += 1
        for i, (name, kind) in enumerate(heads):
            columns[name] += values_of(kind, batch.children[i].contents)
        batch.release(ctypes.byref(batch))
        assert not batch.release
    schema.release(ctypes.byref(schema))
    return columns, batches


class Sql(StoreTest):
    def test_becomes_a_data_frame_with_the_types_of_its_values(self):
        frame = self.store.sql(MIXED)
        self.assertEqual(frame.a.tolist(), [1, 2])
        self.assertEqual(str(frame.a.dtype), "int64")
        self.assertEqual(frame.b.tolist(), [2.5, 3.0])
        self.assertEqual(str(frame.b.dtype), "float64")
        self.assertEqual(frame.c.tolist(), ["x", "ä"])
        self.assertEqual(frame.d.tolist(), [None, None])
        self.assertEqual(frame.e.tolist(), [b"\x00\xff", b"\x01"])

    def test_keeps_large_whole_numbers_beside_null(self):
        frame = self.store.sql(f"SELECT {2**62 + 1} AS n UNION ALL SELECT NULL")
        self.assertEqual(str(frame.n.dtype), "Int64")
        self.assertEqual(sorted(frame.n.dropna().tolist()), [2**62 + 1])
        self.assertEqual(frame.n.isna().sum(), 1)

    def test_becomes_dicts(self):
        self.assertEqual(
            self.store.sql(MIXED, to="dicts")[1], {"a": 2, "b": 3, "c": "ä", "d": None, "e": b"\x01"}
        )
        mixed = self.store.sql("SELECT 1 AS a UNION ALL SELECT 'x' UNION ALL SELECT 2.5", to="dicts")
        self.assertEqual([row["a"] for row in mixed], [1, "x", 2.5])

    def test_of_no_rows_has_columns(self):
        frame = self.store.sql("SELECT record FROM records")
        self.assertEqual((list(frame.columns), len(frame)), (["record"], 0))
        self.assertEqual(self.store.sql("SELECT record FROM records", to="dicts"), [])
        self.assertEqual(consume(self.store.sql("SELECT record FROM records", to="arrow")), ({"record": []}, 0))

    def test_is_a_stream_of_arrow(self):
        table = self.store.sql(MIXED, to="arrow")
        columns, _ = consume(table)
        self.assertEqual(
            columns, {"a": [1, 2], "b": [2.5, 3.0], "c": ["x", "ä"], "d": [None, None], "e": [b"\x00\xff", b"\x01"]}
        )
        self.assertEqual(consume(table)[0], columns)  # it can be read again
        table.__arrow_c_stream__()  # a stream that nobody reads is released all the same

    def test_is_a_stream_of_several_batches(self):
        columns, batches = consume(self.store.sql(LARGE.format(150_000), to="arrow"))
        self.assertEqual(batches, 3)
        self.assertEqual(columns["i"], list(range(1, 150_001)))
        self.assertEqual(columns["t"][-1], "name 4")
        texts = consume(self.store.sql("SELECT 1 AS a UNION ALL SELECT 'x' UNION ALL SELECT NULL", to="arrow"))
        self.assertEqual(sorted(texts[0]["a"], key=str), ["1", None, "x"])

    def test_vader_has_the_lexicon_that_is_named(self):
        lexicon = pathlib.Path(self.folder, "lexicon.txt")
        lexicon.write_text("fine\t2.0\t0.5\t[2]\n", encoding="utf-8")
        asked = "SELECT vader('very fine') AS v"
        (row,) = self.store.sql(asked, to="dicts", lexicon=lexicon)
        self.assertAlmostEqual(row["v"], 0.5095, places=2)
        with mock.patch.dict(os.environ, {"RESIDUE_VADER_LEXICON": str(lexicon)}):
            self.assertEqual(self.store.sql(asked, to="dicts"), [row])
        error = self.refused(lambda: self.store.sql(asked), "no sentiment lexicon is named", "lexicon=")
        self.assertNotIn("--", str(error))
        self.refused(lambda: self.store.sql(asked, lexicon="/nowhere"), "nowhere")

    def test_says_what_is_wrong_and_the_nearest_name(self):
        self.refused(lambda: self.store.sql("SELECT * FROM recrds"), "recrds", "records")
        self.refused(lambda: self.store.sql("SELECT 1 AS a, 2 AS a"), "column 2", "AS")
        self.refused(lambda: self.store.sql("SELECT 1; SELECT 2"), "one statement")
        self.refused(lambda: self.store.sql("SELECT '\0'"), "NUL")
        self.refused(lambda: self.store.sql("SELECT 1", to="json"), "pandas")
        self.refused(lambda: self.store.sql("SELECT 1", level="all"), "released")

    def test_says_that_pandas_is_missing(self):
        with mock.patch.dict(sys.modules, {"pandas": None}):
            self.refused(lambda: self.store.sql("SELECT 1 AS a"), "pandas is not installed", "to='dicts'")
            self.assertEqual(self.store.sql("SELECT 1 AS a", to="dicts"), [{"a": 1}])

    def test_leaves_no_row_out_silently(self):
        self.refused(lambda: self.store.sql(LARGE.format(11), limit=10), "more than 10 rows", "limit=")
        self.assertEqual(len(self.store.sql(LARGE.format(10), limit=10)), 10)

    def test_writes_nothing_and_opens_nothing(self):
        for statement in (
            "DELETE FROM record",
            "INSERT INTO dataset(name) VALUES ('x')",
            "CREATE TABLE t(a)",
            "DROP VIEW records",
            "ATTACH '/tmp/x.db' AS x",
            "PRAGMA query_only=OFF",
            "PRAGMA writable_schema=ON",
            "VACUUM INTO '/tmp/x.db'",
            "SELECT load_extension('x')",
            "SELECT readfile('/etc/passwd')",
            "BEGIN IMMEDIATE",
            "SELECT * FROM dbstat",
            "SELECT writefile('/tmp/x', 'y')",
        ):
            with self.subTest(statement):
                self.refused(lambda: self.store.sql(statement))

    def test_reads_no_text_at_the_default_level(self):
        self.store.ingest_dataset("d", [{"id": "a", "text": "a secret"}])
        for query in ("SELECT text(record_text) AS t FROM records", "SELECT text(1) AS t", "SELECT text(2) AS t"):
            for level in ("released", "claims"):
                error = self.refused(lambda: self.store.sql(query, level=level), "level='originals'")
                self.assertNotIn("--", str(error))
        self.assertEqual(self.names("SELECT record FROM records"), ["a"])
        read = self.store.sql("SELECT text(record_text) AS t FROM records", to="dicts", level="originals")
        self.assertEqual(read, [{"t": "a secret"}])

    def test_ends_at_its_time_limit(self):
        began = time.monotonic()
        self.refused(lambda: self.store.sql(ENDLESS, timeout=0.5), "time limit", "timeout=")
        self.assertLess(time.monotonic() - began, 5)

    def test_ends_at_its_memory_limit(self):
        large = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT DISTINCT i || hex(zeroblob(99999)) AS t FROM n"
        self.refused(lambda: self.store.sql(f"SELECT count(*) AS n FROM ({large})", timeout=30), "memory limit")

    def test_ends_within_a_second_of_ctrl_c(self):
        caught, seconds = after_sigint(lambda: self.store.sql(ENDLESS, timeout=60), 0.5)
        self.assertIsInstance(caught, KeyboardInterrupt)
        self.assertLess(seconds, ENOUGH)
        self.assertEqual(self.names("SELECT 1 AS one"), [1])

    def test_lets_other_threads_of_python_run(self):
        ticks = 0
        over = threading.Event()

        def count():
            nonlocal ticks
            while not over.wait(0.01):
                ticks += 1

        thread = threading.Thread(target=count)
        thread.start()
        self.refused(lambda: self.store.sql(ENDLESS, timeout=1), "time limit")
        over.set()
        thread.join()
        self.assertGreater(ticks, 10)

    def test_runs_in_several_threads_at_once(self):
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(len(self.store.sql(LARGE.format(1000))))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, [1000] * 4)


if __name__ == "__main__":
    unittest.main()
