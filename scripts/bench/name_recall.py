#!/usr/bin/env python3
"""What a run replaced against gold spans: spans, words, and names that stand elsewhere in their text too.

  name_recall.py GOLD SPANS [HALF]

GOLD: a file of TAB (.jsonl) or of presidio-research (.json). SPANS: the run's, as JSON Lines of {"record", "spans"}:
  residue sql "SELECT record.key AS record, text(variant.spans_id) AS spans FROM variant JOIN run ON run.id = run_id
    JOIN record ON record.id = record_id WHERE run.name = 'scrub'" --format jsonl
HALF: 0 or 1, of the SHA-256 of the record's id. Rules were chosen on 0.

A mention of a person counts as named elsewhere where another one of the text has all its words, and a title or a
second word. It is found where all letters and digits of its words, without titles, are replaced.
"""
import hashlib
import json
import re
import sys
from collections import Counter

TITLES = set("dr mr mrs ms mx miss prof professor doctor sir dame lady rev capt captain herr frau mme judge lord".split())
WORD = re.compile(r"[^\W_]+")


def gold_of(path):
    if path.endswith(".jsonl"):
        for line in open(path):
            row = json.loads(line)
            yield row["metadata"]["provenance"]["doc_id"], row["text"], [
                (e["start_offset"], e["end_offset"], e["entity_type"], e["identifier_type"] != "NO_MASK")
                for e in row["entities"]]
    else:
        for i, row in enumerate(json.load(open(path))):
            yield str(i), row["full_text"], [
                (s["start_position"], s["end_position"], s["entity_type"], True) for s in row["spans"]]


def names(text):
    return {w.casefold() for w in WORD.findall(text)} - TITLES - {"s"}


def titled(text, start, end):
    first = WORD.search(text, start, end)
    before = WORD.findall(text[max(0, start - 12):start])
    return (first and first.group().casefold() in TITLES) or (before and before[-1].casefold() in TITLES)


def main():
    runs = {row["record"]: json.loads(row["spans"] or "[]") for row in map(json.loads, open(sys.argv[2]))}
    half = int(sys.argv[3]) if len(sys.argv) > 3 else None
    n = Counter()
    for record, text, spans in gold_of(sys.argv[1]):
        if half is not None and int(hashlib.sha256(record.encode()).hexdigest(), 16) % 2 != half:
            continue
        raw, gone = text.encode(), [False] * len(text)
        for begin, end, *_ in runs.get(record, []):
            start = len(raw[:begin].decode())
            for i in range(start, start + len(raw[begin:end].decode())):
                gone[i] = True
        masked = lambda word: all(gone[word.start():word.end()])
        marked, known = [False] * len(text), [False] * len(text)
        for start, end, _, mask in spans:
            for i in range(start, end):
                known[i], marked[i] = True, marked[i] or mask
            n["spans"] += mask
            n["spans found"] += mask and all(map(masked, WORD.finditer(text, start, end)))
        for word in WORD.finditer(text):
            n["words"] += marked[word.start()]
            n["words found"] += marked[word.start()] and masked(word)
            n["replaced"] += masked(word)
            n["right"] += masked(word) and marked[word.start()]
            n["of any entity"] += masked(word) and known[word.start()]
        people = [(start, end) for start, end, type_, _ in spans if type_ == "PERSON"]
        for start, end in people:
            mine = names(text[start:end])
            others = [(a, b) for a, b in people if (a, b) != (start, end) and mine <= names(text[a:b])]
            if not mine or not any(len(names(text[a:b])) > 1 or titled(text, a, b) for a, b in others):
                continue
            n["named elsewhere"] += 1
            n["of these found"] += all(masked(w) for w in WORD.finditer(text, start, end) if w.group().casefold() in mine)
    for what, part, of in (("span recall", "spans found", "spans"), ("token recall", "words found", "words"),
                           ("token precision", "right", "replaced"), ("token precision, any entity", "of any entity", "replaced"),
                           ("persons named elsewhere", "of these found", "named elsewhere")):
        print(f"{what}: {n[part]} of {n[of]}, {n[part] / max(n[of], 1):.3f}")


main()
