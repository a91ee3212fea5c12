"""Calls the module and replaces its errors about arguments of a wrong type.

Those print every argument, so whole texts would reach tracebacks and logs.
"""

from __future__ import annotations

from typing import Any

from . import _core
from ._errors import Code, Error

_CALLED = {"evaluate": "Store.eval", "Originals": "Store.sanitize", "find": "open", "create": "open", "look_at": "open"}
_PLAIN = ("bm25", "judge", "quick", "rouge_l")


class _Guarded:
    def __getattr__(self, name: str) -> Any:
        made = getattr(_core, name)
        called = _CALLED.get(name, name if name in _PLAIN else f"Store.{name}")

        def call(*arguments: Any) -> Any:
            try:
                return made(*arguments)
            except TypeError as error:
                if "(): incompatible " not in str(error):  # of a function of the caller's
                    raise
            # Outside of the handler: a traceback shows no error within which this one was thrown.
            raise Error(Code.USAGE, f"{called}: an argument has a wrong type or range", f"see help(residue.{called})")

        setattr(self, name, call)
        return call


core = _Guarded()
