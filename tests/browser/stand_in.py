"""A stand-in for the server of `residue serve`: the same answers, made by the program's other commands from a store.

For tests of the pages alone: what the real server cannot be brought to say (errors, values of odd shapes) is put into
`answers` by path, and is said as it stands.
"""
import csv
import http.server
import io
import json
import os
import re
import subprocess
import threading
import time
import urllib.parse

SHOWN = ["linkage_rate", "semantic_distance", "leak_rate", "full_leak_rate", "mean_risk", "rougeL_f"]
NUMBERS = ("value", "low", "high", "n", "failed", "missing", "coverage")
FREE = ("mean_risk", "max_risk", "anonymity_rank", "rank_bits")  # Of every attacker's slice ''.
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:"
PAGES = ("/", "/runs", "/compare", "/records", "/record", "/leaks", "/search", "/plot", "/sql", "/status", "/label",
         "/intruder")
TYPES = {".js": "text/javascript", ".css": "text/css", ".html": "text/html; charset=utf-8"}


class Refused(Exception):
    def __init__(self, code, error, hint=None, place=None):
        super().__init__(error)
        self.code, self.answer = code, {"error": error, "hint": hint, "place": place}


def quoted(word):
    return "'" + word.replace("'", "''") + "'"


def table(columns, rows, q, sql, facets=None):
    offset, limit = int(q.get("offset", 0)), int(q.get("limit", 100))
    answer = {"columns": columns, "rows": rows[offset:offset + limit], "total": len(rows), "offset": offset, "sql": sql}
    if facets is not None:
        answer["facets"] = facets
    return answer, rows


