"""docs/python.md, executed: every line that it shows, with what it answers."""

from __future__ import annotations

import doctest
import os
import pathlib
import re
import shutil
import tempfile
import unittest
from typing import Any, Dict

from support import CLINIC, MEMORY, ROOT

PAGE = ROOT / "docs" / "python.md"
SHARED = ROOT.parent / "shared"


class Walkthrough(unittest.TestCase):
    def run_page(self, text: str, names: Dict[str, Any]) -> int:
        examples = 0
        parser = doctest.DocTestParser()
        for block in re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            test = parser.get_doctest(block, names, "docs/python.md", str(PAGE), 0)
            runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False)
            said: list[str] = []
            failed, tried = runner.run(test, out=said.append, clear_globs=False)
            names.update(test.globs)
            examples += tried
            self.assertEqual(failed, 0, "".join(said))
        return examples

    def setUp(self) -> None:
        self.bundled, _, self.synthpai = PAGE.read_text(encoding="utf-8").partition("## On SynthPAI")
        folder = tempfile.TemporaryDirectory(prefix="residue-walk-", dir=MEMORY)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name, "checkout")
        self.folder.mkdir()
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)

    def test_on_the_bundled_notes(self) -> None:
        shutil.copy(CLINIC / "notes.jsonl", self.folder)
        self.assertGreater(self.run_page(self.bundled, {}), 25)

    def test_on_synthpai(self) -> None:
        if not (SHARED / "data" / "synthpai").exists():
            self.skipTest("../shared/data/synthpai is not there")
        (self.folder.parent / "shared").symlink_to(SHARED)
        self.assertGreater(self.run_page("import residue\n```python\n>>> import residue\n\n```\n" + self.synthpai, {}), 9)


if __name__ == "__main__":
    unittest.main()
