"""What the tests of the extension share: a small store, and how a tool's absence is told.

ctest calls a test as: python3 NAME_test.py EXTENSION PROGRAM SOURCE [MODULE_DIR]
"""
import atexit
import importlib.util
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

EXTENSION, PROGRAM, SOURCE = sys.argv[1:4]
MODULE_DIR = sys.argv[4] if len(sys.argv) > 4 else ""
SKIPPED = 77  # ctest shows such a test as skipped

for name in ("RESIDUE_OPEN", "RESIDUE_STORE"):
    os.environ.pop(name, None)


def skip(why):
    print("skipped:", why)
    sys.exit(SKIPPED)


def require_module(name, package):
    if importlib.util.find_spec(name) is None:
        skip(f"no {name} here; it is in the package {package}")


def require_program(name, package):
    if shutil.which(name) is None:
        skip(f"no {name} here; it is in the package {package}")


def residue(folder, *words):
    return subprocess.run([PROGRAM, "-q", *words], cwd=folder, check=True, capture_output=True, text=True).stdout


def new_folder():
    folder = tempfile.mkdtemp(prefix="residue-extension-")
    atexit.register(shutil.rmtree, folder, True)
    return folder


def make_store():
    """A folder with a store: the notes of the clinic, one run, evaluated."""
    folder = new_folder()
    residue(folder, "init")
    residue(folder, "ingest", "dataset", "clinic", os.path.join(SOURCE, "examples/clinic/notes.jsonl"))
    residue(folder, "atomize", "clinic")
    residue(folder, "sanitize", "clinic", "--with", "scrub", "--run", "tags")
    residue(folder, "eval", "clinic")
    return folder


def copy_store(folder):
    copy = new_folder()
    shutil.copytree(os.path.join(folder, ".residue"), os.path.join(copy, ".residue"), symlinks=True)
    return copy


def loaded(extension=EXTENSION):
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.enable_load_extension(True)
    connection.load_extension(extension)
    return connection


def opened(folder, level="released", extension=EXTENSION):
    connection = loaded(extension)
    connection.execute("SELECT residue_open(?, ?)", (folder, level)).fetchone()
    return connection


def answer_of(folder, sql):
    """What `residue sql` says, as lines of CSV."""
    return residue(folder, "sql", "--csv", sql).splitlines()[1:]


def main():
    unittest.main(argv=[sys.argv[0], "-v"])
