"""A store, as the program has it: the same files, the same locks, the same numbers."""

from __future__ import annotations

import os
import pathlib
import warnings
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence, Union, overload

if TYPE_CHECKING:
    import pandas
    from typing_extensions import Literal

from ._guarded import core as _core
from ._callable import sanitize_with
from ._errors import Code, Error
from ._looks import Comparison, Leaks, Report
from ._progress import Progress, told
from ._rows import Rows, rows_of

LEVELS = ("released", "claims", "originals")
_STATEMENT = str(pathlib.Path(__file__).with_name("_statement"))


class Ingested(Dict[str, Any]):
    """What a call stored: counts "new", "same", "changed", "bad", and "notes"."""

    def __repr__(self) -> str:
        counts = ", ".join(f"{self[name]} {name}" for name in ("new", "same", "changed", "bad"))
        return "\n".join([counts, *self["notes"]])


def open(path: Union[str, "os.PathLike[str]", None] = None, *, create: bool = False) -> "Store":
    """The store in ``path``, or in this folder or the nearest above it. ``create``: made where there is none.

    A Store holds nothing open: each call opens it, works and closes it. So the program and other processes can use
    it between two calls, and a process that has one may be forked.
    """
    where = os.fspath(path) if path is not None else "."
    found = _core.find(where, path is None)
    if found is None and create:
        found = _core.create(where)
    if found is None:
        raise Error(Code.NOT_FOUND, f"no store in {where}", "residue.open(path, create=True) makes one")
    found = os.path.abspath(found)
    _core.look_at(found)
    return Store(found)


