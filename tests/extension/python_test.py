"""The extension in Python's sqlite3: what it shows, what it pushes down, what it refuses."""
import fcntl
import json
import os
import shutil
import sqlite3
import struct
import subprocess
import threading
import time
import unittest

import support

SET_LOCK = 37  # F_OFD_SETLK
WHOLE_FILE = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
VIEWS = ("answers claims datasets intruder judgments labels leaks links metrics persons records run_claims runs scores spans variants "
         "vectors").split()


def one(connection, sql, *values):
    return connection.execute(sql, values).fetchone()[0]


class Shows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = support.make_store()

    def setUp(self):
        self.connection = support.opened(self.folder)
        self.addCleanup(self.connection.close)

    def test_every_view_has_the_rows_that_the_program_shows(self):
        made = "SELECT name FROM sqlite_temp_schema WHERE type = 'table' ORDER BY name"
        self.assertEqual([name for name, in self.connection.execute(made)], VIEWS)
        for view in VIEWS:
            with self.subTest(view):
                ours = one(self.connection, f"SELECT count(*) FROM {view}")
                self.assertEqual(str(ours), support.answer_of(self.folder, f"SELECT count(*) FROM {view}")[0])
        self.assertGreater(one(self.connection, "SELECT count(*) FROM scores"), 1000)

    def test_rows_are_those_of_the_program_value_by_value(self):
        for sql in (
            "SELECT dataset, run, variants, failed, removes_everything FROM runs ORDER BY run",
            "SELECT run, record, n, rating, outcome FROM leaks ORDER BY run, record, n",
            "SELECT run, metric, slice, printf('%.12g', value), n FROM metrics ORDER BY run, metric, slice, protocol, judge",
        ):
            rows = [",".join("" if v is None else str(v) for v in row) for row in self.connection.execute(sql)]
            self.assertEqual(rows, [line.replace('"', "") for line in support.answer_of(self.folder, sql)])

    def test_filters_go_to_the_store(self):
        plan = self.connection.execute(
            "EXPLAIN QUERY PLAN SELECT n FROM leaks WHERE run = 'tags' AND record > 'n-1' AND rating IS NOT NULL").fetchall()
        self.assertIn("run = ? AND record > ? AND rating IS NOT NULL", plan[0][3])

    def test_filters_leave_out_no_row_that_the_host_would_keep(self):
        folder = support.copy_store(self.folder)
        with open(os.path.join(folder, "numbers.jsonl"), "w", encoding="ascii") as file:
            file.writelines('{"id": "%s", "text": "Text %d."}\n' % (key, n) for n, key in enumerate(("03", "3", "4", "3.0")))
        support.residue(folder, "ingest", "dataset", "numbers", "numbers.jsonl")
        self.connection.close()
        self.connection = support.opened(folder)
        self.addCleanup(self.connection.close)
        plain = sqlite3.connect(":memory:", isolation_level=None)
        self.addCleanup(plain.close)
        for view in ("judgments", "links", "claims", "records", "runs"):
            columns = self.connection.execute(f"SELECT name, type FROM pragma_table_info('{view}')").fetchall()
            declared = ", ".join(f'"{name}" {type}' for name, type in columns)
            plain.execute(f"CREATE TABLE {view} ({declared})")
            rows = self.connection.execute(f"SELECT * FROM {view}").fetchall()
            plain.executemany(f"INSERT INTO {view} VALUES ({','.join('?' * len(columns))})", rows)
        for connection in (plain, self.connection):
            connection.execute("CREATE TEMP TABLE t (x)")
            connection.executemany("INSERT INTO t VALUES (?)", [("3",), (3,), (3.0,), ("tags",), (None,), (b"tags",), ("03",)])
            connection.execute("CREATE TEMP TABLE i (x INTEGER, s TEXT)")
            connection.execute("INSERT INTO i VALUES (3, '3'), (1, 'tags'), ('03', '03'), (NULL, '0')")
        for where in (
            "run = 'tags'", "run = 'TAGS' COLLATE NOCASE", "run IN ('tags', 'none')", "run IS NULL", "run IS NOT NULL",
            "run LIKE 'T%'", "run GLOB 't*'", "run > 'none'", "run BETWEEN 'a' AND 'o'", "n = 3", "n = '3'", "n = 3.0",
            "n > 2.5", "n < 'x'", "n = '03'", "n = x'33'", "n IN (1, '2', 3.0)", "rating = 3 AND n < 3", "known = 1",
            "known = '1'", "known = 0 OR run = 'tags'", "run = 'tags' OR n = 2", "run = 'tags' OR record = 'n-01' OR n = 1",
            "outcome = 'right'", "outcome IS 'wrong'", "rating <> 3", "n IS 3", "NOT run = 'tags'", "run = 'tags' AND run = 'none'",
            "n = (SELECT x FROM i LIMIT 1)", "record IN (SELECT record FROM claims WHERE n = 9)", "n IN (SELECT x FROM t)",
            "run IN (SELECT x FROM t)", "n IN (SELECT s FROM i)", "category IS NULL", "n = 1e300", "n = -1", "run = ''",
        ):
            with self.subTest(where):
                sql = f"SELECT run, record, n, rating FROM judgments WHERE {where} ORDER BY 1, 2, 3"
                self.assertEqual(self.connection.execute(sql).fetchall(), plain.execute(sql).fetchall())
        for join in ("t ON t.x = j.n", "t ON t.x = j.run", "i ON i.x = j.n", "i ON i.s = j.n", "i ON i.x = j.run", "i ON i.s = j.run",
                     "links l USING (run, record)", "claims c ON c.record = j.record AND c.n = j.n"):
            with self.subTest(join):
                sql = f"SELECT count(*), sum(j.n) FROM judgments j JOIN {join}"
                self.assertEqual(self.connection.execute(sql).fetchall(), plain.execute(sql).fetchall())
        # A text beside a number is compared as a number, and what has no type as what stands beside it.
        for table, join in (("records", "i ON i.x = record"), ("records", "i ON i.s = record"), ("records", "t ON t.x = record"),
                            ("runs", "i ON i.s = failed"), ("runs", "i ON i.x = failed"), ("runs", "t ON t.x = run")):
            with self.subTest(join):
                sql = f"SELECT * FROM {table} CROSS JOIN {join}"
                swapped = sql.replace(f"FROM {table} CROSS JOIN {join[0]} ON", f"FROM {join[0]} CROSS JOIN {table} ON")
                self.assertNotEqual(sql, swapped)
                for one_of_both in (sql, swapped):
                    ours, theirs = (sorted(map(repr, c.execute(one_of_both))) for c in (self.connection, plain))
                    self.assertEqual(ours, theirs)

    def test_texts_are_served_by_their_level(self):
        released = one(self.connection, "SELECT variant_text FROM variants WHERE run = 'tags' AND record = 'n-01'")
        claim = one(self.connection, "SELECT claim_text FROM claims WHERE record = 'n-01' AND n = 1")
        original = one(self.connection, "SELECT record_text FROM records WHERE record = 'n-01'")
        served = {"released": {released}, "claims": {released, claim}, "originals": {released, claim, original}}
        for level, texts in served.items():
            connection = support.opened(self.folder, level)
            for text in (released, claim, original, 10**9):
                if text in texts:
                    self.assertGreater(len(one(connection, "SELECT text(?)", text)), 10)
                elif level != "originals":  # nothing tells a text that is refused from one that is not there
                    with self.assertRaises(sqlite3.OperationalError) as refused:
                        connection.execute("SELECT text(?)", (text,)).fetchone()
                    self.assertTrue(str(refused.exception).startswith("residue: no text of this number can be read"))
            connection.close()
        self.assertIsNone(one(self.connection, "SELECT text(NULL)"))
        self.assertEqual(one(self.connection, "SELECT text(0)"), "")

    def test_words_are_read_by_their_level(self):
        folder = support.copy_store(self.folder)
        with open(os.path.join(folder, "failed.jsonl"), "w", encoding="ascii") as file:
            file.write('{"id": "n-01", "error": "cannot mask Ingrid"}\n')
        support.residue(folder, "ingest", "run", "clinic/broken", "failed.jsonl")
        said = {}
        for level in ("released", "claims", "originals"):
            connection = support.opened(folder, level)
            said[level] = one(connection, "SELECT error FROM variants WHERE run = 'broken' AND record = 'n-01'")
            kept = connection.execute("SELECT count(*) FROM variants WHERE error LIKE '%Ingrid%'").fetchone()[0]
            self.assertEqual(kept, int(level == "originals"))
            connection.close()
        self.assertEqual(said, {"released": "failed", "claims": "failed", "originals": "cannot mask Ingrid"})

    def test_a_statement_sees_one_state_and_the_next_one_the_new_state(self):
        folder = support.copy_store(self.folder)
        connection = support.opened(folder)
        before = one(connection, "SELECT count(*) FROM variants")
        reading = connection.execute("SELECT record FROM records ORDER BY record")
        reading.fetchone()
        support.residue(folder, "sanitize", "clinic", "--with", "scrub", "--run", "same")
        self.assertEqual(one(connection, "SELECT count(*) FROM variants"), before)
        reading.close()
        self.assertGreater(one(connection, "SELECT count(*) FROM variants"), before)
        self.assertEqual(one(connection, "SELECT failed FROM runs WHERE run = 'same'"), 0)
        connection.close()

    def test_nothing_is_written(self):
        folder = support.copy_store(self.folder)

        def files():
            found = {}
            for root, _, names in os.walk(os.path.join(folder, ".residue")):
                for name in names:
                    path = os.path.join(root, name)
                    if not name.endswith((".lock", "-shm", "lock.mdb")):
                        with open(path, "rb") as file:
                            found[path] = file.read()
            return found

        support.opened(folder).close()  # makes an empty log where there was none
        before = files()
        connection = support.opened(folder)
        for view in VIEWS:
            connection.execute(f"SELECT * FROM {view}").fetchall()
            with self.assertRaises(sqlite3.OperationalError):
                connection.execute(f"DELETE FROM {view}")
        connection.close()
        self.assertEqual(files(), before)

    def test_while_it_is_open_no_text_is_removed(self):
        folder = support.copy_store(self.folder)
        connection = support.opened(folder, "originals")
        reading = connection.execute("SELECT text(variant_text) FROM variants WHERE run = 'tags'")
        rows = [reading.fetchone()]
        support.residue(folder, "rm", "clinic/tags", "--yes")
        collecting = subprocess.Popen([support.PROGRAM, "-q", "gc"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(1)
            self.assertIsNone(collecting.poll())
            rows += reading.fetchall()
            self.assertEqual(len(rows), 71)
            connection.execute("SELECT residue_close()").fetchone()
        finally:
            connection.close()
            self.assertEqual(collecting.wait(60), 0)

    def test_an_interrupted_host_stops_the_store(self):
        timer = threading.Timer(0.5, self.connection.interrupt)
        timer.start()
        began = time.monotonic()
        with self.assertRaisesRegex(sqlite3.OperationalError, "interrupt"):
            # Of the first table every row is looked at and none comes back: the host has no step of its own to stop at.
            self.connection.execute(
                "SELECT count(*) FROM scores a, scores b, scores c WHERE a.metric <> b.metric AND b.metric <> c.metric").fetchone()
        self.assertLess(time.monotonic() - began, 20)

    def test_a_forked_process_is_told_so_and_does_the_parent_no_harm(self):
        reading = self.connection.execute("SELECT text(variant_text) FROM variants WHERE run = 'tags'")
        rows = [reading.fetchone()]
        child = os.fork()
        if child == 0:
            code = 1
            try:
                self.connection.execute("SELECT count(*) FROM runs").fetchone()
            except sqlite3.OperationalError as error:
                code = 0 if "forked" in str(error) else 2
            reading.close()
            self.connection.close()
            os._exit(code)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        # By another process: to open and close the file here would drop the engine's lock.
        readers = subprocess.run(["cat", os.path.join(self.folder, ".residue/facts/lock.mdb")], capture_output=True, check=True)
        self.assertIn(struct.pack("=i", os.getpid()), readers.stdout, "the child took the reader of its parent away")
        self.assertEqual(len(rows + reading.fetchall()), 71)
        self.assertEqual(one(self.connection, "SELECT count(*) FROM runs"), 3)
        with open(os.path.join(self.folder, ".residue/store.lock"), "r+b") as file:  # the parent still holds it
            with self.assertRaises(OSError):
                fcntl.fcntl(file, SET_LOCK, WHOLE_FILE)


class Refuses(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = support.make_store()

    def setUp(self):
        self.connection = support.loaded()
        self.addCleanup(self.connection.close)

    def refused(self, sql, *values):
        with self.assertRaises(sqlite3.OperationalError) as error:
            self.connection.execute(sql, values).fetchone()
        line = str(error.exception)
        self.assertNotIn("\n", line)
        return line

    def test_a_place_without_a_store(self):
        self.assertEqual(self.refused("SELECT residue_open('/nowhere')"),
                         "residue: no store in /nowhere; name the directory that holds .residue")
        for value in (None, 7, b"x", "", "a\0b"):
            self.assertIn("the path of a store is a text", self.refused("SELECT residue_open(?)", value))
        self.assertIn("three levels", self.refused("SELECT residue_open(?, 'all')", self.folder))

    def test_functions_of_texts(self):
        self.connection.execute("SELECT residue_open(?)", (self.folder,)).fetchone()
        for call in ("rouge_l('the cat sat', 'the cat')", "rouge_n('a b c', 'a b d', 2)", "bleu('a b c d', 'a b c d')",
                     "jaro_winkler('Martha', 'Marhta')", "diff('a b', 'a c')", "snippet('say bees today', 'bees')",
                     "as_read('J&#111;hn')"):
            with self.subTest(call):
                asked = support.residue(self.folder, "sql", "--json", f"SELECT {call} AS x")
                self.assertEqual(one(self.connection, f"SELECT {call}"), json.loads(asked)[0]["x"])
        # Of texts that the level serves, and of no others.
        self.assertGreater(one(self.connection, "SELECT rouge_l(text(variant_text), text(variant_text)) FROM variants "
                                                "WHERE run = 'tags' LIMIT 1"), 0.99)
        self.assertIn("no text of this number", self.refused("SELECT diff(text(record_text), '') FROM records WHERE record_text "
                                                             "NOT IN (SELECT variant_text FROM variants WHERE run = 'tags')"))
        self.assertIn("write rouge_l(REFERENCE, HYPOTHESIS)", self.refused("SELECT rouge_l('a')"))
        self.assertIn("too long", self.refused("SELECT diff(x, x) FROM (SELECT hex(zeroblob(2000000)) AS x)"))
        self.assertIn("RESIDUE_VADER_LEXICON", self.refused("SELECT vader('fine')"))

    def test_no_message_drives_a_terminal(self):
        self.assertEqual(self.refused("SELECT residue_open(?)", "/no\x1b[31mwhere\x07\u202e"),
                         r"residue: no store in /no\x1b[31mwhere\x07\u{202e}; name the directory that holds .residue")
        folder = os.path.join(support.new_folder(), "a\x1b[2Jb")
        shutil.copytree(self.folder, folder)
        self.assertIn(r"a\x1b[2Jb", one(self.connection, "SELECT residue_open(?)", folder))
        self.assertIn(r"a\x1b[2Jb", self.refused("SELECT residue_open(?)", self.folder))

    def test_no_message_has_a_flag_of_the_program(self):
        self.connection.execute("SELECT residue_open(?)", (self.folder,)).fetchone()
        line = self.refused("SELECT text(987654321)")
        self.assertNotIn("--", line)
        self.assertIn("residue_open('PATH', 'originals')", line)

    def test_a_store_of_another_version(self):
        folder = support.copy_store(self.folder)
        with open(os.path.join(folder, ".residue/format"), encoding="ascii") as file:
            known = file.read()
        for there, words in ((99, "a newer residue"), (2, "an older residue")):
            with open(os.path.join(folder, ".residue/format"), "w", encoding="ascii") as file:
                file.write(known.replace("residue store 8", f"residue store {there}", 1))
            self.assertRegex(self.refused("SELECT residue_open(?)", folder), f"residue: .*({words}|format)")
        self.assertIn("no store is open", self.refused("SELECT text(1)"))

    def test_a_second_store(self):
        self.connection.execute("SELECT residue_open(?)", (self.folder,)).fetchone()
        other = support.copy_store(self.folder)
        for place in (self.folder, other):
            self.assertIn("SELECT residue_close() closes it", self.refused("SELECT residue_open(?)", place))
        self.assertIn("open for released",
                      self.refused(f"CREATE VIRTUAL TABLE temp.x USING residue('{self.folder}', 'runs', 'originals')"))
        self.connection.execute("SELECT residue_close()").fetchone()
        self.assertIn("no store is open", self.refused("SELECT residue_close()"))
        self.assertIn(other, one(self.connection, "SELECT residue_open(?)", other))

    def test_a_store_that_is_maintained(self):
        with open(os.path.join(self.folder, ".residue/store.lock"), "r+b") as file:
            fcntl.fcntl(file, SET_LOCK, WHOLE_FILE)
            self.assertIn("being maintained by another process", self.refused("SELECT residue_open(?)", self.folder))

    def test_what_lost_commits(self):
        folder = support.copy_store(self.folder)
        old = os.path.join(support.new_folder(), "catalog.db")
        support.residue(folder, "gc")
        shutil.copy(os.path.join(folder, ".residue/catalog.db"), old)
        support.residue(folder, "sanitize", "clinic", "--with", "scrub", "--run", "same")
        support.residue(folder, "gc")
        for name in ("catalog.db-wal", "catalog.db-shm"):
            if os.path.exists(os.path.join(folder, ".residue", name)):
                os.remove(os.path.join(folder, ".residue", name))
        shutil.copy(old, os.path.join(folder, ".residue/catalog.db"))
        self.assertIn("lost", self.refused("SELECT residue_open(?)", folder))

    def test_a_place_in_a_file_a_wrong_view_and_names_that_are_taken(self):
        self.assertIn("never kept in a file", self.refused(f"CREATE VIRTUAL TABLE runs USING residue('{self.folder}', 'runs')"))
        self.assertIn("did you mean leaks?", self.refused(f"CREATE VIRTUAL TABLE temp.x USING residue('{self.folder}', 'leeks')"))
        self.assertIn("no store is open", self.refused("SELECT residue_close()"))
        self.assertIn("write CREATE VIRTUAL TABLE", self.refused("CREATE VIRTUAL TABLE temp.x USING residue('/nowhere')"))
        self.connection.execute("CREATE TEMP TABLE runs (x)")
        self.assertIn("already exists", self.refused("SELECT residue_open(?)", self.folder))
        self.assertEqual(one(self.connection, "SELECT count(*) FROM sqlite_temp_schema"), 1)

    def test_views_and_triggers_of_a_file_reach_no_store(self):
        self.connection.execute("SELECT residue_open(?)", (self.folder,)).fetchone()
        self.connection.execute("CREATE VIEW v AS SELECT * FROM records")
        self.connection.execute("CREATE VIEW w AS SELECT text(1)")
        self.connection.execute("PRAGMA writable_schema=ON")
        self.connection.execute("INSERT INTO sqlite_schema VALUES ('table', 'u', 'u', 0, ?)",
                                (f"CREATE VIRTUAL TABLE u USING residue('{self.folder}', 'records')",))
        self.connection.execute("PRAGMA writable_schema=RESET")
        self.assertIn("no such table: main.records", self.refused("SELECT * FROM v"))
        self.assertIn("unsafe", self.refused("SELECT * FROM w"))
        self.assertIn("never kept in a file", self.refused("SELECT * FROM u"))

    def test_a_close_while_a_statement_reads(self):
        self.connection.execute("SELECT residue_open(?)", (self.folder,)).fetchone()
        reading = self.connection.execute("SELECT * FROM records")
        reading.fetchone()
        self.assertIn("locked", self.refused("SELECT residue_close()"))
        reading.close()
        self.assertEqual(one(self.connection, "SELECT residue_close()"), "closed")

    def test_one_that_is_rolled_back_can_be_opened_again(self):
        self.connection.execute("BEGIN")
        self.connection.execute("SELECT residue_open(?)", (self.folder,)).fetchone()
        self.connection.execute("ROLLBACK")
        self.connection.execute("SELECT residue_close()").fetchone()
        self.connection.execute("SELECT residue_open(?)", (self.folder,)).fetchone()
        self.assertEqual(one(self.connection, "SELECT count(*) FROM runs"), 3)


if __name__ == "__main__":
    support.main()
