"""Measures of plain lists of texts: no store is needed, and none is left behind."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, NamedTuple, Sequence, Union

from ._guarded import core as _core
from ._errors import Code, Error
from ._looks import Quick
from ._progress import Progress, told
from ._rows import rows_of

if TYPE_CHECKING:
    import numpy


class Score(NamedTuple):
    """Precision over the hypothesis, recall over the reference, and F1."""

    precision: float
    recall: float
    f: float


class Hits(NamedTuple):
    """The best texts for each query, best first. Where there are fewer than k: number -1, score 0."""

    documents: "numpy.ndarray[Any, Any]"  # numbers of documents, [queries, k]
    scores: "numpy.ndarray[Any, Any]"
    tied: "numpy.ndarray[Any, Any]"  # other documents with exactly this score


class Judged(NamedTuple):
    """1 the passage says the same, 2 something similar, 3 it does not support the claim; 0 there is no rating."""

    ratings: "numpy.ndarray[Any, Any]"
    scores: "numpy.ndarray[Any, Any]"


def rouge_l(reference: str, hypothesis: str, *, stem: bool = True) -> Score:
    """ROUGE-L as rouge_score computes it, bit for bit."""
    return Score(*(float(x) for x in rouge_l_batch([reference], [hypothesis], stem=stem)[0]))


def rouge_l_batch(
    references: Iterable[str], hypotheses: Iterable[str], *, stem: bool = True
) -> "numpy.ndarray[Any, Any]":
    """An array [pairs, 3] of precision, recall and F1."""
    return _core.rouge_l(references, hypotheses, stem)


def bm25(
    queries: Iterable[str], documents: Iterable[str], k: int = 10, *, k1: float = 0.9, b: float = 0.4
) -> Hits:
    """The best ``k`` documents of each query, as the attacker bm25 finds them. Ties go to the first document."""
    return Hits(*_core.bm25(queries, documents, k, k1, b))


def judge(claims: Iterable[str], passages: Iterable[str], *, judge: str = "lexical") -> Judged:
    """Whether passage i supports claim i, by an embedded judge: lexical, lexical-wordnet or rouge."""
    return Judged(*_core.judge(judge, claims, passages))


Texts = Union[Sequence[str], Iterable[Mapping[str, Any]], Any]


def _paired(name: str, texts: Texts) -> Any:
    """A list of str becomes rows that are numbered; rows stay as they are."""
    if isinstance(texts, (list, tuple)) and texts and all(isinstance(text, str) for text in texts):
        return [{"id": str(i + 1), "text": text} for i, text in enumerate(texts)]
    rows = rows_of(texts)
    if isinstance(rows, str):
        raise Error(Code.USAGE, f"{name}: texts were expected, not one str", "give a list of texts, or rows")
    return rows


def quick(originals: Texts, sanitized: Texts, *, progress: Progress = None) -> Quick:
    """What an attacker still finds and learns: a list of texts and what a sanitizer made of them.

    Both are lists of str of the same length, or rows with "id" and "text". The store that this needs is made in a
    folder of its own, readable by you alone, and removed at the end.
    """
    before, after = _paired("originals", originals), _paired("sanitized", sanitized)
    if isinstance(originals, (list, tuple)) and isinstance(sanitized, (list, tuple)):
        if len(originals) != len(sanitized) and isinstance(originals[0] if originals else "", str):
            raise Error(
                Code.BAD_INPUT,
                f"{len(originals)} originals and {len(sanitized)} sanitized texts",
                "give lists of the same length, or rows with ids",
            )
    with tempfile.TemporaryDirectory(prefix="residue-quick-") as folder, told(progress) as callback:
        answer: Dict[str, Any] = _core.quick(folder, before, after, callback)
    return Quick(answer)


