"""Residue measures what a text sanitizer leaves behind.

>>> import residue
>>> store = residue.open("study", create=True)
>>> store.ingest_dataset("clinic", rows)           # a data frame, a dataset, or dicts with "id" and "text"
>>> store.atomize("clinic")
>>> store.sanitize("mine", "clinic", my_function)  # str -> str
>>> store.eval("clinic")
>>> store.report("clinic")

Without a store: rouge_l, rouge_l_batch, bm25, judge, quick.
"""

from ._errors import Code, Error
from ._looks import Comparison, Leaks, Quick, Report
from ._store import Ingested, Store, open
from ._texts import Hits, Judged, Score, bm25, judge, quick, rouge_l, rouge_l_batch

__version__ = "0.1.0"

__all__ = [
    "Code",
    "Comparison",
    "Error",
    "Hits",
    "Ingested",
    "Judged",
    "Leaks",
    "Quick",
    "Report",
    "Score",
    "Store",
    "bm25",
    "judge",
    "open",
    "quick",
    "rouge_l",
    "rouge_l_batch",
]