class Store:
    def __init__(self, program, folder, level="originals"):
        self.program, self.folder, self.level, self.kept, self.at = program, folder, level, {}, None
        self.answers = {}
        self.people = None  # what people are asked and said: people_answers.People

    def run(self, *words):
        return subprocess.run([self.program, "-q", *words], cwd=self.folder, capture_output=True, text=True)

    def json(self, *words):
        done = self.run(*words, "--format", "json")
        if done.returncode not in (0, 1):
            raise Refused(400, done.stderr.splitlines()[0].removeprefix("residue: ") if done.stderr else "failed")
        return json.loads(done.stdout or "null")

    def rows(self, sql, level="originals"):
        at = self.change()
        if at != self.at:
            self.at, self.kept = at, {}
        if (sql, level) not in self.kept:
            self.kept[sql, level] = self.json("sql", *([] if level == "released" else ["--" + level]), sql)
        return self.kept[sql, level]

    def change(self):
        stamps = []
        for root, _, files in os.walk(os.path.join(self.folder, ".residue")):
            stamps += [os.stat(os.path.join(root, name)).st_mtime_ns for name in files if not name.endswith(("shm", "lock.mdb"))]
        return str(max(stamps))

    def may(self, kind):
        order = ("released", "claims", "originals")
        return order.index(self.level) >= order.index(kind)

    # Answers, by the last part of the path; (answer) or (TABLE, all its rows).
    def store(self, q):
        return {"version": "stand-in", "level": self.level, "change": self.change(),
                "datasets": self.rows("SELECT dataset, records, control_of FROM datasets ORDER BY dataset")}

    def changed(self, q):
        return {"change": self.change()}

    def metrics(self, q):
        rows = self.rows("SELECT DISTINCT metric, direction FROM metrics ORDER BY metric")
        return {"metrics": [{**row, "means": f"What residue help {row['metric']} says."} for row in rows]}

    def notes(self, q):
        return {"notes": ["failed and missing records count as leaked"]}

    def lenses(self, q):
        rows = self.rows("SELECT protocol, sample, judge, count(DISTINCT run) AS runs FROM metrics WHERE dataset = "
                         f"{quoted(q['dataset'])} AND protocol IS NOT NULL AND judge IS NOT NULL GROUP BY 1, 2, 3 ORDER BY protocol LIKE 'bm25%' DESC, 1 DESC")
        return {"lenses": rows}

    def lens(self, q):
        lenses = self.lenses(q)["lenses"]
        protocol = q.get("protocol") or (lenses[0]["protocol"] if lenses else "")
        return protocol, q.get("judge") or next((one["judge"] for one in lenses if one["protocol"] == protocol), "")

    def values(self, q, where):
        protocol, judge = self.lens(q)
        return self.rows(f"SELECT * FROM metrics WHERE dataset = {quoted(q['dataset'])} AND coalesce(protocol, {quoted(protocol)}) = "
                         f"{quoted(protocol)} AND coalesce(judge, {quoted(judge)}) = {quoted(judge)} AND {where}")

    def runs(self, q):
        protocol, judge = self.lens(q)
        runs = self.rows(f"SELECT * FROM runs WHERE dataset = {quoted(q['dataset'])} ORDER BY run")
        columns = q["columns"].split(",") if q.get("columns") else SHOWN
        values = {(v["run"], v["metric"]): v for v in self.values(q, "slice = ''")}
        out = []
        for run in runs:
            params = json.loads(run["params"] or "{}").get("params", {})
            out.append({"run": run["run"], "kind": run["kind"], "control": run["kind"] in ("none", "remove-all"),
                        "sanitizer": run["sanitizer"], "params": params, "seed": run["seed"], "group": run["group"],
                        "tags": [], "variants": run["variants"], "failed": run["failed"], "created_at": run["created_at"],
                        "metrics": {m: {k: values[run["run"], m][k] for k in NUMBERS} for m in columns if (run["run"], m) in values}})
        everything = len(out)
        if q.get("where"):
            found = re.fullmatch(r"\s*(\w+)(?:\.(\w+))?\s*(>|<|=)\s*(\S+)\s*", q["where"])
            if not found:
                raise Refused(400, f"where: expected a name, not '{q['where'][:20]}'", "for example param.rate > 0.3", 0)
            name, param, sign, to = found.groups()
            read = (lambda run: run["params"].get(param)) if param else (
                lambda run: run["metrics"][name]["value"] if name in run["metrics"] else run.get(name))
            out = [run for run in out if read(run) is not None and (
                str(read(run)) == to if sign == "=" else (float(read(run)) > float(to)) == (sign == ">"))]
        if q.get("sort"):
            name = q["sort"]
            read = (lambda run: run["params"].get(name[6:])) if name.startswith("param.") else (
                lambda run: run["metrics"].get(name, run).get("value", run.get(name)))
            out.sort(key=lambda run: (read(run) is None, read(run) if isinstance(read(run), (int, float)) else str(read(run))),
                     reverse=q.get("desc") == "1")
        names = sorted({name for run in out for name in run["params"]})
        shown = ", ".join(quoted(run["run"]) for run in out)
        return {"dataset": q["dataset"], "protocol": protocol, "judge": judge, "columns": columns,
                "params": [n for n in names if len({str(run["params"][n]) for run in out if n in run["params"]}) > 1],
                "runs": out, "total": everything, "shown": len(out),
                "notes": [],
                "sql": f"SELECT run, metric, value, low, high FROM metrics WHERE dataset = {quoted(q['dataset'])} AND run IN ({shown}) AND "
                       f"metric IN ({', '.join(map(quoted, columns))}) AND slice = '' AND coalesce(protocol, {quoted(protocol)}) = {quoted(protocol)} AND "
                       f"coalesce(judge, {quoted(judge)}) = {quoted(judge)};"}

    def compare(self, q):
        protocol, judge = self.lens(q)
        of = f"{q['dataset']}/"
        answer = self.json("compare", of + q["baseline"], of + q["run"], "--protocol", protocol, "--judge", judge)
        scores = {run: {(s["metric"], s["record"]): s for s in self.scores(q, run, "slice = ''")} for run in (q["baseline"], q["run"])}
        metrics = []
        directions = {m["metric"]: m["direction"] for m in self.metrics(q)["metrics"]}
        for name, m in (answer["comparisons"][0]["metrics"] if answer["comparisons"] else {}).items():
            if "baseline" not in m:
                continue
            sign = 1 if directions[name] == "higher = more private" else -1
            counts = {"better": 0, "worse": 0, "same": 0}
            for (metric, record), before in scores[q["baseline"]].items():
                after = scores[q["run"]].get((metric, record))
                if metric == name and after and before["value"] is not None and after["value"] is not None:
                    by = sign * (after["value"] - before["value"])
                    counts["better" if by > 0 else "worse" if by < 0 else "same"] += 1
            metrics.append({"metric": name, "direction": directions[name], "baseline": m["baseline"], "run": m["value"],
                            "difference": m["delta"], "low": m["low"], "high": m["high"], "p": m["p"], "corrected_p": m["p_corrected"], "n": m["n"],
                            **counts})
        links = [{link["record"]: link["outcome"] for link in self.links(q, run)} for run in (q["baseline"], q["run"])]
        flips = [[r, links[0][r], links[1].get(r)] for r in sorted(links[0]) if links[0][r] != links[1].get(r)]
        combinations = [[before, after, 1] for _, before, after in flips]
        flips, whole = table(["record", "before", "after"], flips, q, "SELECT record, outcome FROM links;")
        if q.get("format") == "csv":
            return flips, whole
        flips["combinations"] = combinations
        return {"baseline": q["baseline"], "run": q["run"], "protocol": protocol, "judge": judge, "metrics": metrics, "flips": flips, "notes": []}

    def links(self, q, run):
        return self.rows(f"SELECT * FROM links WHERE dataset = {quoted(q['dataset'])} AND run = {quoted(run)} AND protocol = "
                         f"{quoted(self.lens(q)[0])} ORDER BY record")

    def scores(self, q, run, where):
        protocol, judge = self.lens(q)
        return self.rows(f"SELECT * FROM scores WHERE dataset = {quoted(q['dataset'])} AND run = {quoted(run)} AND "
                         f"coalesce(protocol, {quoted(protocol)}) = {quoted(protocol)} AND coalesce(judge, {quoted(judge)}) = {quoted(judge)} AND {where}")

    def filtered(self, rows, q, names, cells=lambda row, name: [row[name]]):
        """Rows that agree with all facets; of each facet, counts of what the other facets leave."""
        def kept(row, but=None):
            return all(str(q[n]) in [str(c) for c in cells(row, n)] for n in names if q.get(n) and n != but)
        facets = {}
        for name in names:
            counts = {}
            for row in rows:
                if kept(row, name):
                    for cell in cells(row, name):
                        if cell is not None:
                            counts[cell] = counts.get(cell, 0) + 1
            facets[name] = sorted(counts.items(), key=lambda item: -item[1])
        return [row for row in rows if kept(row)], facets

    def records(self, q):
        rows, facets = self.filtered([{**s, "slice": s["slice"]} for s in self.scores(q, q["run"], f"metric = {quoted(q['metric'])}")
                                      if q.get("slice") or s["slice"] == ""], q, ("state", "outcome", "slice"))
        by = "record" if q.get("sort") == "record" else "value"
        rows = sorted(rows, key=lambda r: (r[by] is None, r[by], r["record"]), reverse=q.get("desc") == "1")
        return table(["record", "state", "outcome", "value", "weight"],
                     [[r[n] for n in ("record", "state", "outcome", "value", "weight")] for r in rows], q,
                     f"SELECT record, state, outcome, value, weight FROM scores WHERE run = {quoted(q['run'])} AND metric = {quoted(q['metric'])};", facets)

    def judged(self, q, view, where="1"):
        protocol, judge = self.lens(q)
        return self.rows(f"SELECT *, text(claim_text) AS claim, text(linked_text) AS linked FROM {view} WHERE dataset = {quoted(q['dataset'])} AND run = "
                         f"{quoted(q['run'])} AND protocol = {quoted(protocol)} AND judge = {quoted(judge)} AND {where}")

    def leaks(self, q):
        rows = [{**r, "category": json.loads(r["category"] or "[]")} for r in self.judged(q, "leaks")]
        rows, facets = self.filtered(rows, q, ("category", "outcome", "rating"),
                                     lambda row, n: row[n] if n == "category" else [row[n]])
        return table(["record", "n", "rating", "outcome", "category", "claim"],
                     [[r["record"], r["n"], r["rating"], r["outcome"], r["category"], r["claim"] if self.may("claims") else None] for r in rows], q, f"SELECT record, n, rating, outcome FROM leaks WHERE run = {quoted(q['run'])};", facets)

    def record(self, q):
        of, key = q["dataset"], q["record"]
        known = self.rows(f"SELECT * , text(record_text) AS original FROM records WHERE dataset = {quoted(of)} AND record = {quoted(key)}")
        if not known:
            raise Refused(404, f"no record '{key}' in dataset {of}", "residue show lists them")
        protocol, judge = self.lens(q)
        variants = self.rows(f"SELECT *, text(variant_text) AS released FROM variants WHERE dataset = {quoted(of)} AND record = {quoted(key)}")
        links = self.rows(f"SELECT *, text(linked_text) AS found, text(query_text) AS query FROM links WHERE dataset = {quoted(of)} AND record = "
                          f"{quoted(key)} AND protocol = {quoted(protocol)}")
        linked = {link["run"]: link for link in links}
        answer = {"dataset": of, "record": key, "person": known[0]["person"], "original": known[0]["original"],
                  "runs": [{"run": v["run"], "state": "failed" if v["error"] else "ok", "outcome": linked.get(v["run"], {}).get("outcome"),
                            "linked": linked.get(v["run"], {}).get("linked")} for v in variants], "hidden": []}
        if q.get("run"):
            own, link = next((v for v in variants if v["run"] == q["run"]), None), linked.get(q["run"])
            shown = self.json("show", f"{of}/{key}", "--run", q["run"], "--protocol", protocol, "--judge", judge) if protocol else {}
            why = {claim["n"]: claim for claim in shown.get("claims", [])}
            answer.update({"run": q["run"], "released": own and own["released"], "error": own and own["error"],
                           "found": {"record": link["linked"], "text": link["found"]} if link and link["linked"] else None,
                           "outcome": link and link["outcome"], "tied": link and link["tied"], "rank": link and link["rank"], "query": link and link["query"],
                           "claims": [{"n": j["n"], "claim": j["claim"], "category": json.loads(j["category"] or "[]"), "known": j["known"] == 1,
                                       "rating": j["rating"], "counts": j["counts"] == 1, "why": why.get(j["n"], {}).get("why"),
                                       "evidence": why.get(j["n"], {}).get("evidence")} for j in self.judged(q, "judgments", f"record = {quoted(key)}")],
                           "diff": self.diff(known[0]["original"], own and own["released"]),
                           "protocol": protocol, **({} if q.get("terms") == "no" else {"terms": self.terms_of(f"{of}/{q['run']}", key, protocol)}),
                           "scores": [{n: s[n] for n in ("metric", "state", "value", "outcome")} for s in self.scores(q, q["run"], f"slice = '' AND record = {quoted(key)}")],
                           "absent": None})
        for field, level in (("original", "originals"), ("diff", "originals"), ("query", "claims"), ("claims", "claims"), ("terms", "claims")):
            if not self.may(level) and field in answer:
                answer["hidden"].append(field)
                if field == "claims":
                    for claim in answer[field]:
                        claim.update({"claim": None, "why": None, "evidence": None, "hidden": True})
                else:
                    answer[field] = None
        return answer

    def votes(self, q):
        where = f"dataset = {quoted(q['dataset'])} AND run = {quoted(q['run'])} AND record = {quoted(q['record'])} AND n = {int(q['n'])}"
        rows = self.rows(f"SELECT judge, rating FROM judgments WHERE {where} AND protocol = {quoted(self.lens(q)[0])} AND rating IS NOT NULL")
        return {"record": q["record"], "n": int(q["n"]), "hidden": [], "sql": "SELECT judge, rating FROM judgments;",
                "judges": [{**row, "kind": "embedded", "asks": None, "together": 1, "votes": []} for row in rows]}

    def terms(self, q):
        shown = self.terms_of(f"{q['dataset']}/{q['run']}", q["record"], self.lens(q)[0]) if self.may("claims") else None
        return {"terms": shown, "missing": None, "hidden": [] if self.may("claims") else ["terms"]}

    def terms_of(self, run, key, protocol):
        try:
            terms = self.json("explain", run, key, "--protocol", protocol).get("terms", [])
        except Refused:
            return None
        return [{"term": t["term"], "documents": t["documents"], "winner": t["winner_share"], "truth": t["truth_share"]} for t in terms]

    @staticmethod
    def diff(before, after):
        if before is None or after is None:
            return None
        import difflib
        a, b, out = re.findall(r"\s+|\S+", before), re.findall(r"\s+|\S+", after), []
        tail = next((n for n, (x, y) in enumerate(zip(reversed(a), reversed(b))) if x != y), min(len(a), len(b)))
        rest, a, b = a[len(a) - tail:], a[:len(a) - tail], b[:len(b) - tail]
        for op, i, j, k, m in difflib.SequenceMatcher(None, a, b, False).get_opcodes():
            pieces = (("same", a[i:j]),) if op == "equal" else (("gone", a[i:j]), ("new", b[k:m]))
            out += [[state, "".join(words)] for state, words in (*pieces,) if words]
        return [*out, ["same", "".join(rest)]] if rest else out

    def search(self, q):
        if not self.may(q["in"]):
            raise Refused(400, f"this server does not read {q['in']}", f"residue serve --{q['in']} does")
        if q["in"] == "released":
            rows = self.rows(f"SELECT b.*, text(v.variant_text) AS words FROM bm25({quoted(q['dataset'] + '/' + q['run'])}, {quoted(q['q'])}, 20) b "
                             f"JOIN variants v ON v.dataset = {quoted(q['dataset'])} AND v.run = {quoted(q['run'])} AND v.record = b.record")
        else:
            text, view = ("claim_text", "claims") if q["in"] == "claims" else ("record_text", "records")
            rows = self.rows(f"SELECT record, text({text}) AS words, 1.0 AS score FROM {view} WHERE dataset = {quoted(q['dataset'])} AND "
                             f"instr(lower(text({text})), {quoted(q['q'].lower())})")
        return table(["rank", "record", "score", "text"], [[i + 1, r["record"], r["score"], r["words"]] for i, r in enumerate(rows)], q, None)

    def slices(self, q):
        names = ("run", "slice", "value", "low", "high", "n", "failed", "missing")
        values = self.values(q, f"metric = {quoted(q['metric'])} AND slice <> '' ORDER BY run, slice")
        return table(list(names), [[v[n] for n in names] for v in values], {"limit": "10000"}, "SELECT run, slice, value FROM metrics;")

    def status(self, q):
        runs = self.json("status")["runs"]
        return {"runs": [{**{n: run[n] for n in ("dataset", "run", "running", "variants", "failed")},
                          "current": all(e["state"] == "current" for e in run["evaluations"]),
                          "evaluations": [{**{n: e[n] for n in ("protocol", "judge", "sample")}, "current": e["state"] == "current"}
                                          for e in run["evaluations"]]} for run in runs], "incomplete": []}

    def questions(self, q):
        parts = re.findall(r"-- ([^\n]*)\n(.*?;)", self.run("help", "questions").stdout, re.S)
        return {"questions": [{"what": what, "sql": sql} for what, sql in parts],
                "views": [{"view": "runs", "columns": [{"name": "run", "type": "TEXT", "means": "the name of the run"}]}]}

    def sql(self, statement, whole):
        begin = time.monotonic()
        done = self.run("sql", *([] if self.level == "released" else ["--" + self.level]), "--format", "csv", "--limit", "1000", statement)
        if done.returncode:
            lines = done.stderr.splitlines()
            carets = [i for i, line in enumerate(lines) if line.strip() == "^"]
            error = next((line for line in lines if line.startswith("residue: ")), "failed").removeprefix("residue: sql: ")
            raise Refused(400, error, None, lines[carets[0]].index("^") - 2 if carets else None)
        rows = list(csv.reader(io.StringIO(done.stdout)))
        def cell(word):
            return None if word == "" else float(word) if re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", word) else word
        return {"columns": rows[0] if rows else [], "rows": [[cell(c) for c in row] for row in rows[1:]], "more": False,
                "ms": round((time.monotonic() - begin) * 1000)}


