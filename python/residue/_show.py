"""Rows as text, Markdown and HTML. What is shown may be words of anybody: it is always escaped."""

from __future__ import annotations

import html
from typing import Any, Dict, List, Sequence

Row = Dict[str, Any]


def cell(value: Any) -> str:
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, (list, tuple)):
        return ", ".join(cell(one) for one in value)
    return str(value)


def _visible(text: str) -> str:
    """In one line, without control characters: those could drive a terminal."""
    return "".join(c if c.isprintable() else " " for c in text)


def text_table(columns: Sequence[str], rows: Sequence[Row]) -> str:
    lines: List[List[str]] = [list(columns)]
    lines += [[_visible(cell(row.get(column))) for column in columns] for row in rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(columns))]
    return "\n".join("  ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip() for line in lines)


def markdown_table(columns: Sequence[str], rows: Sequence[Row]) -> str:
    def escaped(value: Any) -> str:
        text = html.escape(_visible(cell(value)), quote=False)
        return "".join("\\" + c if c in "\\|*_`[]" else c for c in text)

    lines = ["| " + " | ".join(escaped(column) for column in columns) + " |", "|" + " --- |" * len(columns)]
    lines += ["| " + " | ".join(escaped(row.get(column)) for column in columns) + " |" for row in rows]
    return "\n".join(lines)


def html_table(columns: Sequence[str], rows: Sequence[Row]) -> str:
    head = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(_visible(cell(row.get(column))))}</td>" for column in columns) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
