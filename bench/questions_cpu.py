"""Processor seconds of the thirty questions, of `residue leaks`, of one filter of each kind, and of a million rows of
scores beside the same rows in a plain table of SQLite.

  questions_cpu.py PROGRAM STORE [RUN]      STORE: as bench/questions_bench --keep makes it

User and system time of the whole process, its start and its child included, the better of two. Both answers about the
million rows are compared before they are timed.
"""
import csv
import io
import os
import pathlib
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile

QUESTIONS = pathlib.Path(__file__).resolve().parents[1] / "query/sql/advice/questions.sql"
ROWS = 1_000_000
SUMS = ("SELECT count(value), count(weight), count(*) FROM (SELECT value, weight FROM scores LIMIT 1000000)",
        "SELECT count(dataset), count(run), count(protocol), count(judge), count(record), count(metric), count(state), "
        "count(outcome), count(value), count(weight), count(slice) FROM (SELECT * FROM scores LIMIT 1000000)")


def run(*words):
    """Processor seconds, and what it says; nothing where it fails."""
    best, said = None, None
    for _ in range(2):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = cpu if best is None else min(best, cpu)
        said = done.stdout if done.returncode == 0 else None
    return best, said


def show(cpu, said, words):
    print(f"{cpu:6.2f} s  {words}" if said is not None else f"  failed  {words}", flush=True)


def questions():
    for part in re.split(r"\n\n", QUESTIONS.read_text(encoding="utf-8").strip()):
        words, statement = part.split("\n", 1)
        flags = re.findall(r"\((--\w+)\)", words)
        yield re.sub(r" \(--\w+\)$", "", words[3:]), flags, statement.rstrip(";")


def plain_table(program, store, file):
    rows = subprocess.run([program, "-q", "--store", store, "sql", "--csv", "--timeout", "600", "--limit", str(ROWS),
                           f"SELECT * FROM scores LIMIT {ROWS}"], capture_output=True, text=True, check=True).stdout
    read = csv.reader(io.StringIO(rows))
    columns = next(read)
    reals = {columns.index("value"), columns.index("weight")}
    db = sqlite3.connect(file)
    kinds = ", ".join(f'"{name}" {"REAL" if i in reals else "INTEGER" if name == "sample" else "TEXT"}'
                      for i, name in enumerate(columns))
    db.execute(f"CREATE TABLE scores ({kinds})")
    # An empty cell of CSV is NULL here, but for the slice, where it is the whole.
    db.executemany(f"INSERT INTO scores VALUES ({', '.join('?' * len(columns))})",
                   ([cell if cell or columns[i] == "slice" else None for i, cell in enumerate(row)] for row in read))
    db.commit()
    db.close()


def main():
    program, store = sys.argv[1:3]
    run_name = sys.argv[3] if len(sys.argv) > 3 else "scrub"

    def sql(statement, *flags):
        return run(program, "-q", "--store", store, "sql", "--csv", "--timeout", "600", *flags, statement)

    for words, flags, statement in questions():
        show(*sql(statement, *flags), words)
    for more in ([], ["--category", "Health"]):
        show(*run(program, "-q", "--store", store, "leaks", f"clinic/{run_name}", "--limit", "20", "--no-text", *more),
             " ".join(["residue leaks --limit 20", *more]))
    for view in ("links", "judgments", "leaks", "scores"):
        for column, value in (("record", "n-01"), ("protocol", "none such"), ("judge", "none such"),
                              ("run", "none such")):
            if (view, column) != ("links", "judge"):
                show(*sql(f"SELECT count(*) FROM {view} WHERE {column} = '{value}'"), f"{view} WHERE {column} = '{value}'")
    show(*sql("SELECT count(*) FROM claims WHERE category = '[\"Health\"]'"), "claims of one category")
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "plain.db")
        plain_table(program, store, file)
        for statement in SUMS:
            ours, said = sql(statement)
            plain, expected = run("sqlite3", "-csv", "-header", file, statement)
            if said is None or expected is None or said.split() != expected.replace("\r", "").split():
                sys.exit(f"different answers: {said!r} and {expected!r}")
            print(f"{ours:6.2f} s, plain table {plain:.2f} s, {ours / plain:.1f} times  {statement[:60]}...")


if __name__ == "__main__":
    main()