class Pages(http.server.BaseHTTPRequestHandler):
    store, source, token, cookie = None, None, "token", "session=open"

    def log_message(self, *words):
        pass

    def send(self, code, body, kind="application/json", cookie=None):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(code)
        for name, value in (("Content-Type", kind), ("Content-Security-Policy", POLICY), ("Cache-Control", "no-store"),
                            ("Content-Length", str(len(body))), *([("Set-Cookie", cookie)] if cookie else [])):
            self.send_header(name, value)
        try:
            self.end_headers()
            self.wfile.write(body)
        except OSError:
            pass  # Nobody waits for it any more.

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
        if self.path == "/api/session":
            good = body == self.token
            return self.send(204 if good else 403, b"", cookie=f"{self.cookie}; HttpOnly; SameSite=Strict" if good else None)
        name = urllib.parse.urlsplit(self.path).path.removeprefix("/api/")
        if name == "sql" or self.store.people is None:
            return self.answer(lambda q: self.store.sql(body, q))
        return self.answer(lambda q: self.store.people.say("POST", name, q, json.loads(body)))

    def do_GET(self):
        path = urllib.parse.urlsplit(self.path).path
        if path in PAGES:
            return self.file("web/viewer.html")
        if path.startswith("/web/") and path not in self.store.answers:
            name = os.path.basename(path)
            places = {"d3.js": "/usr/share/nodejs/d3/dist/d3.min.js", "style.css": "web/style.css"}
            for place in (places.get(name), f"web/{name}", f"web/viewer/{name}", f"web/modules/{name}"):
                if place and os.path.exists(os.path.join(self.source, place)):
                    return self.file(place)
            return self.send(404, {"error": "no such file"})
        name = path.removeprefix("/api/")
        if self.store.people is not None and self.store.people.knows(name):
            return self.answer(lambda q: self.store.people.say("GET", name, q, None))
        return self.answer(getattr(self.store, "changed" if name == "change" else name, None) if path.startswith("/api/") else None)

    def file(self, place):
        with open(os.path.join(self.source, place), "rb") as file:
            self.send(200, file.read(), TYPES[os.path.splitext(place)[1]])

    def answer(self, ask):
        split = urllib.parse.urlsplit(self.path)
        q = dict(urllib.parse.parse_qsl(split.query))
        if split.path.startswith("/api/") and self.cookie not in self.headers.get("Cookie", ""):
            return self.send(403, {"error": "forbidden"})
        if split.path in self.store.answers:
            return self.send(*self.store.answers[split.path])
        if ask is None:
            return self.send(404, {"error": "no such page"})
        try:
            found = ask(q)
        except Refused as refused:
            return self.send(refused.code, refused.answer)
        except KeyError as missing:
            return self.send(400, {"error": f"{missing} is required"})
        if not isinstance(found, tuple):
            return self.send(200, found)
        if q.get("format") != "csv":
            return self.send(200, found[0])
        out = io.StringIO()
        csv.writer(out).writerows([found[0]["columns"], *found[1]])
        return self.send(200, out.getvalue().encode(), "text/csv; charset=utf-8")


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128  # A browser asks for all modules at a time; where a queue of 5 is full it waits for minutes.


def serve(store, source, port=0):
    """A running server of `store`; its address with the token is `server.url`."""
    pages = type("PagesOfStore", (Pages,), {"store": store, "source": source})
    server = Server(("127.0.0.1", port), pages)
    server.url = f"http://127.0.0.1:{server.server_address[1]}/#{Pages.token}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


if __name__ == "__main__":
    import sys
    print(serve(Store(os.path.abspath(sys.argv[1]), sys.argv[2], *sys.argv[4:5]), sys.argv[3], 8765).url)
    threading.Event().wait()
