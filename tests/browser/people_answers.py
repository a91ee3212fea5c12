"""What the stand-in for the server says to people who label and who look for somebody: canned texts, kept answers."""
import re

PATHS = ("label", "agreement", "intruder/next", "intruder/search", "intruder/text", "intruder/answer", "intruder/outcome",
         "intruder/report")


def rate(hits, n, few=10):
    """A share with ends that look like those of an interval."""
    if n < few:
        return {"value": None, "low": None, "high": None, "n": n}
    value = hits / n
    return {"value": value, "low": max(0, value - 0.13), "high": min(1, value + 0.13), "n": n}


class People:
    def __init__(self, refused, pairs, targets, texts):
        """pairs: [(claim, passage, what the judge said)]; targets: [[fact]]; texts: released ones. refused: the error."""
        self.refused, self.pairs, self.targets, self.texts = refused, pairs, targets, texts
        self.labels, self.attempts, self.heard, self.told = {}, {}, [], set()
        self.fail = {}  # path -> (code, error, hint): said once, in place of an answer

    @staticmethod
    def knows(name):
        return name in PATHS

    def say(self, method, name, q, body):
        self.heard.append((method, name, q, body))
        if name in self.fail:
            raise self.refused(*self.fail.pop(name))
        for needed in ("dataset", "run", *(() if name in ("agreement", "intruder/report") else ("annotator",))):
            if not q.get(needed):
                raise self.refused(400, f"{needed} is required")
        names = {"label": "label" if method == "GET" else "keep", **{path: path.replace("/", "_") for path in PATHS[1:]}}
        return getattr(self, names[name])(q, body)

    @staticmethod
    def pair(i):
        return f"r-{i:02}#{i % 4 + 1}@{4700 + i}"

    def label(self, q, _):
        mine = {pair for who, pair in self.labels if who == q["annotator"]}
        skipped = q.get("skip", "").split(",")
        order = range(len(self.pairs)) if q["order"] == "sample" else reversed(range(len(self.pairs)))
        names = [self.pair(i) for i in order]
        done, left = len(mine), len(names) - len(mine)
        i = next((int(name[2:4]) for name in names if name not in mine and name not in skipped), None)
        if i is None:
            return {"pair": None, "left": 0}
        claim, passage, judge = self.pairs[i]
        shown = q.get("show") == "1"
        others = [[who, one["rating"]] for (who, pair), one in self.labels.items() if pair == self.pair(i)]
        return {"pair": self.pair(i), "claim": self.pair(i).split("@")[0], "claim_text": claim, "passage": passage, "done": done,
                "left": left, "blind": not shown, "judge": judge if shown else None, "others": others if shown else []}

    def keep(self, q, body):
        if body["rating"] not in (1, 2, 3) or not 0 <= body["seconds"] <= 86400 or not isinstance(body["blind"], bool):
            raise self.refused(400, "this is no label")
        key = (q["annotator"], body["pair"])
        before = self.labels.get(key)
        self.labels[key] = body
        return {"kept": "new" if before is None else "same" if before["rating"] == body["rating"] else "changed"}

    def agreement(self, q, _):
        confusion = [[0] * 3 for _ in range(3)]
        for (_, pair), one in self.labels.items():
            confusion[one["rating"] - 1][self.pairs[int(pair[2:4])][2] - 1] += 1
        n = len(self.labels)
        same = sum(confusion[i][i] for i in range(3))
        value = None if n < 5 else {"value": same / n, "low": same / n - 0.1, "high": same / n + 0.1, "n": n}
        names = sorted({who for who, _ in self.labels})
        return {"labels": n, "pairs": n, "annotators": [{"name": name} for name in names], "judge": "lexical@1", "spearman": value, "kappa": value,
                "confusion": confusion, "between": [{"a": a, "b": b, "n": 9, "kappa": 0.61} for a in names for b in names if a < b],
                "notes": [f"{n} labels are few: at least 50 are needed for a statistic"] if n < 50 else []}

    def intruder_next(self, q, _):
        mine = {target for who, target in self.attempts if who == q["annotator"]}
        i = next((i for i in range(len(self.targets)) if f"t{i}" not in mine), None)
        if i is None:
            return {"target": None, "left": 0}
        again = any(name == "intruder/next" and asked["annotator"] == q["annotator"] for _, name, asked, _ in self.heard[:-1]
                    ) and len(mine) < sum(name == "intruder/next" for _, name, _, _ in self.heard[:-1])
        return {"target": f"t{i}", "facts": self.targets[i], "again": again, "answered": len(mine), "left": len(self.targets) - len(mine)}

    def intruder_search(self, q, _):
        words = [word for word in re.split(r"\W+", q["q"].lower()) if word]
        hits = []
        for i, text in enumerate(self.texts):
            found = sum(text.lower().count(word) for word in words)
            if found:
                begin = max(0, min(text.lower().find(word) for word in words if word in text.lower()) - 60)
                pieces = re.split("(" + "|".join(map(re.escape, words)) + ")", text[begin:begin + 160], flags=re.I)
                hits.append({"code": f"{q['target']}c{i}", "score": found, "snippet": [["match" if j % 2 else "plain", piece]
                                                                                    for j, piece in enumerate(pieces) if piece]})
        hits.sort(key=lambda hit: -hit["score"])
        return {"hits": [{**hit, "rank": i + 1} for i, hit in enumerate(hits[:20])]}

    def intruder_text(self, q, _):
        return {"text": self.texts[int(q["code"].split("c")[1])]}

    def intruder_answer(self, q, body):
        if body["target"] in self.told:
            raise self.refused(400, "its outcome was told: the answer stays")
        if not 0 <= body["sure"] <= 100 or not isinstance(body["searches"], int):
            raise self.refused(400, "this is no answer")
        key = (q["annotator"], body["target"])
        before = self.attempts.get(key)
        self.attempts[key] = body
        return {"kept": "new" if before is None else "same" if before == body else "changed"}

    def right(self, attempt):
        return attempt["choice"] is not None and attempt["choice"].split("c")[1] == attempt["target"][1:]

    def intruder_outcome(self, q, body):
        attempt = self.attempts[q["annotator"], body["target"]]
        self.told.add(body["target"])
        return {"outcome": "right" if self.right(attempt) else "none" if attempt["choice"] is None else "wrong"}

    def intruder_report(self, q, body):
        """body: outcomes are asked for; else they are held back while somebody who began has persons left."""
        said = self.intruder_outcomes(q)
        began = {who for who, _ in self.attempts}
        if body is not None or all(sum(one == who for one, _ in self.attempts) == len(self.targets) for who in began):
            return {**said, "held_back": False}
        kept = ("name", "attempts", "told", "blind", "after_look", "median_seconds", "median_searches")
        return {"held_back": True, "rows": said["rows"][2:], "notes": [], "chance": said["chance"], "strata": [],
                **{name: said[name] for name in ("attempts", "outdated", "blind", "after_look")},
                "annotators": [{name: one.get(name) for name in kept} for one in said["annotators"]]}

    def intruder_outcomes(self, q):
        all_ = [one for (who, _), one in self.attempts.items() if q.get("annotator") in (None, who)]
        right, none = sum(map(self.right, all_)), sum(one["choice"] is None for one in all_)
        names = sorted({who for who, _ in self.attempts})
        rows = [{"who": "people", **rate(right, len(all_), 3)}, {"who": "machine, same targets", **rate(len(all_) * 0.6, len(all_), 3)},
                {"who": "machine, all targets", **rate(44, 71)}]
        steps = [[one for one in all_ if one["choice"] is not None and one["sure"] >= at] for at in range(0, 101, 10)]
        return {"rows": rows, "blind": len(all_), "after_look": 0, "chance": 1 / 12, "strata": [
                    {"stratum": "machine:found", "targets": 3, "attempts": len(all_), "present": len(all_), "person": right, "machine_person": 3}],
                "attempts": len(all_), "right": right, "wrong": len(all_) - right - none, "none": none, "rightly_none": 0,
                "failed": 0, "outdated": 1, "difference": {"value": right / len(all_) - 0.6 if len(all_) > 2 else None, "low": -0.2, "high": 0.6},
                "false_claims": {"who": "people", **rate(0, 1)}, "machine_false_claims": {"who": "machine", **rate(9, 18)},
                "annotators": [{"name": name, "attempts": 4, "right": 3, "wrong": 1, "none": 0, "rightly_none": 0, "told": 0,
                                "blind": 4, "after_look": 0, "median_seconds": 71.5, "median_searches": 2.5} for name in names],
                "confidence": [{"at_least": at, "claims": len(step), "right": sum(map(self.right, step)),
                                "precision": rate(sum(map(self.right, step)), len(step), 2)} for at, step in zip(range(0, 101, 10), steps)],
                "notes": ["A text that this person and others were released with counts in part.", "1 attempt is outdated and counts nowhere."]}
