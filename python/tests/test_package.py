"""The package itself: what it offers is documented and typed, and the stub of the core says what is there."""

from __future__ import annotations

import ast
import inspect
import pathlib
import pickle
import unittest

import residue
from residue import _core

FOLDER = pathlib.Path(residue.__file__).parent


class Package(unittest.TestCase):
    def test_has_a_stub_that_says_what_the_core_has(self):
        stub = ast.parse((FOLDER / "_core.pyi").read_text(encoding="utf-8"))
        said = {node.name for node in stub.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
        there = {name for name in vars(_core) if not name.startswith("_")}
        self.assertEqual(said, there)
        self.assertTrue((FOLDER / "py.typed").exists())

    def test_documents_and_types_everything(self):
        offered = [(name, getattr(residue, name)) for name in residue.__all__]
        offered += [(f"Store.{name}", value) for name, value in vars(residue.Store).items() if name[0] != "_"]
        for name, value in offered:
            if not callable(value):
                continue
            with self.subTest(name):
                self.assertTrue(inspect.getdoc(value))
                if inspect.isfunction(value):
                    typed = set(value.__annotations__)
                    self.assertFalse(set(inspect.signature(value).parameters) - typed - {"self"}, name)
                    self.assertIn("return", typed)

    def test_errors_survive_a_process_pool(self):
        error = pickle.loads(pickle.dumps(residue.Error(3, "no store", "make one")))
        self.assertEqual((error.code, error.message, error.remedy), (residue.Code.NOT_FOUND, "no store", "make one"))


if __name__ == "__main__":
    unittest.main()
