"""The extension in SQLite's own shell."""
import os
import subprocess
import unittest

import support

support.require_program("sqlite3", "sqlite3")


def shell(*lines, **environment):
    return subprocess.run(["sqlite3", "-batch"], input="\n".join(lines) + "\n", capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


class Shell(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = support.make_store()
        cls.load = f".load {support.EXTENSION.removesuffix('.so')}"

    def test_opens_asks_and_closes(self):
        done = shell(self.load, f"SELECT residue_open('{self.folder}');", ".tables",
                     "SELECT run, count(*) FROM leaks WHERE run = 'tags' GROUP BY run;", "SELECT residue_close();")
        self.assertEqual(done.stderr, "")
        lines = done.stdout.splitlines()
        self.assertTrue(lines[0].startswith(f"{self.folder}/.residue (released): answers, claims, datasets, intruder, judgments, labels, leaks"), lines[0])
        self.assertIn("temp.leaks", done.stdout)
        self.assertEqual(lines[-2:], support.answer_of(self.folder, "SELECT run || '|' || count(*) FROM leaks WHERE run = 'tags'")
                         + ["closed"])

    def test_opens_at_once_where_the_environment_names_a_store(self):
        done = shell(self.load, "SELECT count(*) FROM runs;", RESIDUE_OPEN=self.folder)
        self.assertEqual((done.stdout, done.stderr), ("3\n", ""))
        done = shell(self.load, RESIDUE_OPEN="/nowhere")
        self.assertIn("residue: no store in /nowhere; name the directory that holds .residue", done.stderr)

    def test_one_table_by_name(self):
        done = shell(self.load, f"CREATE VIRTUAL TABLE temp.l USING residue('{self.folder}', 'leaks', 'claims');",
                     "SELECT length(text(claim_text)) > 0 FROM l LIMIT 1;", "DROP TABLE l;", "SELECT residue_close();")
        self.assertEqual(done.stdout, "1\n")
        self.assertIn("no store is open", done.stderr)


if __name__ == "__main__":
    support.main()
