"""The one error of the package."""

from __future__ import annotations

import enum


class Code(enum.IntEnum):
    """What went wrong; the number is the exit code of the program."""

    GATE_FAILED = 1
    USAGE = 2
    NOT_FOUND = 3
    BUSY = 4
    CORRUPT = 5
    BAD_INPUT = 6
    INTERNAL = 70
    IO = 74
    TRY_AGAIN = 75
    INTERRUPTED = 130


class Error(Exception):
    """What is wrong (``message``), and what to do about it (``remedy``)."""

    code: Code
    message: str
    remedy: str

    def __init__(self, code: int, message: str, remedy: str = "") -> None:
        super().__init__(code, message, remedy)
        self.code = Code(code)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} ({self.remedy})" if self.remedy else self.message


# As it is imported and shown.
Code.__module__ = Error.__module__ = "residue"
