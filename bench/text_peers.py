#!/usr/bin/env python3
"""The peers of text_bench in Python, on texts of its kind: BLEU and VADER of NLTK, Jaro-Winkler of python-Levenshtein.

    apt-get install python3-nltk python3-levenshtein
    bench/text_peers.py vader_lexicon.txt
"""
import random
import sys
import tempfile
import time
import warnings

from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

TOKENS = 116
PARTS = ["pa", "ti", "en", "the", "ra", "co", "ment", "al", "in", "do", "ser", "ly"]
ENDINGS = ["", "", "s", "ed", "ing", "ation", "ness", "ly"]


def word(draw):
    rank = random.Random(int(8000 * draw.random() ** 3))
    return "".join(rank.choice(PARTS) for _ in range(rank.randint(1, 3))) + rank.choice(ENDINGS)


def measure(name, calls):
    best = float("inf")
    for _ in range(3):
        begin = time.process_time()
        for call in calls:
            call()
        best = min(best, (time.process_time() - begin) / len(calls))
    print(f"{name:<40} {best * 1e6:10.2f} us")


def main():
    warnings.simplefilter("ignore")
    draw = random.Random(1)
    pairs = []
    for _ in range(200):
        reference = [word(draw) for _ in range(TOKENS)]
        pairs.append((reference, [word(draw) if i % 4 == 3 else w for i, w in enumerate(reference)]))
    smoothing = SmoothingFunction().method4
    weights = [tuple([1 / n] * n) for n in range(1, 5)]
    measure("BLEU-1 to 4, a pair of 116 tokens",
            [lambda a=" ".join(a), b=" ".join(b): sentence_bleu([a.split(" ")], b.split(" "), weights, smoothing)
             for a, b in pairs])
    try:
        import Levenshtein
        answers = ["software engineer", "nurse", "teacher", "married", "no relation", "zurich, switzerland",
                   "cape town / south africa", "college degree", "very high", "female", "male", "graduate nurse"]
        measure("Jaro-Winkler, a pair", [lambda a=a, b=b: Levenshtein.jaro_winkler(a, b)
                                         for a in answers for b in answers] * 50)
    except ImportError:
        print("no python3-levenshtein")
    if len(sys.argv) > 1:
        from nltk.sentiment.vader import SentimentIntensityAnalyzer
        with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as copy:  # it stumbles over the last line end
            copy.write(open(sys.argv[1], encoding="utf-8").read().strip())
            copy.flush()
            analyzer = SentimentIntensityAnalyzer(lexicon_file="file:" + copy.name)
        known = list(analyzer.lexicon)
        for length in (12, TOKENS):
            texts = [" ".join(draw.choice(known) if draw.random() < 1 / 8 else word(draw) for _ in range(length)) + "."
                     for _ in range(200)]
            measure(f"VADER, {length} words", [lambda t=t: analyzer.polarity_scores(t) for t in texts])


if __name__ == "__main__":
    main()
