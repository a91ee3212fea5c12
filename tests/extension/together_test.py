"""Two copies of our code in one process share one LMDB environment, and are closed in both orders.

The copies are two residue.so; and, where it was built, the extension and the module of Python.
"""
import os
import shutil
import subprocess
import sys
import unittest

import support


def texts_of(connection):
    return connection.execute("SELECT text(record_text) FROM records ORDER BY record").fetchall()


def environments():
    """How often facts/ is mapped into this process."""
    with open("/proc/self/maps", encoding="utf-8") as maps:
        return sum("/facts/data.mdb" in line for line in maps)


ASK_FOR_LOCK = """
import fcntl, sys
with open(sys.argv[1], "r+b") as file:
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 0)
    except OSError:
        print("held")
"""


def engine_holds(folder):
    """Whether LMDB still has its lock: the system drops it when any handle of the process on that file is closed, and the
    next process that opens the store would set its table of readers up anew.
    """
    file = os.path.join(folder, ".residue/facts/lock.mdb")
    return subprocess.run([sys.executable, "-c", ASK_FOR_LOCK, file], capture_output=True, text=True, check=True).stdout == "held\n"


class TwoCopies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = support.make_store()
        cls.copy = shutil.copy(support.EXTENSION, os.path.join(support.new_folder(), "residue.so"))

    def test_have_one_environment_and_close_in_both_orders(self):
        for first_goes in (True, False):
            first = support.opened(self.folder, "originals")
            second = support.opened(self.folder, "originals", self.copy)
            self.assertEqual(environments(), 1)
            sound = texts_of(first)
            self.assertEqual(texts_of(second), sound)
            leaving, staying = (first, second) if first_goes else (second, first)
            reading = staying.execute("SELECT text(record_text) FROM records ORDER BY record")
            rows = [reading.fetchone()]
            self.assertTrue(engine_holds(self.folder))
            leaving.close()
            self.assertTrue(engine_holds(self.folder))
            self.assertEqual(rows + reading.fetchall(), sound)
            support.residue(self.folder, "sanitize", "clinic", "--with", "scrub", "--run", f"more-{first_goes}")
            self.assertEqual(texts_of(staying), sound)
            staying.close()
            self.assertEqual(environments(), 0)
            self.assertFalse(engine_holds(self.folder))

    def test_are_two(self):
        for extension in (support.EXTENSION, self.copy):
            support.loaded(extension).close()
        with open("/proc/self/maps", encoding="utf-8") as maps:
            mapped = {line.split()[-1] for line in maps if line.rstrip().endswith("/residue.so")}
        self.assertEqual(len(mapped), 2, mapped)


class WithTheModule(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not support.MODULE_DIR or not os.path.exists(os.path.join(support.MODULE_DIR, "residue/_core.so")):
            raise unittest.SkipTest("the module of Python was not built")
        sys.path.insert(0, support.MODULE_DIR)
        import residue
        cls.module = residue
        cls.folder = support.make_store()

    def test_have_one_environment_in_both_orders(self):
        """The module opens the store for each call, and closes it after."""
        store = self.module.open(self.folder)
        for extension_is_first in (True, False):
            if not extension_is_first:
                store.report("clinic")
            connection = support.opened(self.folder, "originals")
            sound = texts_of(connection)
            reading = connection.execute("SELECT text(record_text) FROM records ORDER BY record")
            rows = [reading.fetchone()]
            self.assertTrue(engine_holds(self.folder))
            store.report("clinic")
            self.assertTrue(engine_holds(self.folder), "the module is not linked with residue_facts")
            self.assertEqual(environments(), 1)
            self.assertEqual(rows + reading.fetchall(), sound)
            store.ingest_run(f"clinic/run-{extension_is_first}", [{"id": "n-01", "text": "A new text."}])
            self.assertEqual(texts_of(connection), sound)
            self.assertEqual(environments(), 1)
            connection.close()
            self.assertEqual(environments(), 0)
            store.report("clinic")


if __name__ == "__main__":
    support.main()
