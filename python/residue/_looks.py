"""What was evaluated: reports, comparisons, leaks. Each shows itself in a notebook and becomes a data frame."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence

from . import _show

if TYPE_CHECKING:
    import pandas

# What the table of a report shows first, where it was computed.
HEADLINE = ("linkage_rate", "semantic_distance", "leak_rate", "exposed_rate", "rougeL_f")
SHOWN = 50


class Look:
    """Rows, and what they are of."""

    rows: List[Dict[str, Any]]

    def __init__(self, about: Dict[str, Any]) -> None:
        self.rows = about.pop("rows")
        self.about = about

    def __getattr__(self, name: str) -> Any:
        about = self.__dict__.get("about", {})
        if name in about:
            return about[name]
        raise AttributeError(name)

    def __len__(self) -> int:
        return len(self.rows)

    def df(self) -> "pandas.DataFrame":
        """All rows as a data frame."""
        import pandas

        return pandas.DataFrame(self.rows)

    def _table(self) -> "tuple[List[str], List[Dict[str, Any]]]":
        raise NotImplementedError

    def _title(self) -> str:
        raise NotImplementedError

    def _notes(self) -> List[str]:
        return []

    def __repr__(self) -> str:
        return "\n".join([self._title(), _show.text_table(*self._table()), *self._notes()])

    def _repr_markdown_(self) -> str:
        notes = [html.escape(note, quote=False) for note in self._notes()]
        return "\n\n".join([html.escape(self._title(), quote=False), _show.markdown_table(*self._table()), *notes])

    def _repr_html_(self) -> str:
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self._notes())
        return f"<p>{html.escape(self._title())}</p>{_show.html_table(*self._table())}{notes}"


def _of_attack(row: Dict[str, Any]) -> bool:
    return row["linker"] not in ("oracle", "random")  # the controls


class Report(Look):
    """The numbers of all runs of a dataset under one attacker and judge."""

    dataset: str
    protocol: str
    judge: str
    seeds: int
    doubts: List[str]
    stale: List[str]

    def value(self, run: str, metric: str, slice: str = "") -> Optional[float]:
        """One number; None where it is not applicable. KeyError where nothing was computed."""
        for row in self.rows:
            if (row["run"], row["metric"], row["slice"]) == (run, metric, slice) and _of_attack(row):
                value: Optional[float] = row["value"]
                return value
        raise KeyError((run, metric, slice))

    def table(self, metrics: Optional[Sequence[str]] = None) -> List[Dict[str, Any]]:
        """A row for each run, a column for each metric: those named, or the headline."""
        runs: Dict[str, Dict[str, Any]] = {}
        for row in self.rows:
            if row["slice"] or not _of_attack(row):
                continue
            if row["metric"] in (metrics or HEADLINE):
                runs.setdefault(row["run"], {"run": row["run"]})[row["metric"]] = row["value"]
        return list(runs.values())

    def _table(self) -> "tuple[List[str], List[Dict[str, Any]]]":
        rows = self.table()
        return ["run", *(name for name in HEADLINE if any(name in row for row in rows))], rows

    def _title(self) -> str:
        return f"{self.dataset}: {self.protocol}, judged by {self.judge}"

    def _notes(self) -> List[str]:
        stale = [f"out of date: {', '.join(self.stale)}; store.eval() brings them up to date"] if self.stale else []
        return [*self.doubts, *stale]


class Comparison(Look):
    """What changed against a baseline, on common records, with 95 % intervals and corrected tests."""

    dataset: str
    baseline: str
    protocol: str
    judge: str
    flips: Dict[str, Dict[str, int]]
    frontier: List[Dict[str, Any]]  # all runs of the dataset; "on_frontier": no other is better in both

    def _table(self) -> "tuple[List[str], List[Dict[str, Any]]]":
        columns = ["run", "metric", "records", "baseline_value", "value", "difference", "low", "high", "corrected_p"]
        return columns, [row for row in self.rows if not row["slice"]]

    def _title(self) -> str:
        return f"{self.dataset} against {self.baseline}: {self.protocol}, judged by {self.judge}"


class Leaks(Look):
    """What an attacker learned from one run, worst first."""

    run: str
    protocol: str
    judge: str
    total: int
    records: int
    failed: int
    stale: bool

    def _table(self) -> "tuple[List[str], List[Dict[str, Any]]]":
        columns = ["record", "n", "rating", "claim", "linked", "right"]
        return [name for name in columns if not self.rows or name in self.rows[0]], self.rows[:SHOWN]

    def _title(self) -> str:
        return f"{self.run}: {self.total} claims of {self.records} records leak ({self.protocol}, {self.judge})"

    def _notes(self) -> List[str]:
        notes = []
        if len(self.rows) > SHOWN:
            notes.append(f"{len(self.rows) - SHOWN} more rows; .df() has all")
        if self.failed:
            notes.append(f"{self.failed} texts of the run failed: nothing is listed for them")
        if self.stale:
            notes.append("out of date: the run or its dataset changed since")
        return notes


class Quick:
    """What a sanitizer left behind, from two lists."""

    def __init__(self, answer: Dict[str, Any]) -> None:
        self.report = Report(answer.pop("report"))
        self.worst: List[Dict[str, Any]] = answer.pop("worst")
        self.remarks: List[str] = answer.pop("remarks")
        self.counts: Dict[str, int] = answer

    def df(self) -> "pandas.DataFrame":
        return self.report.df()

    def _parts(self) -> "tuple[List[str], List[Dict[str, Any]]]":
        return ["record", "leaks", "claim", "in_full"], self.worst

    def __repr__(self) -> str:
        return "\n".join([repr(self.report), "", _show.text_table(*self._parts()), *self.remarks])

    def _repr_markdown_(self) -> str:
        remarks = [html.escape(remark, quote=False) for remark in self.remarks]
        return "\n\n".join([self.report._repr_markdown_(), _show.markdown_table(*self._parts()), *remarks])

    def _repr_html_(self) -> str:
        remarks = "".join(f"<p>{html.escape(remark)}</p>" for remark in self.remarks)
        return self.report._repr_html_() + _show.html_table(*self._parts()) + remarks
