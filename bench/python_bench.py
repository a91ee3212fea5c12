"""What the Python package costs:  PYTHONPATH=build/python/python /usr/bin/python3 bench/python_bench.py FOLDER [PEER]

FOLDER keeps two stores between runs. PEER is bench/plain_texts_bench: the same work in C++ alone. Processor seconds of
this process and of its children, each the least of three.
"""

import json
import pathlib
import random
import resource
import sqlite3
import subprocess
import sys

import pandas

import residue

RECORDS, RUNS = 16_000, 5
MANY, CLAIMS = 200_000, 12
PAIRS, TIMES, QUERIES, DOCUMENTS = 20_000, 10, 2_000, 20_000


def cpu() -> float:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def cost(work, rounds=3):
    """(least processor seconds, what the work gave)"""
    least, answer = float("inf"), None
    for _ in range(rounds):
        answer = None
        began = cpu()
        answer = work()
        least = min(least, cpu() - began)
    return least, answer


def words(draw: random.Random, count: int) -> str:
    return " ".join(f"w{int(draw.paretovariate(0.6)) % 50_000}" for _ in range(count))


def scores_store(folder: pathlib.Path) -> residue.Store:
    if folder.exists():
        return residue.open(folder)
    store = residue.open(folder, create=True)
    draw = random.Random(1)
    rows = [{"id": f"record-{i}", "text": words(draw, 12)} for i in range(RECORDS)]
    store.ingest_dataset("d", rows)
    store.ingest_claims("d", ({"record": row["id"], "claims": [row["text"]]} for row in rows))
    for run in range(RUNS):
        store.ingest_run(f"d/run-{run}", ({"id": row["id"], "text": row["text"][run * 7 :]} for row in rows))
    store.eval("d", protocol="random/first:1")
    return store


def claims_store(folder: pathlib.Path) -> residue.Store:
    if folder.exists():
        return residue.open(folder)
    store = residue.open(folder, create=True)
    store.ingest_dataset("d", ({"id": f"record-{i}", "text": f"text {i % 1000}"} for i in range(MANY)))
    store.ingest_claims(
        "d", ({"record": f"record-{i}", "claims": [f"claim {i % 997} {n}" for n in range(CLAIMS)]} for i in range(MANY))
    )
    return store


def into_pandas(folder: pathlib.Path) -> None:
    store = scores_store(folder / "scores")
    query = "SELECT run, record, metric, state, value, slice FROM scores LIMIT 1000000"
    ours, frame = cost(lambda: store.sql(query, timeout=600))
    plain = folder / "plain.db"
    if not plain.exists():
        with sqlite3.connect(plain) as db:
            frame.to_sql("scores", db, index=False)
    db = sqlite3.connect(plain)
    theirs, other = cost(lambda: pandas.read_sql(query, db))
    assert len(frame) == len(other), (len(frame), len(other))
    print(f"{len(frame):,} score rows: {ours:.2f} CPU s; pandas.read_sql of a plain table of them {theirs:.2f}")


def claims(folder: pathlib.Path) -> None:
    store = claims_store(folder / "claims")
    query = "SELECT record, n, claim_text FROM claims"
    began = resource.getrusage(resource.RUSAGE_SELF)
    both, frame = cost(lambda: store.sql(query, timeout=600))
    ended = resource.getrusage(resource.RUSAGE_SELF)
    here = (ended.ru_utime + ended.ru_stime - began.ru_utime - began.ru_stime) / 3
    assert len(frame) == MANY * CLAIMS
    print(f"{len(frame):,} claims: {both:.2f} CPU s, of these {here:.2f} in the Python process")


def texts(folder: pathlib.Path, peer: str) -> None:
    draw = random.Random(2)
    a = [words(draw, 100) for _ in range(PAIRS)]
    b = [words(draw, 100) for _ in range(PAIRS)]
    for name, lines in (("a.txt", a), ("b.txt", b)):
        (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    many_a, many_b = a * TIMES, b * TIMES
    rouge, scores = cost(lambda: residue.rouge_l_batch(many_a, many_b))
    bm25, hits = cost(lambda: residue.bm25(b[:QUERIES], a[:DOCUMENTS], 10))
    print(f"ROUGE-L of {PAIRS * TIMES:,} pairs: {rouge:.2f} CPU s; BM25 of {QUERIES:,} queries: {bm25:.2f}")
    if peer:
        out = subprocess.run([peer, folder / "a.txt", folder / "b.txt", str(TIMES), str(QUERIES)], check=True, capture_output=True)
        theirs = json.loads(out.stdout)
        assert abs(theirs["rouge_sum"] - float(scores[:, 2].sum())) < 1e-4, theirs
        assert abs(theirs["bm25_sum"] - float(hits.scores.sum())) < 1e-6, theirs
        print(f"the same in C++: {theirs['rouge']:.2f} and {theirs['bm25']:.2f}")
        print(f"ratios: {rouge / theirs['rouge']:.2f} and {bm25 / theirs['bm25']:.2f}")


if __name__ == "__main__":
    where = pathlib.Path(sys.argv[1])
    where.mkdir(parents=True, exist_ok=True)
    texts(where, sys.argv[2] if len(sys.argv) > 2 else "")
    into_pandas(where)
    claims(where)
