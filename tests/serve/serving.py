"""A store whose texts have a word of their own for each class, `residue serve` of it, and a slow model."""

from __future__ import annotations

import http.client
import http.server
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from typing import Any, Dict, List, Optional, Tuple

PROGRAM = sys.argv.pop(1) if len(sys.argv) > 1 else "build/dev/residue"

# Words that stand in texts of one class alone.
ORIGINAL, CLAIM, RELEASED, TASK, META, NOTE = "zanzibarox", "quillonite", "verdigrism", "taskaroon", "metagloom", "notabelle"
REPLY = "replyolith"  # what a model says beside its ratings
RECORDS = 6
RATINGS = (1, 3, 2)  # what the model says, question by question


def residue(store: str, *words: str) -> str:
    done = subprocess.run([PROGRAM, "--store", store, *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


made: List[tempfile.TemporaryDirectory] = []  # the store that all are copies of


def make_store(folder: str) -> None:
    if not made:
        made.append(tempfile.TemporaryDirectory(prefix="residue-serve-"))
        make_first(made[0].name)
    shutil.copytree(made[0].name, folder, dirs_exist_ok=True)


def make_first(folder: str) -> None:
    folder_path = pathlib.Path(folder)
    residue(folder, "init", folder)

    def write(name: str, rows: List[Dict[str, Any]]) -> str:
        path = folder_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return str(path)

    residue(folder, "ingest", "dataset", "d", write("d.jsonl", [
        {"id": f"r{i}", "text": f"Person {i} of {ORIGINAL} keeps {i} goats and sings number{i}.", "person": f"p{i}",
         "task": {"question": TASK, "options": {"A": "x", "B": "y"}, "answer": "A"}, "note": META} for i in range(RECORDS)]))
    residue(folder, "ingest", "claims", "d", write("c.jsonl", [
        {"record": f"r{i}", "claim": claim, "n": n + 1, "category": (["Age", "Occupation"], ["Occupation"], [])[(n + i) % 3]} for i in range(RECORDS)
        for n, claim in enumerate((f"{CLAIM} number{i} is sung.", f"The {CLAIM} keeps {i} goats.", f"A {CLAIM} of {i}.",
                                   f"{CLAIM} lives at number{i}."))]))
    for run, goats in (("one", "goats"), ("two", "animals")):
        residue(folder, "ingest", "run", f"d/{run}", write(f"{run}.jsonl", [
            {"id": f"r{i}", "text": f"Somebody of {RELEASED} keeps {i} {goats} and sings number{i}."} for i in range(RECORDS)]))
    residue(folder, "tag", "d/one", "--note", f"what {NOTE} said")
    residue(folder, "eval", "d")
    answer_far(folder)
    residue(folder, "eval", "d")  # the embedded judge is the one evaluated last


def answer_far(folder: str) -> None:
    """A model that is asked twice about each claim; its answers come in a file."""
    residue(folder, "model", "add", "far", "--url", "https://models.invalid", "--model", "m", "--votes", "2", "--no-canaries")
    residue(folder, "egress", "allow", "d", "models.invalid")
    attack = ["--judge", "far", "--protocol", "bm25/random:3"]
    residue(folder, "work", "export", "d", *attack, "--to", os.path.join(folder, "todo"))
    answers = []
    for part in sorted(pathlib.Path(folder, "todo").glob("*.jsonl")):
        for line in part.read_text(encoding="utf-8").splitlines():
            key = json.loads(line)["custom_id"]
            said = {"ratings": [{"claim": 1, "reason": f"{REPLY} {key}", "rating": RATINGS[len(answers) % len(RATINGS)]}]}
            answers.append({"custom_id": key, "error": None, "response": {"status_code": 200, "body": {
                "choices": [{"finish_reason": "stop", "message": {"content": json.dumps(said)}}]}}})
    path = pathlib.Path(folder, "done.jsonl")
    path.write_text("".join(json.dumps(answer) + "\n" for answer in answers), encoding="utf-8")
    residue(folder, "work", "import", str(path))
    residue(folder, "eval", "d", *attack)


class Server:
    def __init__(self, store: str, *flags: str):
        self.process = subprocess.Popen([PROGRAM, "--store", store, "serve", *flags], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        assert self.process.stdout
        self.address = self.process.stdout.readline().strip()
        url = urllib.parse.urlsplit(self.address)
        self.host, self.token = url.netloc, url.fragment

    def ask(self, path: str, body: Optional[str] = None) -> Tuple[int, str]:
        connection = http.client.HTTPConnection(self.host, timeout=60)
        connection.request("GET" if body is None else "POST", path, body=None if body is None else body.encode(),
                           headers={"Authorization": f"Bearer {self.token}"})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def json(self, path: str, body: Optional[str] = None) -> Any:
        status, text = self.ask(path, body)
        assert status == 200, (path, status, text)
        return json.loads(text)

    def close(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=20)
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()
        return code


class SlowModel:
    """A model on this machine that answers each question after a while, one at a time."""

    def __init__(self):
        self.wait = 0.15
        outer = self

        class Answers(http.server.BaseHTTPRequestHandler):
            def log_message(self, *words):
                pass

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                time.sleep(outer.wait)
                content = json.dumps({"ratings": [{"claim": 1, "reason": "r", "rating": 3}]})
                body = json.dumps({"choices": [{"finish_reason": "stop", "message": {"content": content}}]}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                try:
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    pass  # who asked was killed

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Answers)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *how):
        self.server.shutdown()
        self.server.server_close()
