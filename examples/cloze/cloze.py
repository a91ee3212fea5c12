#!/usr/bin/env python3
"""Questions with a gap about texts, and a reader that answers them: what qa_accuracy can be tried with where no
language model is at hand.

  cloze.py questions < originals.jsonl > questions.jsonl       {"id", "text"} a line
  cloze.py answers questions.jsonl < texts.jsonl > answers.jsonl    {"id", "run", "text"} a line

A question is the words around a gap, as they stand in the original: three with the word in the gap drawn by a hash among
the record's words of five letters and more and its numbers, and one made of another record, which most texts do not
answer. The reader sees a text and the questions, never the original. It looks for the place whose neighbours agree with
the question's, word by word, the first of equal ones; if at least three do, it says "Yes, WORD", the word that stands
there, and "No" if none does or the word was taken out ([REDACTED], ****).
"""
import hashlib
import json
import re
import sys

REACH = 4
OWN = 3
ENOUGH = 3
WORD = re.compile(r"\[[^\]\s]*\]|\*+|\w+(?:[.,:'’]\w+)*")


def words(text):
    return [word.lower() for word in WORD.findall(text)]


def masked(word):
    return not re.match(r"\w", word)


def around(all_words, at):
    return {
        offset: all_words[at + offset]
        for offset in range(-REACH, REACH + 1)
        if offset and 0 <= at + offset < len(all_words)
    }


def gaps(record, all_words):
    asked = [at for at, word in enumerate(all_words) if len(word) >= 5 or word.isdigit()]
    asked.sort(key=lambda at: hashlib.sha256(json.dumps([record, at]).encode()).digest())
    return asked[:OWN]


def questions():
    rows = [json.loads(line) for line in sys.stdin]
    own = [[around(all_words, at) for at in gaps(row["id"], all_words)]
           for row, all_words in ((row, words(row["text"])) for row in rows)]
    for i, row in enumerate(rows):
        foreign = own[(i + 1) % len(rows)][:1]
        print(json.dumps({"id": row["id"], "questions": own[i] + foreign}))


def answer(question, all_words):
    best, place = 0, None
    for at in range(len(all_words)):
        agree = sum(
            0 <= at + offset < len(all_words) and all_words[at + offset] == word for offset, word in question
        )
        if agree > best:
            best, place = agree, at
    found = place is not None and best >= min(ENOUGH, len(question)) and not masked(all_words[place])
    return "Yes, " + all_words[place] if found else "No"


def answers(file):
    asked = {}
    with open(file, encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            asked[row["id"]] = [[(int(offset), word) for offset, word in q.items()] for q in row["questions"]]
    for line in sys.stdin:
        row = json.loads(line)
        if row["text"] is None or not asked[row["id"]]:
            continue
        all_words = words(row["text"])
        out = [answer(question, all_words) for question in asked[row["id"]]]
        print(json.dumps({"model": "cloze", "task": "qa", "record": row["id"], "run": row["run"], "answer": out}))


if __name__ == "__main__":
    if sys.argv[1:] == ["questions"]:
        questions()
    elif len(sys.argv) == 3 and sys.argv[1] == "answers":
        answers(sys.argv[2])
    else:
        sys.exit(__doc__)
