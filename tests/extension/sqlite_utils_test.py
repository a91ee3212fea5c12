"""The extension in sqlite-utils: its command, and its library."""
import json
import os
import subprocess
import unittest

import support

support.require_program("sqlite-utils", "sqlite-utils")
support.require_module("sqlite_utils", "sqlite-utils")
import sqlite_utils  # noqa: E402


class SqliteUtils(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = support.make_store()
        cls.sql = "SELECT run, count(*) AS n FROM leaks WHERE run = 'tags' GROUP BY run"
        cls.expected = [{"run": run, "n": int(n)} for run, n in
                        (line.split(",") for line in support.answer_of(cls.folder, cls.sql))]

    def test_the_command(self):
        done = subprocess.run(["sqlite-utils", "query", ":memory:", self.sql, f"--load-extension={support.EXTENSION}"],
                              env={**os.environ, "RESIDUE_OPEN": self.folder}, capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(done.stdout), self.expected)

    def test_the_library(self):
        database = sqlite_utils.Database(memory=True)
        database.conn.enable_load_extension(True)
        database.conn.load_extension(support.EXTENSION)
        list(database.query("SELECT residue_open(?)", (self.folder,)))
        self.assertEqual(list(database.query(self.sql)), self.expected)


if __name__ == "__main__":
    support.main()
