"""What the tests share: stores in folders that go, the bundled example, SIGINT at the right moment."""

from __future__ import annotations

import json
import os
import pathlib
import re
import signal
import tempfile
import threading
import time
import unittest
from typing import Any, Callable, Dict, List, Tuple

import residue

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLINIC = ROOT / "examples" / "clinic"
# Processor seconds from SIGINT to the end of a call, of all its threads: others on the machine do not count.
# A debug build takes longer than the second that a person waits for.
ENOUGH = 4.0

# Nothing here has to outlive the machine, and a busy disk takes long to say that it has written.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def jsonl(path: pathlib.Path) -> List[Dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def literals(source: str, array: str) -> List[str]:
    """The strings of an array in a C++ test: what is tried there is tried from here as well."""
    text = (ROOT / source).read_text(encoding="utf-8")
    body = re.search(re.escape(array) + r"\[\] = \{\n(.*?)\n *\};", text, re.DOTALL)
    assert body, f"{source} has no {array}"
    found: List[str] = []
    joined = False  # "a" "b" is one string
    for word in re.findall(r'"(?:[^"\\]|\\.)*"|,', body[1]):
        if word == ",":
            joined = False
            continue
        one = re.sub(r"\\(.)", r"\1", word[1:-1])
        if joined:
            found[-1] += one
        else:
            found.append(one)
        joined = True
    return found


class StoreTest(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory(prefix="residue-test-", dir=MEMORY)
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.store = residue.open(self.folder, create=True)

    def names(self, query: str, level: str = "released") -> List[Any]:
        return [next(iter(row.values())) for row in self.store.sql(query, to="dicts", level=level)]

    def refused(self, call: Callable[[], Any], *words: str) -> residue.Error:
        """The error that the call throws; each of the words is in it."""
        with self.assertRaises(residue.Error) as caught:
            call()
        for word in words:
            self.assertIn(word, str(caught.exception))
        return caught.exception


def processor_seconds() -> float:
    """What this process and the children that it waited for have used."""
    return sum(os.times()[:4])


def after_sigint(call: Callable[[], Any], delay: float) -> Tuple[BaseException, float]:
    """What the call ends with after a SIGINT `delay` seconds from now, and the processor seconds used until it ends."""
    sent: List[float] = []

    def send() -> None:
        time.sleep(delay)
        sent.append(processor_seconds())
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send)
    sender.start()
    caught: BaseException = AssertionError("the call ended before the signal")
    try:
        call()
        sender.join()
        time.sleep(0.2)
    except KeyboardInterrupt as interrupt:
        if sent:
            caught = interrupt
    ended = processor_seconds()
    sender.join()
    return caught, ended - sent[0]
