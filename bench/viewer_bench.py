#!/usr/bin/python3
"""The server of `residue serve` on a large store: seconds of each view, and its memory.

viewer_bench.py PROGRAM STORE      STORE: questions_bench --records N --runs 10 --keep STORE --ask 0

Each answer is compared with what `residue sql` says before it is timed. A first answer is with nothing kept; others are
the best of five.
"""

import http.client
import json
import pathlib
import signal
import subprocess
import sys
import time
import urllib.parse

PROGRAM, STORE = sys.argv[1:3]
LENS = "dataset=clinic&protocol=bm25/random:3@42/claims&judge=lexical"


def sql(query):
    out = subprocess.run([PROGRAM, "--store", STORE, "sql", query, "--format", "json", "--timeout", "100"], capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    return json.loads(out.stdout)


class Server:
    def __init__(self):
        self.process = subprocess.Popen([PROGRAM, "--store", STORE, "serve", "--originals"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        url = urllib.parse.urlsplit(self.process.stdout.readline().strip())
        self.host, self.token = url.netloc, url.fragment

    def ask(self, path, body=None):
        begun = time.monotonic()
        connection = http.client.HTTPConnection(self.host, timeout=60)
        connection.request("POST" if body else "GET", path, body=body, headers={"Authorization": f"Bearer {self.token}"})
        answer = connection.getresponse()
        text = answer.read()
        took = time.monotonic() - begun
        connection.close()
        assert answer.status == 200, (path, answer.status, text[:300])
        return json.loads(text), took, len(text)

    def memory(self):
        """Resident bytes of the server and of the processes that answer, the most that was seen."""
        total = 0
        for status in pathlib.Path("/proc").glob("[0-9]*/status"):
            try:
                text = status.read_text()
            except OSError:
                continue
            fields = dict(line.split(":", 1) for line in text.splitlines() if ":" in line)
            if int(fields["Pid"]) == self.process.pid or int(fields["PPid"]) == self.process.pid:
                total += int(fields.get("VmRSS", "0 kB").split()[0]) * 1024
        return total


def main():
    count = sql("SELECT count(*) AS n FROM records WHERE dataset = 'clinic'")[0]["n"]
    server = Server()
    checks = {
        "rows of a metric": (f"/api/records?{LENS}&run=scrub&metric=semantic_distance", lambda got: got["total"] == count),
        "the same, sorted the other way": (f"/api/records?{LENS}&run=scrub&metric=semantic_distance&desc=1", lambda got: got["total"] == count),
        "filtered by outcome": (f"/api/records?{LENS}&run=scrub&metric=semantic_distance&outcome=right", lambda got: got["total"] == sql(
            "SELECT count(*) AS n FROM scores WHERE run = 'scrub' AND metric = 'semantic_distance' AND slice = '' AND outcome = 'right' "
            "AND protocol = 'bm25/random:3@42/claims' AND judge = 'lexical'")[0]["n"]),
        "leaks, counted later": (f"/api/leaks?{LENS}&run=scrub&counts=later", lambda got: len(got["rows"]) == 100),
        "leaks": (f"/api/leaks?{LENS}&run=scrub", lambda got: got["total"] == sql(
            "SELECT count(*) AS n FROM leaks WHERE run = 'scrub' AND protocol = 'bm25/random:3@42/claims' AND judge = 'lexical'")[0]["n"]),
        "leaks of a category": (f"/api/leaks?{LENS}&run=scrub&category=Health", lambda got: got["total"] > 0),
        "one record, as its page asks first": (f"/api/record?{LENS}&record=n-50100&run=scrub&terms=no", lambda got: got["claims"] and got["released"]),
        "the terms of the attack on it": (f"/api/terms?{LENS}&record=n-50100&run=scrub", lambda got: got["terms"] or "residue link" in got["missing"]),
        "votes on a claim": (f"/api/votes?{LENS}&record=n-50100&run=scrub&n=1", lambda got: len(got["judges"]) > 0),
        "runs, without doubts": (f"/api/runs?{LENS}&notes=no&where=", lambda got: got["total"] == len(sql("SELECT run FROM runs"))),
        "doubts": (f"/api/notes?{LENS}", lambda got: "notes" in got),
        "runs": (f"/api/runs?{LENS}", lambda got: got["total"] == len(sql("SELECT run FROM runs"))),
        "compare": (f"/api/compare?{LENS}&baseline=scrub&run=half", lambda got: len(got["metrics"]) > 3),
        "slices": (f"/api/slices?{LENS}&metric=leak_by_category", lambda got: got["total"] > 0),
        "store": ("/api/store", lambda got: got["datasets"][0]["records"] == count),
        "status": ("/api/status", lambda got: len(got["runs"]) == len(sql("SELECT run FROM runs"))),
        "change": ("/api/change", lambda got: got["change"]),
    }
    first_begun = time.monotonic()
    for path in ("/api/store", "/api/lenses?dataset=clinic", f"/api/runs?{LENS}&notes=no"):
        server.ask(path)
    print(f"{count} records: first useful page (store, lenses, runs) {time.monotonic() - first_begun:.3f} s")
    most = server.memory()
    for name, (path, right) in checks.items():
        try:
            got, took, size = server.ask(path)
        except AssertionError as error:
            print(f"   not measured   {name}: {error}")
            continue
        assert right(got), name
        best = min(server.ask(path)[1] for _ in range(5))
        most = max(most, server.memory())
        print(f"{best:7.3f} s  (first {took:.3f})  {size:9} B  {name}")
    print(f"{most / 2**20:.0f} MiB resident, the server and what answers")
    server.process.send_signal(signal.SIGINT)
    server.process.wait()


main()
