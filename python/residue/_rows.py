"""What has rows: data frames, datasets, files, and iterables of dicts."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Union

from ._errors import Code, Error

# A data frame, a dataset, an iterable of dicts, or the path of a file of JSON Lines or CSV.
Rows = Union[str, "os.PathLike[str]", Iterable[Mapping[str, Any]], Any]


def rows_of(rows: Rows) -> Any:
    """A path as str, or an iterable of dicts. Nothing is read yet."""
    if isinstance(rows, (str, os.PathLike)):
        return os.fspath(rows)
    names = getattr(rows, "column_names", None)
    if isinstance(names, Mapping):  # a DatasetDict of HuggingFace
        parts = ", ".join(str(name) for name in names)
        raise Error(Code.USAGE, f"this is a dataset of several parts: {parts}", "name one: dataset['train']")
    if hasattr(rows, "to_pylist"):  # a table of pyarrow
        return rows.to_pylist()
    if hasattr(rows, "iter_rows"):  # a frame of polars
        return rows.iter_rows(named=True)
    if hasattr(rows, "columns") and hasattr(rows, "iloc"):
        return _rows_of_frame(rows)
    return rows


def _rows_of_frame(frame: Any) -> Iterator[Dict[str, Any]]:
    names: List[Any] = list(frame.columns)
    if len(set(names)) != len(names):
        raise Error(Code.BAD_INPUT, "the data frame has two columns of one name", "rename one of them")
    columns = [frame[name].tolist() for name in names]
    if not columns:
        return iter(())
    return (dict(zip(names, values)) for values in zip(*columns))