class Store:
    """See :func:`open`."""

    path: str

    def __init__(self, path: str) -> None:
        self.path = path

    def __repr__(self) -> str:
        return f"residue.Store({self.path!r})"

    # --- look ---

    @overload
    def sql(
        self, query: str, *, level: str = ..., timeout: float = ..., limit: int = ..., lexicon: str = ...
    ) -> "pandas.DataFrame": ...
    @overload
    def sql(
        self, query: str, *, to: "Literal['arrow']", level: str = ..., timeout: float = ..., limit: int = ..., lexicon: str = ...
    ) -> "_core.Table": ...
    @overload
    def sql(
        self, query: str, *, to: "Literal['dicts']", level: str = ..., timeout: float = ..., limit: int = ..., lexicon: str = ...
    ) -> List[Dict[str, Any]]: ...
    def sql(
        self,
        query: str,
        *,
        to: str = "pandas",
        level: str = "released",
        timeout: float = 10.0,
        limit: int = 10_000_000,
        lexicon: "Union[str, os.PathLike[str]]" = "",
    ) -> Any:
        """One statement over the public views, read-only, within the limits of ``residue sql``.

        ``to``: "pandas" (a data frame), "dicts" (a list), or "arrow" (an object with ``__arrow_c_stream__``).
        ``timeout``: seconds. More than ``limit`` rows are an error: nothing is left out silently.
        ``level``: what texts may be read: "released", "claims" or "originals". ``lexicon``: the file of vader(), else
        RESIDUE_VADER_LEXICON in the environment names it.
        """
        if to not in ("pandas", "arrow", "dicts"):
            raise Error(Code.USAGE, "to= is pandas, arrow or dicts", "to='pandas'")
        if level not in LEVELS:
            raise Error(Code.USAGE, f"level= is {', '.join(LEVELS)}", "level='released'")
        table = _core.sql(self.path, _STATEMENT, query, level, os.fspath(lexicon), float(timeout), int(limit))
        if to == "arrow":
            return table
        return table.dicts() if to == "dicts" else _frame_of(table)

    def report(self, dataset: str, **options: Any) -> Report:
        """The numbers of a dataset. ``protocol``, ``judge``, ``seeds``: by default as evaluated last.

        ``missing``: what failed and missing records count as, "leaked" or "drop". ``model``: whose answers to tasks.
        """
        return self.reports(dataset, **options)[0]

    def reports(self, dataset: str, **options: Any) -> List[Report]:
        """One report for each attacker of ``protocol``: a comma list, or "all"."""
        return [Report(one) for one in _core.report(self.path, dataset, options)]

    def compare(self, dataset: str, *runs: str, **options: Any) -> Comparison:
        """Runs against the first of them, record by record. One run: all others against it.

        ``metrics``, ``protocol``, ``judge``, ``seeds``, ``common``, ``missing``; ``correction``: "holm" or "bh".
        ``frontier`` of the answer lists all runs by two metrics, ``privacy`` and ``utility``, and says which are worth
        choosing.
        """
        return Comparison(_core.compare(self.path, dataset, list(runs), {**options, "all_runs": len(runs) < 2}))

    def leaks(self, run: str, **options: Any) -> Leaks:
        """What an attacker learned from ``run``, "DATASET/RUN". The claims are words of the originals.

        ``texts=False`` leaves them out. ``protocol``, ``judge``, ``category``, ``limit``.
        """
        return Leaks(_core.leaks(self.path, *_run_of(run), options))

    # --- bring in ---

    def ingest_dataset(self, name: str, rows: Rows, *, progress: Progress = None, **options: Any) -> Ingested:
        """Records: rows with "id" and "text", also "person", "label", "task"; all other keys are metadata.

        All rows are stored, or none. ``id``, ``text``: the names of these keys; ``id="auto"`` numbers the rows.
        ``map``: {field: key}. ``preset``, ``clear``, ``append``; ``on_error="skip"`` leaves bad rows out and lists
        them. ``control_of="DATASET"``: these people were never in a release of it. A path is read as ``residue ingest dataset`` reads it.
        """
        return self._ingest(_core.ingest_dataset, (name,), rows, progress, options)

    def ingest_claims(self, dataset: str, rows: Rows, *, progress: Progress = None, **options: Any) -> Ingested:
        """Atomic claims: rows with "record" and "claims". ``set``, ``outside``, ``record``, ``claims``, ``map_label``."""
        return self._ingest(_core.ingest_claims, (dataset,), rows, progress, options)

    def ingest_labels(
        self, dataset: str, kind: str, rows: Rows, *, progress: Progress = None, **options: Any
    ) -> Ingested:
        """What people said: ``kind`` is support, category, attribute, span or entity. ``set``, ``scale``, ``preset``."""
        return self._ingest(_core.ingest_labels, (dataset, kind), rows, progress, options)

    def ingest_run(self, run: str, rows: Rows, *, progress: Progress = None, **options: Any) -> Ingested:
        """What a sanitizer made: rows with "id" and "text"; "error" where it failed. ``run`` is "DATASET/RUN".

        ``sanitizer``, ``params``, ``seed``, ``group``; ``synthetic``, ``spans``, ``unit``, ``removes_everything``,
        ``texts_are_meant``, ``append``, ``on_error``. Of a path also ``preset`` ("inspect", "promptfoo", ...), ``id``,
        ``text``, ``map``, and ``only``: {path: value}, the items of another program's file that are meant.
        """
        return self._ingest(_core.ingest_run, _run_of(run), rows, progress, options)

    def _ingest(self, call: Any, target: Sequence[str], rows: Rows, progress: Progress, options: Dict[str, Any]) -> Ingested:
        with told(progress) as callback:
            return Ingested(call(self.path, *target, rows_of(rows), {**options, "progress": callback}))

    def atomize(self, dataset: str, *, progress: Progress = None) -> Ingested:
        """Claims out of the records: their sentences."""
        with told(progress) as callback:
            return Ingested(_core.atomize(self.path, dataset, callback))

    def sanitize(
        self,
        run: str,
        dataset: str,
        by: Any,
        *,
        params: Optional[Dict[str, Any]] = None,
        seed: Optional[int] = None,
        sanitizer: Optional[str] = None,
        missing_only: bool = False,
        removes_everything: bool = False,
        progress: Progress = None,
    ) -> Ingested:
        """Makes ``run`` of ``dataset``. ``by``: a function str -> str, or the name of a built-in sanitizer.

        Where the function raises or returns no str, the record has failed, with the reason: it counts as leaked, and a
        warning says how many have. What was made is stored every few seconds; Ctrl-C loses nothing of it.
        ``missing_only``: records that the run has a text of are not made again.
        """
        words = {key: str(value) for key, value in (params or {}).items()}
        with told(progress) as callback:
            if isinstance(by, str):
                return Ingested(_core.sanitize(self.path, dataset, run, by, words, seed, callback))
            if not callable(by):
                raise Error(Code.USAGE, "by= is a function, or the name of a sanitizer", "by=lambda text: ...")
            made = sanitize_with(
                self.path,
                dataset,
                run,
                by,
                done=self._made(dataset, run) if missing_only else set(),
                spec={
                    "sanitizer": sanitizer or getattr(by, "__name__", type(by).__name__),
                    "params": words or None,
                    "seed": seed,
                    "removes_everything": removes_everything or None,
                },
                progress=callback,
            )
        if made["failed"]:
            warnings.warn(f"{made['failed']} records failed, for example: {made['reason']}", stacklevel=2)
        return Ingested(made)

    def _made(self, dataset: str, run: str) -> "set[str]":
        quoted = [name.replace("'", "''") for name in (dataset, run)]
        rows = self.sql(
            "SELECT record FROM variants WHERE dataset = '{}' AND run = '{}' AND error IS NULL".format(*quoted),
            to="dicts",
            timeout=600,
        )
        return {row["record"] for row in rows}

    # --- evaluate ---

    def eval(self, *targets: str, progress: Progress = None, **options: Any) -> Dict[str, Any]:
        """Brings the numbers of "DATASET" or "DATASET/RUN" up to date, computing only what is new. None: of all.

        ``protocol``, ``judge``, ``seeds``, ``sample``, ``metrics``, ``embedder``, ``membership``, ``max_calls``,
        ``max_cost``, ``jobs``: as of ``residue eval``. Ctrl-C stops it within a second; the same call goes on there.
        """
        words = {"jobs": len(os.sched_getaffinity(0)), **options}
        with told(progress) as callback:
            answer: Dict[str, Any] = _core.evaluate(self.path, list(targets), {**words, "progress": callback})
        return answer


def _run_of(target: str) -> "tuple[str, str]":
    dataset, slash, run = target.partition("/")
    if not slash or not dataset or not run:
        raise Error(Code.USAGE, "which run? DATASET/RUN was expected", "store.leaks('clinic/scrub')")
    return dataset, run


def _frame_of(table: "_core.Table") -> "pandas.DataFrame":
    try:
        import pandas
    except ImportError:
        remedy = "apt-get install python3-pandas; or to='dicts' or to='arrow', which need none"
        raise Error(Code.NOT_FOUND, "pandas is not installed for this Python", remedy) from None

    columns: Dict[str, Any] = {}
    for name, (values, nulls) in zip(table.columns, table.arrays()):
        columns[name] = values if nulls is None else pandas.arrays.IntegerArray(values, nulls)
    return pandas.DataFrame(columns, copy=False)
