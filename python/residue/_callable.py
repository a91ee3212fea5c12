"""A sanitizer that is a function of Python."""

from __future__ import annotations

import time
from typing import Any, Callable, Dict, List, Optional, Set

from ._guarded import core as _core
from ._progress import ProgressCallback

KEEP_EVERY = 5.0  # seconds
KEEP_ROWS = 5000
TELL_EVERY = 0.1


def outcome(by: Callable[[str], Any], key: str, text: str) -> Dict[str, Any]:
    """The row of one record: its text, or why there is none."""
    try:
        made = by(text)
    except Exception as failure:  # noqa: BLE001 - whatever it is, the record has failed and says so
        return {"id": key, "error": type(failure).__name__ + (f": {failure}" if str(failure) else "")}
    if isinstance(made, str):
        return {"id": key, "text": made}
    return {"id": key, "error": f"the function returned {type(made).__name__}, not str"}


def sanitize_with(
    path: str,
    dataset: str,
    run: str,
    by: Callable[[str], Any],
    *,
    done: Set[str],
    spec: Dict[str, Any],
    progress: Optional[ProgressCallback],
) -> Dict[str, Any]:
    total = {"new": 0, "same": 0, "changed": 0, "bad": 0, "failed": 0}
    notes: List[str] = []
    reason = ""
    waiting: List[Dict[str, Any]] = []
    kept = told = time.monotonic()

    def keep() -> None:
        nonlocal kept, notes
        kept = time.monotonic()
        if not waiting:
            return
        result = _core.ingest_run(path, dataset, run, waiting, spec)
        waiting.clear()
        notes = result["notes"]
        for name in ("new", "same", "changed", "bad"):
            total[name] += result[name]

    originals = _core.Originals(path, dataset)
    seen = 0
    try:
        while True:
            page = originals.next()
            if not page:
                break
            for key, text in page:
                seen += 1
                if key in done:
                    continue
                row = outcome(by, key, text)
                if "error" in row:
                    total["failed"] += 1
                    reason = reason or row["error"]
                waiting.append(row)
                if len(waiting) >= KEEP_ROWS or time.monotonic() - kept > KEEP_EVERY:
                    keep()
                if progress and time.monotonic() - told > TELL_EVERY:
                    told = time.monotonic()
                    progress(f"sanitizing {dataset}/{run}", seen, None)
    finally:
        keep()  # also what was made before Ctrl-C
    return {**total, "notes": notes, "reason": reason}
