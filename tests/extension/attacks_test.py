"""The hostile statements of tests/query/sql/attacks.h, where the host is SQLite itself: with the extension, and on a
snapshot. What they do to the host is the host's affair. The store and the snapshot stay as they are, byte for byte,
nothing of a higher level is read, and what does not end is interrupted."""
import hashlib
import os
import re
import sqlite3
import time
import unittest

import support

SECONDS = 0.3
MOST_BYTES = 200_000_000
LONGEST = 1_000_000  # nothing stops a function of SQLite's before its end: two texts of megabytes keep instr() for minutes
# Names in the originals, which no text of the run scrub has.
SECRETS = ("Halvorsen", "Ingrid")


def attacks(file):
    with open(os.path.join(support.SOURCE, "tests/query/sql/attacks.h"), encoding="utf-8") as source:
        body = re.search(r"kAttacks\[\] = \{\n(.*?)\n\};", source.read(), re.DOTALL)[1]
    found, joined = [], False
    for word in re.findall(r'"(?:[^"\\]|\\.)*"|,', body):
        text = re.sub(r"\\(.)", r"\1", word[1:-1])
        if word == ",":
            joined = False
        elif joined:
            found[-1] += text
        else:
            found.append(text)
        joined = word != ","
    return [one.replace("%F", file) for one in found]


def state(folder):
    """Of all files but locks, and what SQLite keeps of its readers."""
    digest = hashlib.sha256()
    for place, _, names in sorted(os.walk(folder)):
        for name in sorted(names):
            if not name.endswith(("lock", "lock.mdb", "-shm")):
                with open(os.path.join(place, name), "rb") as file:
                    digest.update(name.encode() + file.read())
    return digest.hexdigest()


def said(connection, statement):
    """What it answers or is refused with, at most a thousand rows, and how long that took."""
    began = time.monotonic()
    connection.set_progress_handler(lambda: int(time.monotonic() - began > SECONDS), 100)
    try:
        answer = repr(connection.execute(statement).fetchmany(1000))
    except (sqlite3.Error, sqlite3.Warning, MemoryError, OverflowError) as error:
        answer = str(error)
    return answer, time.monotonic() - began


class Attacks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = support.make_store()
        cls.snapshot = os.path.join(support.new_folder(), "s.db")
        support.residue(cls.folder, "export", "snapshot", cls.snapshot)

    def none_succeeds(self, connect, folder):
        statements = attacks(os.path.join(support.new_folder(), "made"))
        self.assertGreaterEqual(len(set(statements)), 190)
        before = state(folder)
        for statement in statements:
            with self.subTest(statement):
                connection = connect()
                connection.execute(f"PRAGMA hard_heap_limit={MOST_BYTES}")
                connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
                answer, seconds = said(connection, statement)
                connection.close()
                for secret in SECRETS:
                    self.assertNotIn(secret, answer)
                self.assertNotIn("--", answer if "residue:" in answer else "")
                self.assertLess(seconds, 20)
        self.assertEqual(state(folder), before)

    def test_a_store_that_is_open_in_the_extension(self):
        def connect():
            connection = support.loaded()
            connection.execute("SELECT residue_open(?)", (self.folder,)).fetchone()
            return connection

        self.none_succeeds(connect, os.path.join(self.folder, ".residue"))
        connection = connect()
        self.assertEqual(connection.execute("SELECT count(*) FROM records").fetchone()[0], 71)
        connection.close()

    def test_a_snapshot(self):
        def connect():
            return sqlite3.connect(f"file:{self.snapshot}?mode=ro", uri=True, isolation_level=None)

        self.none_succeeds(connect, os.path.dirname(self.snapshot))

    # Without this, both would pass where nothing can be read at all.
    def test_the_secrets_are_there_to_be_read(self):
        connection = support.loaded()
        connection.execute("SELECT residue_open(?, 'originals')", (self.folder,)).fetchone()
        read = connection.execute("SELECT text(record_text) FROM records WHERE record = 'n-01'").fetchone()[0]
        for secret in SECRETS:
            self.assertIn(secret, read)
        connection.close()


if __name__ == "__main__":
    support.main()
