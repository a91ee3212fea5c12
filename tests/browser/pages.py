"""Stores and pages for the tests of `residue report --html`."""
import json
import os
import re
import subprocess
import sys
import time

PROGRAM, SOURCE = map(os.path.abspath, sys.argv[1:3])
HOSTILE = ('</script><script>document.title="taken"</script>', '<img src=x onerror=document.title="taken">',
           "\u202eright to left", "\x1b[31mred", "&amp; \"quoted\" 'words'")


def run(folder, *words, code=0):
    done = subprocess.run([PROGRAM, "-q", *words], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "SOURCE_DATE_EPOCH": "1764288000"})
    if done.returncode != code:
        raise AssertionError(f"residue {words}: {done.returncode}\n{done.stderr}")
    return done.stderr


def write_rows(folder, name, rows):
    with open(os.path.join(folder, name), "w") as file:
        for row in rows:
            file.write(json.dumps(row) + "\n")


def make_store(folder):
    """Persons with several records, texts that failed or are not there, and words that look like markup."""
    notes = []
    with open(os.path.join(SOURCE, "examples/clinic/notes.jsonl")) as file:
        for line in list(file)[:24]:
            notes.append(json.loads(line))
    for i, note in enumerate(notes):
        note["person"] = f"p{i // 2}"
    for i, words in enumerate(HOSTILE):
        notes[i]["text"] += f" She wrote {words} on the wall of house {i}."
    write_rows(folder, "notes.jsonl", notes)
    key = "id" if "id" in notes[0] else "key"
    masked = [{"id": note[key], "text": re.sub(r"\d+", "[N]", note["text"])} for note in notes]
    write_rows(folder, "masked.jsonl", masked)
    write_rows(folder, "lossy.jsonl", [{**row, "text": "" if i % 5 == 0 else row["text"]}
                                       for i, row in enumerate(masked) if i % 7 != 3])
    run(folder, "init")
    run(folder, "ingest", "dataset", "d", "notes.jsonl")
    run(folder, "atomize", "d")
    run(folder, "ingest", "run", "d/masked", "masked.jsonl")
    run(folder, "ingest", "run", "d/lossy", "lossy.jsonl")
    # Texts of nobody: each is a unit of its own, although persons have several records.
    write_rows(folder, "invented.jsonl", [{"text": row["text"][:200]} for row in masked[:9]])
    run(folder, "ingest", "run", "d/synthetic", "invented.jsonl", "--synthetic")
    run(folder, "eval", "d")
    return notes


def read(folder, name):
    with open(os.path.join(folder, name)) as file:
        return file.read()


def waited(driver):
    for _ in range(300):
        words = driver.find_element("id", "proof-result").text
        if words and not words.startswith("computing"):
            return words
        time.sleep(0.1)
    raise AssertionError("the proof does not end")


def open_page(driver, folder, name):
    driver.get("file://" + os.path.join(folder, name))


def text_of(driver, part):
    return driver.find_element("id", part).text
