"""The extension in APSW."""
import unittest

import support

support.require_module("apsw", "python3-apsw")
import apsw  # noqa: E402


class Apsw(unittest.TestCase):
    def test_opens_asks_and_closes(self):
        folder = support.make_store()
        connection = apsw.Connection(":memory:")
        connection.enableloadextension(True)
        connection.loadextension(support.EXTENSION)
        connection.execute("SELECT residue_open(?)", (folder,)).fetchall()
        counted = connection.execute("SELECT run, count(*) FROM leaks WHERE run = ? GROUP BY run", ("tags",)).fetchall()
        self.assertEqual([f"{run},{n}" for run, n in counted],
                         support.answer_of(folder, "SELECT run, count(*) FROM leaks WHERE run = 'tags' GROUP BY run"))
        with self.assertRaisesRegex(apsw.SQLError, "SELECT residue_close\\(\\) closes it"):
            connection.execute("SELECT residue_open(?)", (folder,)).fetchall()
        self.assertEqual(connection.execute("SELECT residue_close()").fetchall(), [("closed",)])
        connection.execute("SELECT residue_open(?)", (folder,)).fetchall()
        connection.close()


if __name__ == "__main__":
    support.main()
