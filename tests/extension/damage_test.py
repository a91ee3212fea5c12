"""Flipped bits of a store are noticed through the extension: an error, never another number or text."""
import mmap
import os
import random
import signal
import subprocess
import sys
import unittest

import support

QUESTIONS = """
SELECT count(*), sum(n), sum(rating) FROM judgments
SELECT run, metric, slice, value, low, high, n FROM metrics ORDER BY 1, 2, 3, 4, 5
SELECT run, record, linked, outcome, tied FROM links ORDER BY 1, 2, 3, protocol
SELECT count(*), sum(value) FROM scores
SELECT dataset, record, person, label FROM records ORDER BY record
SELECT record, n, category FROM claims ORDER BY record, n
""".strip().splitlines()
TEXTS = "SELECT text(record_text) FROM records ORDER BY record"

ASKING = """
import sqlite3, sys
connection = sqlite3.connect(":memory:")
connection.enable_load_extension(True)
try:
    connection.load_extension(sys.argv[1])
    connection.execute("SELECT residue_open(?, 'originals')", (sys.argv[2],)).fetchone()
    for question in sys.argv[3:]:
        print(connection.execute(question).fetchall())
except sqlite3.Error as error:
    print("noticed:", error)
"""


def asked(folder, questions):
    """The answers; or what was noticed; or the signal that ended it."""
    ended = subprocess.run([sys.executable, "-c", ASKING, support.EXTENSION, folder, *questions],
                           capture_output=True, text=True, check=False)
    if ended.returncode < 0:
        return "noticed: " + signal.Signals(-ended.returncode).name
    if ended.returncode > 0:
        raise AssertionError(ended.stderr)
    last = ended.stdout.splitlines()[-1]
    return last if last.startswith("noticed:") else ended.stdout


def flip(path, place):
    with open(path, "r+b") as file:
        with mmap.mmap(file.fileno(), 0) as bytes_:
            bytes_[place // 8] ^= 1 << place % 8


class Damage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = support.make_store()
        support.residue(cls.folder, "gc")  # all is in the files themselves, nothing in logs

    def flips(self, name, questions, places):
        path = os.path.join(self.folder, ".residue", name)
        sound = asked(self.folder, questions)
        self.assertFalse(sound.startswith("noticed"), sound)
        noticed = []
        for place in places(os.path.getsize(path) * 8):
            flip(path, place)
            answer = asked(self.folder, questions)
            flip(path, place)
            if answer.startswith("noticed"):
                noticed.append(answer)
            else:
                self.assertEqual(answer, sound, f"bit {place} of {name}")
        self.assertEqual(asked(self.folder, questions), sound)
        return noticed

    def test_of_the_catalog(self):
        chance = random.Random(7)
        noticed = self.flips("catalog.db", QUESTIONS, lambda bits: [chance.randrange(bits) for _ in range(40)])
        print(f"{len(noticed)} of 40 told, the others of pages that nobody reads; none served")
        self.assertGreater(len(noticed), 8)
        for line in noticed:
            self.assertRegex(line, "damaged|lost|no catalog|another format")
        self.assertTrue(any("is not what was written; residue check says what is lost" in line for line in noticed), noticed)

    def test_of_the_texts(self):
        chance = random.Random(7)
        noticed = self.flips("facts/data.mdb", [TEXTS], lambda bits: [chance.randrange(bits) for _ in range(60)])
        print(f"{len(noticed)} of 60 told, the others of pages that nobody reads; none served")
        self.assertGreater(len(noticed), 3)
        self.assertTrue(any("text " in line for line in noticed), noticed)


if __name__ == "__main__":
    support.main()
