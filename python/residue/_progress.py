"""Progress as one changing line, at a terminal and below a notebook's cell."""

from __future__ import annotations

import sys
from typing import Callable, Optional, TextIO, Union

# Called with what is being done, how much of it is done, and of how much (None: nobody knows). It is called by the
# thread that called the store, some ten times a second. An exception of it stops the work and reaches the caller.
ProgressCallback = Callable[[str, int, Optional[int]], None]
Progress = Union[None, bool, ProgressCallback]


class Line:
    def __init__(self, out: Optional[TextIO] = None) -> None:
        self._out = out or sys.stderr
        self._width = 0

    def __call__(self, what: str, done: int, total: Optional[int]) -> None:
        words = f"{what}: {100 * done // total} %" if total else f"{what}: {done}"
        self._out.write("\r" + words.ljust(self._width))
        self._out.flush()
        self._width = len(words)

    def end(self) -> None:
        if self._width:
            self._out.write("\r" + " " * self._width + "\r")
            self._out.flush()


class told:
    """``with told(progress) as callback``. True: shows a line and removes it at the end. None: nothing is told."""

    def __init__(self, progress: Progress) -> None:
        self._line = Line() if progress is True else None
        self._callback = self._line or (progress if callable(progress) else None)

    def __enter__(self) -> Optional[ProgressCallback]:
        return self._callback

    def __exit__(self, *_: object) -> None:
        if self._line:
            self._line.end()
