"""The pages of `residue serve` in a browser: what people come to do, hostile texts, other levels, changes while one looks.

The pages are tried on a stand-in for the server, which can be brought to say anything; and, where the program has it, on
`residue serve` itself.
"""
import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

import browser
import stand_in

PROGRAM, SOURCE = map(os.path.abspath, sys.argv[1:3])
HOSTILE = ('</script><script>document.title="taken"</script>', '<img src=x onerror=document.title="taken">',
           "\u202eright to left", "\x1b[31mred", "&amp; \"quoted\" 'words'")
LONG = "long words " * 100_000
VIEWS = ("/", "/runs", "/compare", "/records", "/record?record=n-02&run=masked", "/leaks?run=masked", "/search?run=masked&q=glass",
         "/plot", "/plot?kind=parts", "/plot?kind=distances", "/plot?kind=attackers", "/sql", "/status")


def run(folder, *words):
    done = subprocess.run([PROGRAM, "-q", *words], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"residue {words}: {done.returncode}\n{done.stderr}")


def write_rows(folder, name, rows):
    with open(os.path.join(folder, name), "w") as file:
        for row in rows:
            file.write(json.dumps(row) + "\n")


def make_store(folder):
    """24 notes, of which five have words that look like markup, and three runs, one with failures; a note of a megabyte."""
    with open(os.path.join(SOURCE, "examples/clinic/notes.jsonl")) as file:
        notes = [json.loads(line) for line in list(file)[:24]]
    for i, words in enumerate(HOSTILE):
        notes[i]["text"] += f" She wrote {words} on the wall of house {i}."
    write_rows(folder, "notes.jsonl", notes)
    write_rows(folder, "long.jsonl", [{"id": "l", "text": LONG}])
    masked = [{"id": note["id"], "text": re.sub(r"\d+", "[N]", note["text"])} for note in notes]
    write_rows(folder, "masked.jsonl", masked)
    write_rows(folder, "lossy.jsonl", [{**row, "text": "" if i % 5 == 0 else re.sub(r"[A-Z]\w+", "[X]", row["text"])}
                                       for i, row in enumerate(masked) if i % 7 != 3])
    for words in (("init",), ("ingest", "dataset", "d", "notes.jsonl"), ("atomize", "d"), ("categorize", "d", "--with", "rules"),
                  ("ingest", "run", "d/masked", "masked.jsonl"), ("ingest", "run", "d/lossy", "lossy.jsonl"),
                  ("sanitize", "d", "--with", "random-mask", "--run", "mask-6", "--param", "rate=0.6", "--seed", "1"), ("eval", "d"),
                  ("ingest", "dataset", "long", "long.jsonl"), ("ingest", "run", "long/same", "long.jsonl")):
        run(folder, *words)


class Served:
    """`residue serve` of a store, as long as one needs it."""

    def __init__(self, folder, level):
        self.process = subprocess.Popen([PROGRAM, "serve", *([] if level == "released" else ["--" + level])], cwd=folder,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.url = None
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:\d+/#\S+", line):
                self.url = found[0]
                break

    def shutdown(self):
        self.process.terminate()
        self.process.wait(timeout=20)
        self.process.stdout.close()


def can_serve():
    return subprocess.run([PROGRAM, "help", "serve"], capture_output=True).returncode == 0


class Pages:
    """A store, a server of it, and a browser."""

    @classmethod
    def serve(cls, level):
        return Served(cls.folder, level)

    @classmethod
    def prepare(cls):
        make_store(cls.folder)

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="residue-viewer-")
        cls.prepare()
        cls.server = cls.serve("originals")
        cls.driver = cls.opened()

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()
        cls.server.shutdown()
        shutil.rmtree(cls.folder)

    @classmethod
    def opened(cls, server=None, **how):
        driver = browser.opened(local=True, **how)
        driver.get((server or cls.server).url)
        cls.until(driver, "return document.querySelector('#view h1, .problem')")
        return driver

    @staticmethod
    def until(driver, script, *words, seconds=20):
        for _ in range(seconds * 20):
            if found := driver.execute_script(script, *words):
                return found
            time.sleep(0.05)
        raise AssertionError(f"never true: {script} {words}\n{driver.execute_script('return document.body.innerText')[:2000]}")

    def open(self, path, driver=None, server=None):
        driver = driver or self.driver
        driver.get((server or self.server).url.split("/#")[0] + path)
        self.settled(driver)
        return driver

    def settled(self, driver=None):
        self.until(driver or self.driver, "return document.querySelector('#view h1') && !document.body.classList.contains('busy')")

    def script(self, words, *more):
        return self.driver.execute_script(words, *more)

    def click(self, selector, words=None):
        self.until(self.driver, "return [...document.querySelectorAll(arguments[0])].some((e) => !arguments[1] || e.textContent.trim() === arguments[1])",
                   selector, words)
        next(one for one in self.driver.find_elements("css selector", selector) if words is None or one.text.strip() == words).click()
        time.sleep(0.05)
        self.settled()

    def keys(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def choose(self, label, value):
        """Chooses in the list that has this label."""
        self.script("""
          const label = [...document.querySelectorAll('label')].find((one) => one.textContent === arguments[0]);
          const list = document.getElementById(label.htmlFor);
          list.value = arguments[1];
          list.dispatchEvent(new Event('change'));""", label, value)
        time.sleep(0.05)
        self.settled()

    def text(self, selector="#view"):
        return self.driver.find_element("css selector", selector).text

    def rows(self, caption):
        return self.until(self.driver, """
          const table = [...document.querySelectorAll('table')].find((one) => one.caption?.textContent.includes(arguments[0]));
          return table && [...table.querySelectorAll('tbody tr[data-key]')].map((row) => [...row.cells].map((cell) => cell.innerText.trim()));""", caption)

    def taken(self, caption, what):
        """What a button of a table takes away: [its words, the name of the file]."""
        self.rows(caption)
        return self.driver.execute_async_script("""
          const [caption, what, done] = arguments;
          const table = [...document.querySelectorAll('section.table')].find((one) => one.querySelector('caption')?.textContent.includes(caption));
          const place = [...table.querySelectorAll('.tools button, .tools a')].find((one) => one.textContent === what);
          if (place.tagName === 'A') {
            fetch(place.href).then((answer) => answer.text()).then((words) => done([words, place.download]));
            return;
          }
          const [made, click] = [URL.createObjectURL, HTMLAnchorElement.prototype.click];
          const end = (words, name) => {
            [URL.createObjectURL, HTMLAnchorElement.prototype.click] = [made, click];
            done([words, name]);
          };
          let blob = null;
          URL.createObjectURL = (one) => made.call(URL, blob = one);
          HTMLAnchorElement.prototype.click = function() { blob.text().then((words) => end(words, this.download)); };
          Object.defineProperty(navigator, 'clipboard', {value: {writeText: async (words) => end(words, null)}, configurable: true});
          place.click();""", caption, what)

    def csv(self, caption):
        return list(csv.DictReader(io.StringIO(self.taken(caption, "CSV")[0], newline="")))

    def asked(self, path, body=None):
        return json.loads(self.driver.execute_async_script("""
          const [path, body, done] = arguments;
          fetch((localStorage.getItem('residue-path') ?? '') + path, body === null ? {} : {method: 'POST', body})
              .then((answer) => answer.text()).then(done);""", path, body))



class Views:
    """What one sees and does in every view."""

    def test_files_have_each_number_in_a_cell_and_documents_what_failed(self):
        runs = {run["run"]: run for run in self.asked("/api/runs?dataset=d&columns=leak_rate,rougeL_f,mean_risk")["runs"]}
        for path, caption, metrics in (("/runs?columns=leak_rate,rougeL_f", "Runs of d", ("leak_rate", "rougeL_f")),
                                       ("/plot?x=rougeL_f&y=leak_rate", "leak_rate against rougeL_f", ("leak_rate", "rougeL_f")), ("/", "Risk of each run", ("mean_risk",))):
            self.open(path)
            rows = {row["run"]: row for row in self.csv(caption)}
            self.assertEqual(set(rows), set(runs), path)
            for name, row in rows.items():
                self.assertEqual(row["stale"], "no")
                for metric in metrics:
                    for column, field in ((metric, "value"), *((f"{metric} {field}", field) for field in ("low", "high", "n", "failed", "missing"))):
                        value = runs[name]["metrics"].get(metric, {}).get(field)
                        self.assertEqual(float(row[column]) if row[column] else None, value, (path, name, column))
            self.assertGreater(int(rows["lossy"][f"{metrics[0]} failed"]), 0, path)
            document = self.taken(caption, "LaTeX")[0]
            lossy = next(line for line in document.splitlines() if line.startswith("lossy &"))
            self.assertRegex(lossy, r"[01]\.\d{3} \[[01]\.\d{3}, [01]\.\d{3}\], \d+ failed", path)
            self.assertEqual(len({line.count(" & ") for line in document.splitlines() if line.endswith("\\\\")}), 1, document)
        self.open("/")
        categories = self.csv("Share of claims that leak")
        self.assertTrue(all(0 <= float(row["lossy"]) <= float(row["lossy high"]) for row in categories if row["lossy state"] == "value"), categories)

    def test_the_statement_that_is_copied_gives_what_is_shown(self):
        for path, caption, metrics in (("/runs?columns=leak_rate,rougeL_f", "Runs of d", 2), ("/", "Risk of each run", 2),
                                       ("/plot?x=rougeL_f&y=leak_rate", "leak_rate against rougeL_f", 2)):
            self.open(path)
            shown = {row[0].split()[-1] if path.startswith("/runs") else row[0] for row in self.rows(caption)}
            found = self.asked("/api/sql", self.taken(caption, "SQL")[0])
            at = {name: i for i, name in enumerate(found["columns"])}
            self.assertLessEqual({row[at["run"]] for row in found["rows"]}, {run["run"] for run in self.asked("/api/runs?dataset=d")["runs"]})
            self.assertLessEqual(len(found["rows"]), metrics * len(shown), path)
            self.assertGreater(len(found["rows"]), 0, path)
            self.assertEqual(len({row[at["metric"]] for row in found["rows"]}), metrics, path)
        self.open("/?run=masked")
        worst = self.rows("The worst records of masked")
        if self.kind == "server":
            self.assertEqual([row[0] for row in self.asked("/api/sql", self.taken("The worst records", "SQL")[0])["rows"]], [row[0] for row in worst])
            self.assertEqual(self.taken("The worst records", "CSV")[1], "worst-masked-10-rows-of-24.csv")
            cells = self.asked("/api/sql", self.taken("Share of claims that leak", "SQL")[0])
            self.assertEqual({row[0] for row in cells["rows"]}, {"lossy", "masked", "mask-6"})
            self.open("/plot?kind=distances")
            bins = self.asked("/api/sql", self.taken("Records by semantic_distance", "SQL")[0])
            self.assertEqual([[row[0], *(f"{count:.0f}" for count in row[1:])] for row in bins["rows"]], self.rows("Records by semantic_distance"))
            self.assertEqual(len(self.csv("Records by semantic_distance")), len(bins["rows"]))

    def test_every_table_has_its_statement(self):
        seen = 0
        for path in VIEWS:
            self.open(path)
            tables = self.driver.execute_script("""return [...document.querySelectorAll('section.table')].filter((one) => one.querySelector('caption'))
                .map((one) => [one.querySelector('caption').textContent, [...one.querySelectorAll('.tools button')].some((b) => b.textContent === 'SQL')])""")
            for caption, there in tables:
                self.assertTrue(there, (path, caption))
                found = self.asked("/api/sql", self.taken(caption, "SQL")[0])
                self.assertGreater(len(found.get("rows", [])), 0, (path, caption, found))
                seen += 1
        self.assertGreater(seen, 15)
        answer = self.asked("/api/compare?dataset=d&baseline=mask-6&run=lossy")
        self.open("/compare?baseline=mask-6&run=lossy")
        claims = self.asked("/api/sql", self.taken("Claims that leak in one", "SQL")[0])
        sides = [row[2] for row in claims["rows"]]
        self.assertEqual([sides.count("lossy"), sides.count("mask-6")], [answer["became_leaked"], answer["became_private"]])
        of_runs = self.asked("/api/sql", self.taken("differences over the same records", "SQL")[0])
        found = [dict(zip(of_runs["columns"], row)) for row in of_runs["rows"]]
        values = {row["metric"]: row["value"] for row in found if row["run"] == "lossy"}
        for row in answer["metrics"]:
            self.assertEqual(values[row["metric"]], row["run"], row["metric"])
        self.open("/record?record=n-02&run=masked")
        for caption, rows in (("Each claim of the record", None), ("What the record adds", None), ("The attack by term", None)):
            found = self.asked("/api/sql", self.taken(caption, "SQL")[0])
            self.assertEqual(len(found["rows"]), len(self.csv(caption)), caption)

    def test_flips_are_taken_whole_and_named_as_the_server_names_them(self):
        self.open("/compare?baseline=remove-all&run=masked")
        total = self.asked("/api/compare?dataset=d&baseline=remove-all&run=masked")["flips"]["total"]
        self.assertGreater(total, 12)
        self.assertEqual(len(self.rows("Records whose attack ended otherwise")), 12)
        self.assertEqual(len(self.csv("Records whose attack ended otherwise")), total)
        self.assertEqual(self.taken("Records whose attack ended otherwise", "LaTeX")[0].count("\\\\\n"), total + 1)
        self.click("button", f"show all {total}")
        self.assertEqual(len(self.rows("Records whose attack ended otherwise")), total)
        differences = self.csv("differences over the same records")
        self.assertLess(float(differences[0]["p"]), float(differences[0]["corrected_p"]) + 1e-12)
        self.assertLess({"baseline", "run", "difference", "low", "high", "p", "corrected_p", "n"}, set(differences[0]))

    def test_categories_of_a_document_are_words(self):
        self.open("/leaks?run=masked")
        document = self.taken("Claims that the attacker did not know", "LaTeX")[0]
        self.assertIn("Occupation", document)
        self.assertNotIn('["', document)

    def test_runs_without_a_sanitizer_are_of_none_that_has_a_name(self):
        self.open("/runs?group=sanitizer")
        titles = [one.text for one in self.driver.find_elements("css selector", "tr.part th")]
        self.assertEqual(titles[:2], ["no sanitizer", "sanitizer: random-mask"])

    def test_every_view_has_an_address_a_title_and_no_complaint(self):
        browser.complaints(self.driver)
        titles = set()
        for path in VIEWS:
            self.open(path)
            titles.add(self.driver.title)
            self.assertRegex(self.driver.title, r"^.+ · d · residue$", path)
            self.assertEqual(self.driver.find_elements("css selector", ".problem"), [], path)
            self.assertEqual(browser.complaints(self.driver), [], path)
            self.assertIn("dataset=d", self.driver.current_url)
        for path in ("/", "/runs"):
            self.open(path)
            # Notes come behind the numbers.
            notes = self.driver.execute_async_script(
                "fetch((localStorage.getItem('residue-path') ?? '') + '/api/notes?dataset=d').then((a) => a.json())"
                ".then((a) => arguments[0](a.notes))")
            self.until(self.driver, "return document.querySelectorAll('.notes .note').length === arguments[0]", len(notes))
            self.assertEqual([one.text for one in self.driver.find_elements("css selector", ".notes .note")], notes, path)
        self.assertEqual(len(titles), len(VIEWS))
        self.assertEqual([url for url in browser.requests(self.driver) if not url.startswith("http://127.0.0.1:")], [])

    def test_the_token_leaves_the_address_and_nobody_else_reads(self):
        self.open("/runs")
        self.assertNotIn("#", self.driver.current_url)
        driver = browser.opened(local=True)
        try:
            driver.get(self.server.url.split("/#")[0] + "/runs")
            self.assertIn("no session", self.until(driver, "return document.querySelector('.problem')?.innerText"))
        finally:
            driver.quit()

    def test_no_number_stands_alone(self):
        self.open("/runs")
        for cell in self.driver.find_elements("css selector", "td .value[title]"):
            self.assertRegex(cell.get_attribute("title"), r"^[−\d.,]+ (\[.*\])? ?n \d+, failed \d+, missing \d+", cell.text)
        self.assertIn("failed", self.text("tr[data-key=lossy]"))
        self.assertIn("controls", self.text("tbody.controls"))

    def test_runs_are_sorted_by_a_heading_and_back_undoes_it(self):
        self.open("/runs")
        before = [row[0] for row in self.rows("Runs of d")]
        self.click("thead th button", "semantic_distance ↑")
        self.assertIn("sort=semantic_distance", self.driver.current_url)
        self.until(self.driver, "return document.querySelector('th[aria-sort=descending]')?.textContent.includes('semantic_distance')")
        self.assertIn("mask-6", self.rows("Runs of d")[0][0])
        self.driver.back()
        time.sleep(0.2)
        self.settled()
        self.assertNotIn("sort=", self.driver.current_url)
        self.assertEqual([row[0] for row in self.rows("Runs of d")], before)

    def test_a_baseline_is_pinned_and_compared_with(self):
        self.open("/runs")
        self.click("button.pin[aria-label='baseline masked']")
        self.assertIn("baseline=masked", self.driver.current_url)
        self.click("tr[data-key=mask-6] a.compare")
        self.assertIn("/compare", self.driver.current_url)
        self.assertRegex(self.text(".summary"), r"flipped.*\d+ of \d+ metrics differ by more than chance")
        found = {row[0].split()[0]: row for row in self.rows("differences over the same records")}
        self.assertIn("more private", found["semantic_distance"])
        self.assertIn("< .001", found["semantic_distance"])
        self.assertRegex(found["semantic_distance"][3], r"^\+0\.\d{3}\n\[\+0\.\d{3}, \+0\.\d{3}\]$")

    def test_which_run_leaks_most_about_occupation(self):
        self.open("/")
        row = next(row for row in self.rows("Share of claims that leak") if row[0] == "Occupation")
        self.assertIn("masked", row[-1])
        self.click("tr[data-key=Occupation] a.cell-link.most")
        self.assertIn("category=Occupation", self.driver.current_url)
        self.assertTrue(all("Occupation" in row[4] for row in self.rows("Claims that the attacker did not know")))

    def test_failed_records_of_a_part_and_runs_alike_are_named(self):
        self.open("/")
        lossy = self.script("return [...document.querySelectorAll('.heat-cell a')].filter((one) => one.href.includes('run=lossy')).map((one) => [one.innerText, one.title])")
        failed = [(words, title) for words, title in lossy if not title.startswith("n") or "failed 0" not in title]
        self.assertTrue(failed, lossy)
        for words, title in failed:
            self.assertRegex(words, r"\d+ failed")
            self.assertIn("as if everything had leaked", title)
        self.assertEqual([words for words, title in lossy if "failed 0" in title and "missing 0" in title and "failed" in words], [])
        for row in self.rows("Share of claims that leak"):
            values = [float(found[1]) for cell in row[1:-1] if (found := re.match(r"(\d\.\d+)", cell))]
            self.assertEqual(row[-1] in ("no leak", "–"), max(values, default=0) == 0, row)
        self.assertTrue(self.script("return [...document.querySelectorAll('[data-key] td:last-child span')].every((one) => "
                                    "!one.textContent.includes('alike') || one.title.split(', ').length === parseInt(one.textContent))"))

    def test_whose_record_is_worst_and_why(self):
        self.open("/records?run=masked&metric=leak_rate")
        self.assertRegex(self.text(".headline"), r"leak_rate.*0\.\d+.*\[.*\].*n \d+, failed 0, missing 0")
        self.keys("j", "j", "k")
        from selenium.webdriver.common.keys import Keys
        self.keys(Keys.ENTER)
        self.until(self.driver, "return location.pathname === '/record' && document.querySelector('.panels')")
        self.settled()
        self.assertRegex(self.text(".summary"), r"\d+ of \d+ claims that the attacker did not know leaked")
        self.assertEqual([one.text.splitlines()[0] for one in self.driver.find_elements("css selector", ".panel h3")],
                         ["Original", "Found by the attacker", "Released by masked"])
        record = self.script("return new URLSearchParams(location.search).get('record')")
        with open(os.path.join(self.folder, "notes.jsonl")) as notes, open(os.path.join(self.folder, "masked.jsonl")) as released:
            texts = [next(row["text"] for row in map(json.loads, file) if row["id"] == record) for file in (notes, released)]
        shown = [self.script("return [...document.querySelectorAll('.panel')].find((one) => one.querySelector('h3').innerText.startsWith(arguments[0]))"
                             ".querySelector('.text').textContent", name) for name in ("Original", "Released")]
        if not any(word in texts[0] for word in HOSTILE):
            self.assertEqual(shown, texts)
        self.assertGreater(len(self.driver.find_elements("css selector", "mark[data-claims] b.heard")), 2)
        self.assertGreater(len(self.rows("The attack by term")), 2)
        self.keys(Keys.ESCAPE)
        self.until(self.driver, "return location.pathname === '/records'")

    def test_may_it_be_released(self):
        self.open("/?at=0.05")
        rows = {row[0]: row for row in self.rows("Risk of each run beside 0.05")}
        self.assertTrue(any("above" in cell for cell in rows["masked"]), rows)
        self.assertIn("A person decides", self.text())
        self.assertNotIn("anonymous", self.driver.page_source.lower())

    def test_lists_are_narrowed_and_both_counts_stand_there(self):
        self.open("/records?run=lossy&metric=leak_rate")
        state = {one.text.split("\n")[0]: one.text.split("\n")[1] for one in self.driver.find_elements("css selector", ".facets a")}
        self.assertIn("failed", state)
        self.click(".facets a[href*='state=failed']")
        self.assertEqual(len(self.rows("leak_rate of each record")), int(state["failed"]))
        self.open("/")
        self.assertRegex(self.text(), r"10 shown of 24")

    def test_a_mark_of_a_plot_leads_to_its_run(self):
        self.open("/plot?x=rougeL_f&y=leak_rate")
        marks = self.driver.find_elements("css selector", "figure.chart g[role=link]")
        self.assertEqual(len(marks), 5)
        self.assertRegex(marks[0].get_attribute("aria-label"), r"leak_rate [\d.]+ \[.*\], rougeL_f [\d.]+ \[.*\]")
        self.assertEqual(len(self.rows("leak_rate against rougeL_f")), 5)
        self.script("arguments[0].dispatchEvent(new MouseEvent('click', {bubbles: true}))", marks[0])
        self.until(self.driver, "return location.pathname === '/records' && location.search.includes('metric=leak_rate')")
        self.open("/plot?kind=parts")
        self.script("document.querySelector('rect.heat').dispatchEvent(new MouseEvent('click', {bubbles: true}))")
        self.until(self.driver, "return location.pathname === '/leaks' && location.search.includes('category=')")

    def test_sql(self):
        from selenium.webdriver.common.keys import Keys
        self.open("/sql")
        area = self.driver.find_element("id", "statement")
        area.send_keys("SELECT run, kind FROM runs ORDER BY run", Keys.CONTROL + Keys.ENTER)
        self.assertEqual(self.rows("What the statement gives")[0], ["lossy", "aligned"])
        area.send_keys(Keys.CONTROL + "a")
        area.send_keys("SELECT run,\nnope FROM runs", Keys.CONTROL + Keys.ENTER)
        self.until(self.driver, "return document.querySelector('.problem')?.innerText.includes('no such column: nope')")
        self.driver.back()
        self.assertEqual(self.rows("What the statement gives")[0], ["lossy", "aligned"])
        self.assertIn("Whose records leak most?", self.text(".questions"))
        if self.kind == "server":
            self.open("/sql?dataset=d&run=masked")
            self.assertIn("about d/masked", self.text(".sql-help"))
            self.click(".questions button", "Which sanitizers were run, and how many texts failed?")
            self.until(self.driver, "return document.querySelector('tr[data-key] th')")
            self.assertIn("masked", [row[0] for row in self.rows("What the statement gives")])
        browser.complaints(self.driver)

    def test_the_votes_on_a_claim_are_asked_for_and_have_an_address(self):
        self.open("/record?record=n-02&run=masked")
        self.assertEqual(self.text(".region.votes"), "")
        link = self.driver.find_element("css selector", "a.votes-link")
        n = link.get_attribute("aria-label").split("#")[1]
        self.assertEqual(link.get_attribute("aria-expanded"), "false")
        link.click()
        found = self.rows(f"What each judge said of claim #{n}")
        self.assertEqual([(row[0], row[2]) for row in found], [("lexical", "computed here: it has no votes, and nobody replied")])
        self.assertIn(f"votes={n}", self.driver.current_url)
        self.driver.get(self.driver.current_url)
        self.assertEqual(self.rows(f"What each judge said of claim #{n}"), found)
        self.script("arguments[0].click()", self.driver.find_element("css selector", f"a.votes-link[aria-label='votes on claim #{n}']"))
        self.until(self.driver, "return !location.search.includes('votes=') && !document.querySelector('.region.votes table')")
        self.driver.back()
        self.assertEqual(self.rows(f"What each judge said of claim #{n}"), found)

    def test_keys(self):
        from selenium.webdriver.common.keys import Keys
        self.open("/runs")
        self.keys("?")
        self.assertIn("next row", self.text("#keys"))
        self.keys(Keys.ESCAPE, "/", "param")
        self.assertEqual(self.script("return document.activeElement.value"), "param")
        self.keys(Keys.ESCAPE)
        self.assertEqual(self.script("return document.activeElement.tagName"), "BODY")

    def test_words_that_look_like_markup_stay_words(self):
        for i in range(len(HOSTILE)):
            self.open(f"/record?record=n-0{i + 1}&run=masked")
            self.assertIn("n-0", self.driver.title)
            self.assertEqual(self.driver.find_elements("css selector", "#view img, #view script"), [])
            self.assertNotIn("\u202e", self.script("return document.body.textContent"))
            self.assertNotIn("\x1b", self.script("return document.body.textContent"))
        self.open("/record?record=n-03&run=masked")
        self.assertIn("\\u{202e}right to left", self.text(".panel:last-child"))
        self.open("/record?record=n-02&run=masked")
        self.assertIn("<img src=x onerror=", self.text(".panel:first-child"))
        self.assertEqual(browser.complaints(self.driver), [])

    def test_a_megabyte_is_cut_and_shown_when_asked_for(self):
        self.open("/record?dataset=long&record=l&run=same")
        panel = ".panel:last-child"
        self.assertLess(self.script("return document.querySelector(arguments[0]).textContent.length", panel), 30_000)
        more = self.driver.find_element("css selector", f"{panel} button.more")
        self.assertRegex(more.text, r"show all 1,[01]\d\d,\d{3} characters")
        more.click()
        self.assertGreater(self.script("return document.querySelector(arguments[0]).textContent.length", panel), 1_000_000)
        self.assertLessEqual(*self.script("return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"))

    def test_a_changed_store_is_shown_without_losing_what_is_typed(self):
        self.open("/runs")
        box = self.driver.find_element("css selector", "input[data-search]")
        box.send_keys("made > 2020")
        self.script("document.body.insertAdjacentElement('beforeend', Object.assign(document.createElement('div'), {id: 'tall'})).style.height = '3000px'; scrollTo(0, 120)")
        write_rows(self.folder, "later.jsonl", [{"id": f"n-{i:02}", "text": "[gone]"} for i in range(1, 25)])
        run(self.folder, "ingest", "run", "d/later", "later.jsonl")
        try:
            self.until(self.driver, "return document.querySelector('tr[data-key=later]')", seconds=10)
            self.assertEqual(box.get_attribute("value"), "made > 2020")
            self.assertEqual(self.script("return document.activeElement === document.querySelector('input[data-search]')"), True)
            self.assertEqual(self.script("return scrollY"), 120)
            self.assertIn("not computed", self.text("tr[data-key=later]"))
        finally:
            run(self.folder, "rm", "d/later", "--yes")

    def test_what_a_level_hides_is_said_with_the_way_to_see_it(self):
        server = self.serve("released")
        driver = self.opened(server)
        try:
            self.open("/record?record=n-06&run=masked", driver, server)
            words = driver.find_element("id", "view").text
            self.assertIn("residue serve --originals", words)
            self.assertIn("residue serve --claims", words)
            self.assertIn("[N]", words)
            self.open("/leaks?run=masked", driver, server)
            self.assertIn("residue serve --claims", driver.find_element("id", "view").text)
            self.assertEqual(driver.find_elements("css selector", ".problem"), [])
        finally:
            driver.quit()
            server.shutdown()

    def test_people_can_use_it(self):
        script = """
          const bad = [];
          for (const th of document.querySelectorAll('th')) if (!th.getAttribute('scope')) bad.push('a heading without scope');
          for (const table of document.querySelectorAll('table')) if (!table.caption) bad.push('a table without caption');
          for (const svg of document.querySelectorAll('svg')) if (!svg.getAttribute('aria-label') && svg.getAttribute('aria-hidden') !== 'true') bad.push('a picture without label');
          for (const one of document.querySelectorAll('input, select, textarea')) if (one.labels.length === 0 && !one.getAttribute('aria-label')) bad.push('a field without label');
          for (const one of document.querySelectorAll('button, a')) if (!one.textContent.trim() && !one.getAttribute('aria-label')) bad.push('a button without words');
          const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
          if (new Set(ids).size !== ids.length) bad.push('an id twice');
          if (document.querySelectorAll('h1').length !== 1) bad.push('not one h1');
          return bad;"""
        for path in VIEWS:
            self.open(path)
            self.assertEqual(self.script(script), [], path)

    def test_without_scripts_the_page_says_what_to_do(self):
        driver = browser.opened(scripts=False, local=True)
        try:
            driver.get(self.server.url)
            self.assertIn("residue report", driver.find_element("tag name", "body").text)
        finally:
            driver.quit()

    def test_every_view_fits_two_widths_light_and_dark(self):
        for width, dark in ((1200, False), (1200, True), (420, False), (420, True)):
            driver = self.opened(width=width, dark=dark)
            try:
                if width < 500:  # A window cannot be that narrow; a page can.
                    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
                for path in VIEWS if not dark or browser.pictures() else VIEWS[:5]:
                    self.open(path, driver)
                    self.assertLessEqual(driver.execute_script("return document.documentElement.scrollWidth"),
                                         driver.execute_script("return document.documentElement.clientWidth"), (path, width))
                    self.keep(driver, path, width, dark)
            finally:
                driver.quit()

    def keep(self, driver, path, width, dark):
        name = re.sub(r"\W+", "-", path.replace("kind=", "").split("&")[0]).strip("-").replace("-record-n-02", "").replace("-run-masked", "") or "overview"
        name = f"viewer-{self.kind}-{name}-{width}{'-dark' if dark else ''}"
        if width < 500 and browser.pictures():
            height = min(driver.execute_script("return document.documentElement.scrollHeight"), 4000)
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
            driver.save_screenshot(os.path.join(browser.pictures(), name + ".png"))
        elif browser.pictures():
            browser.keep_picture(driver, name, min(driver.execute_script("return document.documentElement.scrollHeight"), 4000))


class StandIn(Pages, unittest.TestCase):
    kind = "stand-in"

    @classmethod
    def serve(cls, level):
        return stand_in.serve(stand_in.Store(PROGRAM, cls.folder, level), SOURCE)

    def canned(self, path, code, answer):
        answers = self.server.RequestHandlerClass.store.answers
        answers[path] = (code, answer)
        self.addCleanup(answers.pop, path, None)

    def test_a_condition_goes_to_the_server_and_an_error_leaves_the_table(self):
        from selenium.webdriver.common.keys import Keys
        self.open("/runs")
        box = self.driver.find_element("css selector", "input[data-search]")
        box.send_keys("param.rate > 0.3", Keys.ENTER)
        self.until(self.driver, "return location.search.includes('where=') && document.querySelectorAll('tr[data-key]').length === 1")
        self.assertIn("1 shown of 5", self.text(".tools"))
        box.clear()
        box.send_keys("nonsense", Keys.ENTER)
        self.until(self.driver, "return document.querySelector('.problem')?.innerText.includes('expected a name')")
        self.assertIn("for example param.rate > 0.3", self.text(".problem"))
        self.assertEqual(len(self.driver.find_elements("css selector", "tr[data-key]")), 5)
        browser.complaints(self.driver)

    def test_claims_that_are_not_listed_are_counted_and_the_way_to_them_is_said(self):
        claim = {"record": "n-02", "n": 1, "leaked": True, "rating": 1, "category": []}
        answer = {"dataset": "d", "baseline": "masked", "run": "it's", "protocol": "bm25/random:3", "judge": "lexical", "metrics": [], "parts": [],
                  "flips": {"columns": ["record", "before", "after"], "rows": [], "total": 0, "offset": 0, "sql": "SELECT 1;"}, "notes": [],
                  "claims": [claim, {**claim, "n": 2}, {**claim, "n": 3, "leaked": False}], "became_leaked": 370, "became_private": 1}
        self.canned("/api/compare", 200, answer)
        self.open("/compare?baseline=masked&run=lossy")
        self.assertIn("3 shown of 371", self.text(".flips"))
        self.assertIn("2 of 370 that leak only in it's, 1 of 1 that leak only in masked", self.text(".flips"))
        self.assertIn("residue compare d/masked 'it'\\''s' --protocol bm25/random:3 --judge lexical --flips 0 --format json", self.text(".flips code"))
        answer["became_leaked"] = 2
        self.open("/compare?baseline=masked&run=lossy")
        self.assertNotIn("Only the worst", self.text(".flips"))
        browser.complaints(self.driver)

    def test_more_flips_than_come_at_a_time_are_paged(self):
        answer = {"dataset": "d", "baseline": "masked", "run": "lossy", "protocol": "bm25/random:3", "judge": "lexical", "metrics": [], "parts": [],
                  "flips": {"columns": ["record", "before", "after"], "rows": [[f"r{i}", "right", "wrong"] for i in range(1000)], "total": 1500, "offset": 0,
                            "combinations": [["right", "wrong", 1500]], "sql": "SELECT 1;"}, "notes": [], "claims": [{"record": "r1", "n": i, "leaked": True, "rating": 1, "category": ["A", "B"]} for i in range(20)],
                  "became_leaked": 30, "became_private": 0}
        self.canned("/api/compare", 200, answer)
        self.open("/compare?baseline=masked&run=lossy")
        self.assertIn("12 shown of 1,500", self.text(".flips"))
        self.assertTrue(self.taken("Records whose attack", "LaTeX")[0].startswith("% 1000 rows of 1500\n"))
        self.assertIn("format=csv", self.script("return document.querySelector('.flips a[download]').href"))
        claims, name = self.taken("Claims that leak in one", "CSV")
        self.assertEqual((name, claims.count("\r\n")), ("claims-masked-lossy-20-rows-of-30.csv", 21))
        self.assertIn('"A, B"', claims)
        self.click("button", "show the first 1,000")
        self.assertEqual(len(self.rows("Records whose attack")), 1000)
        self.assertIn("1–1,000 of 1,500", self.text(".flips .pages"))
        answer["flips"].update({"rows": [["r1000", "right", "wrong"]], "offset": 1000})
        self.click(".flips .pages a", "next")
        self.assertIn("offset=1000", self.driver.current_url)
        self.assertEqual([row[0] for row in self.rows("Records whose attack")], ["r1000"])
        browser.complaints(self.driver)

    def test_states_and_negative_numbers_in_files(self):
        value = {"value": -0.123456789, "low": -0.5, "high": 0.25, "n": 3, "failed": 1, "missing": 2, "coverage": 1}
        none = {**value, "value": None, "low": None, "high": None}
        shared = {"kind": "aligned", "control": False, "sanitizer": None, "params": {}, "tags": [], "variants": 7, "failed": 2, "lacking": 1}
        runs = [{**shared, "run": "=old", "stale": True, "metrics": {"leak_rate": value, "max_risk": {**none, "missing": 0}}},
                {**shared, "run": "b", "stale": False, "params": {"at": "-1.5"}, "metrics": {"leak_rate": {**value, "stale": True}, "max_risk": {**none, "failed": 0}}},
                {**shared, "run": "c", "stale": False, "params": {"at": "-x"}, "metrics": {}}]
        self.canned("/api/runs", 200, {"dataset": "d", "columns": ["leak_rate", "max_risk"], "params": ["at"], "runs": runs, "total": 3, "shown": 3})
        self.open("/runs")
        rows = self.csv("Runs of d")
        self.assertEqual([(row["run"], row["stale"], row["at"], row["failed texts"], row["records without text"]) for row in rows],
                         [("'=old", "yes", "", "2", "1"), ("b", "no", "-1.5", "2", "1"), ("c", "no", "'-x", "2", "1")])
        self.assertEqual([[row[name] for name in ("leak_rate", "leak_rate low", "leak_rate failed", "leak_rate state")] for row in rows],
                         [["-0.123456789", "-0.5", "1", "value"], ["-0.123456789", "-0.5", "1", "stale"], ["", "", "", "not computed"]])
        self.assertEqual([[row["max_risk"], row["max_risk state"]] for row in rows], [["", "failed"], ["", "missing"], ["", "not computed"]])
        document = self.taken("Runs of d", "LaTeX")[0]
        self.assertIn("=old (stale) & ", document)
        self.assertIn("7, 2 failed, 1 not there & ", document)
        self.assertIn("$-$0.123 [$-$0.500, 0.250], 1 failed, 2 missing, stale & missing", document)

    def test_an_error_in_sql_has_its_place(self):
        from selenium.webdriver.common.keys import Keys
        self.canned("/api/sql", 400, {"error": "no such column: nope", "hint": "views: runs", "place": 15})
        self.open("/sql")
        area = self.driver.find_element("id", "statement")
        area.send_keys("SELECT 'é',\n  nope FROM runs", Keys.CONTROL + Keys.ENTER)
        self.assertEqual(self.until(self.driver, "return document.querySelector('pre.caret')?.textContent"), "  nope FROM runs\n  ^")
        browser.complaints(self.driver)

    def test_hostile_names_and_values_of_an_answer(self):
        name = "<b>x</b>\u202e\x07"
        run_of = {"run": name, "kind": "aligned", "control": False, "sanitizer": name, "params": {name: name}, "tags": [name], "variants": 1, "failed": 1,
                  "metrics": {"leak_rate": {"value": None, "low": None, "high": None, "n": 0, "failed": 1, "missing": 0, "coverage": 0},
                              "linkage_rate": {"value": 0, "low": 0, "high": 0.5, "n": 3, "failed": 0, "missing": 0, "coverage": 1}}}
        self.canned("/api/runs", 200, {"dataset": "d", "columns": ["leak_rate", "linkage_rate", "max_risk"], "params": [name], "runs": [run_of], "total": 1, "shown": 1})
        self.open("/runs")
        self.assertEqual(self.driver.find_elements("css selector", "#view td > b, #view th > b, #view a > b"), [])
        self.assertIn("<b>x</b>\\u{202e}\\x07", self.text("tbody"))
        states = [one.text for one in self.driver.find_elements("css selector", "td .state")]
        self.assertEqual(states, ["failed", "not computed"])
        self.assertEqual(self.driver.find_element("css selector", "td:last-child, td .value b").text != "", True)

    def test_what_a_model_replied_is_shown_as_words(self):
        reply = {"attempt": 1, "at": 1700000000000, "status": 200, "problem": None, "content": HOSTILE[0], "raw": HOSTILE[1]}
        late = {**reply, "attempt": 2, "status": 429, "problem": "truncated", "content": "", "raw": "\x1b[31m"}
        judges = [{"judge": "m", "kind": "model", "asks": "m", "rating": None, "together": 4,
                   "votes": [{"sample": 0, "rating": 1, "replies": [reply]}, {"sample": 1, "rating": None, "replies": [late]}, {"sample": 2, "rating": None, "replies": []}]},
                  {"judge": "people", "kind": "elsewhere", "asks": None, "rating": 2, "together": 1,
                   "votes": [{"sample": 0, "rating": 2, "replies": None}, {"sample": 1, "rating": 3, "replies": None}]}]
        answer = {"record": "n-02", "n": 1, "judges": judges, "hidden": [], "sql": "SELECT 1;"}
        self.canned("/api/votes", 200, answer)
        self.open("/record?record=n-02&run=masked&votes=1")
        self.assertEqual([row[2] for row in self.rows("What each judge said")], ["1 – –", "2 3"])
        words = self.script("return document.querySelector('.region.votes').textContent")
        for part in (HOSTILE[0], HOSTILE[1], "\\x1b[31m", "2023-11-14 22:13", "HTTP 429, truncated", "There is no reply", "4 claims at once"):
            self.assertIn(part, words)
        self.assertEqual(self.driver.find_elements("css selector", "#view img, #view script"), [])
        self.canned("/api/votes", 200, {**answer, "judges": [{**judges[0], "votes": [{"sample": 0, "rating": 1, "replies": None}]}], "hidden": ["replies"]})
        self.open("/record?record=n-02&run=masked&votes=1")
        self.assertIn("residue serve --originals", self.until(self.driver, "return document.querySelector('.region.votes .hidden')?.textContent"))

    def change_with(self, *evaluations):
        store = self.server.RequestHandlerClass.store
        if not hasattr(self, "stays"):
            self.stays = store.change()
        self.canned("/api/change", 200, {"change": self.stays, "evaluations": list(evaluations)})

    def test_how_far_an_evaluation_is_is_told_while_one_looks(self):
        one = {"dataset": "d", "run": "masked", "protocol": "bm25/random:3@42/claims", "judge": "m", "stage": "judgments and scores",
               "records": {"done": 1240, "total": 5000, "per_second": 38.2}, "asking": {"done": 7, "total": 90, "per_second": 0.25},
               "done": 0.634, "seconds": 754.0, "silent": 0.3}
        self.change_with(one)
        self.open("/status")
        panel = "return document.querySelector('section[aria-label=\"The evaluation of d/masked\"]')?.innerText"
        words = self.until(self.driver, panel, seconds=2)
        for part in ("63 %", "judgments and scores: 1,240 of 5,000 records, 38 a second", "7 of 90 answered, 0.3 a second", "13 min", "bm25/random:3@42/claims"):
            self.assertIn(part, words)
        self.assertNotIn("last word", words)
        self.assertEqual(self.text("#running"), "d/masked 63 %")
        self.change_with({**one, "stage": "sums", "records": {"done": 0, "total": None, "per_second": None}, "asking": None, "done": 0.8, "silent": 44.0})
        self.until(self.driver, panel + "?.includes('80 %')", seconds=2)
        self.assertIn("44 s ago", self.driver.execute_script(panel))
        asked = self.asked_changes()
        self.script("Object.defineProperty(document, 'visibilityState', {get: () => 'hidden', configurable: true})")
        time.sleep(1.2)
        before = asked()
        time.sleep(2.5)
        self.assertEqual(asked(), before)
        self.change_with()
        self.script("delete document.visibilityState")
        self.until(self.driver, "return !document.querySelector('section[aria-label^=\"The evaluation\"]') && document.getElementById('running').hidden", seconds=3)
        self.assertIn("No run is being evaluated", self.text())

    def test_runs_that_are_done_are_shown_before_the_end(self):
        lens = {"protocol": "bm25/random:3@42/claims", "sample": 0, "judge": "lexical", "runs": 2}
        browser.complaints(self.driver)
        self.canned("/api/lenses", 200, {"lenses": [lens], "last": None, "ended": False})
        self.open("/?dataset=d")
        self.assertRegex(self.text("#state"), "^unfinished: the first evaluation of d has not come to its end.*residue eval d .*finishes it")
        self.assertIn("masked", [row[0] for row in self.rows("Risk of each run beside")])
        self.canned("/api/lenses", 200, {"lenses": [], "last": None, "ended": False})
        self.change_with({"dataset": "d", "run": "masked", "protocol": None, "judge": "lexical", "stage": "texts", "asking": None,
                          "records": {"done": 3, "total": 9, "per_second": 1.0}, "done": 0.25, "seconds": 3.0, "silent": 0.1})
        self.open("/?dataset=d")
        self.assertIn("No evaluation of d has come to an end", self.text())
        self.until(self.driver, "return document.querySelector('#view').innerText.includes('25 %')", seconds=3)
        self.assertEqual(browser.complaints(self.driver), [])

    def asked_changes(self):
        """How often a page asked whether something changed."""
        pages, counted = self.server.RequestHandlerClass, [0]
        before = pages.do_GET

        def do_get(request):
            counted[0] += "/api/change" in request.path
            before(request)
        pages.do_GET = do_get
        self.addCleanup(setattr, pages, "do_GET", before)
        return lambda: counted[0]

    def test_seeds_are_chosen_where_there_are_several(self):
        lenses = [{"protocol": f"bm25/random:3@{seed}/claims", "sample": sample, "judge": "lexical", "runs": 5}
                  for seed, sample in ((42, 0), (43, 0), (44, 0), (42, 100))]
        self.canned("/api/lenses", 200, {"lenses": lenses, "last": {**lenses[0], "seeds": 3}})
        answer = json.loads(urllib.request.urlopen(urllib.request.Request(
            self.server.url.split("/#")[0] + "/api/runs?dataset=d", headers={"Cookie": "session=open"})).read())
        self.canned("/api/runs", 200, {**answer, "protocols": "bm25/random:3@42..44/claims", "seeds": 3, "sample": 0})
        self.open("/runs")
        self.assertIn("seeds=3", self.driver.current_url)
        self.assertIn("sample=0", self.driver.current_url)
        options = self.script("return [...document.querySelectorAll('option')].map((one) => one.textContent).filter((one) => one.startsWith('42'))")
        self.assertEqual(options, ["42 alone", "42 to 43, their mean", "42 to 44, their mean"])
        self.assertIn("@42..44/claims", self.text("caption"))
        self.choose("seeds", "1")
        self.assertIn("seeds=3", self.driver.current_url)  # as the answer says, whatever was asked for
        self.choose("attacker and judge", json.dumps(["bm25/random:3@42/claims", "lexical", "100"], separators=(",", ":")))
        self.assertIn("sample=100", self.driver.current_url)

    def test_a_server_that_is_gone_is_told(self):
        server = self.serve("originals")
        driver = self.opened(server)
        try:
            self.until(driver, "return document.querySelector('#view table')")
            server.shutdown()
            server.server_close()
            self.until(driver, "return document.getElementById('notice').textContent.includes('does not answer')")
            self.assertTrue(driver.find_elements("css selector", "#view table"))
        finally:
            driver.quit()

    def test_without_what_a_chart_needs_every_number_is_there(self):
        self.canned("/web/d3.js", 404, {"error": "no such file"})
        self.open("/plot?x=rougeL_f&y=leak_rate")
        self.assertIn("the table below has its numbers", self.text())
        self.assertEqual(len(self.rows("leak_rate against rougeL_f")), 5)
        browser.complaints(self.driver)

    def said(self, module, expression):
        """What a module of the pages computes."""
        self.open("/status")
        return self.driver.execute_async_script(
            f"const done = arguments[0]; import('/web/{module}.js').then((m) => done({expression}), (error) => done(String(error)))")

    def test_what_is_copied(self):
        self.assertEqual(self.said("copying", r"m.latexWords('50 % of a_b & {c} \\ ~ ^ # $ ↓ −0.1 <x>')"),
                         r"50 \% of a\_b \& \{c\} \textbackslash{} \textasciitilde{} \textasciicircum{} \# \$ $\downarrow$ $-$0.1 \textless{}x\textgreater{}")
        self.assertEqual(self.said("copying", "m.toLatex([{name: 'run'}, {name: 'n_1', number: true}], [['a&b', 1]])"),
                         "\\begin{tabular}{lr}\n\\toprule\nrun & n\\_1 \\\\\n\\midrule\na\\&b & 1 \\\\\n\\bottomrule\n\\end{tabular}\n")
        self.assertEqual(self.said("copying", "m.toCsv([{name: 'a'}, {name: 'b'}], [['x,\"y\"', -1], ['=1+1', null], ['-inf', '-9223372036854775808'], ['-1', '-x']])"),
                         "a,b\r\n\"x,\"\"y\"\"\",-1\r\n'=1+1,\r\n-inf,-9223372036854775808\r\n'-1,'-x\r\n")
        # Behind the last page of a table.
        self.assertEqual(self.said("table", "[[0, 50], [50, 10], [10000, 0]].map(([offset, shown]) => m.pagesOf({offset, shown, total: 60, limit: 50}, String))"
                                            ".map((one) => [one.querySelector('span:not(.soft)').textContent, one.querySelector('a[rel=previous]')?.getAttribute('href')])"),
                         [["1–50 of 60", None], ["51–60 of 60", "0"], ["none of 60 from 10,001 on", "50"]])

    def test_what_words_say(self):
        self.assertEqual(self.said("words", "[0, null, -0.0001, 0.12345, 12.5, 123456].map(m.digits)"), ["0.000", "–", "0.000", "0.123", "12.50", "123,456"])
        self.assertEqual(self.said("words", "[0.0001, 0.05, null].map(m.probability)"), ["< .001", ".050", "–"])
        self.assertEqual(self.said("words", "['higher = more private', 'higher = less private', 'lower = more useful', 'counts'].map((d) => m.directionOf(d).better)"), [1, -1, -1, 0])
        self.assertEqual(self.said("words", "[null, {value: 0}, {value: null, failed: 2}, {value: null, missing: 1}, {value: null}].map(m.stateOfValue)"),
                         ["not computed", "value", "failed", "missing", "not applicable"])
        self.assertEqual(self.said("compare", "[[0.2, 0.1, 0.3, 0.01], [0.2, -0.1, 0.3, 0.2], [-0.2, -0.3, -0.1, 0.01]].map(([difference, low, high, p]) => "
                                              "m.verdictOf({difference, low, high, p, direction: 'higher = less private'}).words)"),
                         ["less private", "not more than chance", "more private"])
        # A test and an interval that disagree say nothing; without an interval the test alone does, and the other way round.
        self.assertEqual(self.said("compare", "[[0.2, -0.1, 0.3, 0.01], [0.2, 0, 0.3, 0.01], [0.2, 0.1, 0.3, 0.2], [0.2, null, null, 0.01], [0.2, 0.1, 0.3, null], "
                                              "[0.2, -0.1, 0.3, null], [0, 0, 0, null]].map(([difference, low, high, p]) => "
                                              "m.verdictOf({difference, low, high, p, direction: 'higher = less private'}).words)"),
                         ["not told apart", "not told apart", "not more than chance", "less private", "less private", "not more than chance", "no difference"])
        self.assertEqual(self.said("texts", "['gone', 'new'].map((side) => m.diffText([['same', 'Ann', 'ANN'], ['gone', ', x'], ['new', ' y'], ['same', '.']], side).textContent)"),
                         ["ANN, x.", "Ann y."])
        self.assertEqual(self.said("words", "[{}, {failed: 2}, {missing: 1, failed: 1000}].map(m.lostWords)"), ["", "2 failed", "1,000 failed, 1 missing"])
        self.assertEqual(self.said("overview", "[[0.05, 0.01, 0.08], [0.05, 0.01, 0.2], [0.2, 0.1, 0.3], [0.2, 0.01, 0.3]].map(([value, low, high]) => m.besideThreshold({value, low, high}, 0.09).words)"),
                         ["not above", "not above; interval reaches above", "above", "above; interval reaches below"])

    def test_attackers_are_those_of_the_chosen_judge(self):
        self.open("/status")
        found = self.driver.execute_async_script("""
          const done = arguments[0];
          const lens = (protocol, judge) => ({protocol, judge, sample: 0});
          const page = {query: {dataset: 'd', judge: 'one'}, lenses: [lens('a', 'one'), lens('a', 'two'), lens('b', 'two'), lens('b', 'one'), lens('c', 'two')],
                        ask: async (what, {protocol, judge}) => ({protocol, judge, sample: 0, sql: 'SELECT 1;', runs: [{run: 'r', metrics: {}}]})};
          import('/web/plot.js').then((m) => m.attackersOf(page, 'leak_rate')).then(({cells, of}) => done([cells.map((cell) => [cell.attacker, cell.judge]), of]),
                                                                                   (error) => done(String(error)));""")
        self.assertEqual(found, [[["a", "one"], ["b", "one"]], 2])

    def test_where_evidence_stands(self):
        self.assertEqual(self.said("texts", r"m.placeOf('b  c', 'a b\nc d')"), [2, 5])
        self.assertIsNone(self.said("texts", "m.placeOf('x', 'a b')"))
        self.assertEqual(self.said("texts", "m.tellingWords('She keeps two parrots, the parrots of Oslo')"), ["keep", "two", "parrot", "oslo"])
        self.assertEqual(self.said("ask", "m.queryOf({protocol: 'bm25/random:3@42', a: null, b: 'x y&z', c: ''})"), "protocol=bm25/random:3@42&b=x%20y%26z&c=")


@unittest.skipUnless(can_serve(), "this program has no serve")
class Server(Views, Pages, unittest.TestCase):
    kind = "server"

    def test_numbers_of_sql_are_shown_as_they_are(self):
        from selenium.webdriver.common.keys import Keys
        values = ["9007199254740993", "9223372036854775807", "-9007199254740992", "0.0004", "1234.56", "1e-12", "inf", "-inf", "123456789"]
        self.open("/sql")
        self.driver.find_element("id", "statement").send_keys(
            f"SELECT {', '.join(value.replace('inf', '9e999') + f' AS c{i}' for i, value in enumerate(values))}, NULL AS n", Keys.CONTROL + Keys.ENTER)
        self.assertEqual(self.rows("What the statement gives"), [[*values, "NULL"]])
        self.assertEqual(list(self.csv("What the statement gives")[0].values()), [*values, ""])
        self.assertIn(" & ".join(values), self.taken("What the statement gives", "LaTeX")[0])

    def test_all_rows_of_a_statement_are_saved_or_it_is_said_why_not(self):
        from selenium.webdriver.common.keys import Keys
        self.open("/sql")
        self.driver.find_element("id", "statement").send_keys(
            "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 1500) SELECT n FROM c", Keys.CONTROL + Keys.ENTER)
        self.assertEqual(len(self.rows("What the statement gives")), 1000)
        words, name = self.taken("What the statement gives", "CSV")
        self.assertEqual((name, words.count("\n")), ("sql-1000-rows-of-more.csv", 1001))
        words, name = self.taken("What the statement gives", "save all rows as CSV")
        self.assertEqual((name, words.split("\r\n")), ("sql.csv", ["n", *map(str, range(1, 1501)), ""]))
        self.script("window.fetch = async () => new Response(JSON.stringify({error: 'no room', hint: 'make some'}), {status: 500});")
        self.click("button", "save all rows as CSV")
        self.assertIn("no room", self.until(self.driver, "return document.querySelector('.problem')?.innerText"))
        self.assertEqual(len(self.rows("What the statement gives")), 1000)
        self.driver.refresh()
        browser.complaints(self.driver)

    def test_axe_finds_nothing_serious(self):
        axe = os.environ.get("RESIDUE_AXE")
        if not axe:
            self.skipTest("RESIDUE_AXE names no axe.min.js (npm install axe-core)")
        with open(axe) as file:
            source = file.read()
        found = []
        for dark, width in ((False, 1200), (True, 1200), (False, 420)):
            driver = self.opened(dark=dark, width=width)
            try:
                driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
                driver.execute_script("localStorage.setItem('residue.annotator', 'ann')")
                for path in (*VIEWS, "/record?record=n-02&run=masked&votes=2", "/label?run=masked", "/intruder?run=masked"):
                    self.open(path, driver)
                    driver.execute_cdp_cmd("Runtime.evaluate", {"expression": source})
                    found += [(path, dark, width, *one) for one in driver.execute_async_script(
                        "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then((all) => done(all.violations"
                        ".map((one) => [one.impact, one.id, one.nodes.map((node) => node.target.join(' ') + ': ' + node.any.map((any) => any.message)).slice(0, 3)])),"
                        " (error) => done([['critical', String(error), []]]));") if one[0] in ("serious", "critical")]
            finally:
                driver.quit()
        self.assertEqual(found, [], "\n".join(map(str, found)))


class Unready(Pages, unittest.TestCase):
    """A store before its first evaluation, in the midst of it, and after something changed."""

    @classmethod
    def prepare(cls):
        make_store(cls.folder)
        for words in (("ingest", "dataset", "new", "notes.jsonl"), ("atomize", "new"), ("ingest", "run", "new/masked", "masked.jsonl"),
                      ("ingest", "dataset", "old", "notes.jsonl"), ("atomize", "old"), ("ingest", "run", "old/masked", "masked.jsonl"),
                      ("sanitize", "old", "--with", "ngram", "--run", "made"), ("eval", "old")):
            run(cls.folder, *words)

    def states(self):
        return [one.text for one in self.driver.find_elements("css selector", "#state p")]

    def test_before_anything_is_evaluated_every_view_says_so(self):
        browser.complaints(self.driver)
        for path in ("/", "/runs", "/compare", "/leaks", "/plot", "/label", "/intruder"):
            self.open(path + "?dataset=new")
            self.assertIn("No evaluation of new has come to an end", self.text(), path)
            self.assertIn("residue eval new", self.text(), path)
            self.assertTrue(self.driver.find_elements("css selector", "#view a[href^='/status']"), path)
        self.open("/records?dataset=new")
        self.assertEqual(len(self.rows("what leaks is not computed")), 24)
        self.open("/record?dataset=new&record=n-02&run=masked")
        self.assertIn("What leaks in masked is not computed", self.text())
        self.assertIn("Not computed: no attack on this text was evaluated", self.text())
        self.assertNotIn("found nothing", self.text())
        for path, words in (("/search?dataset=new&q=house", "matches"), ("/status?dataset=new", "new/masked"), ("/sql?dataset=new", "SQL")):
            self.open(path)
            self.assertIn(words, self.text(), path)
        self.assertEqual(self.driver.find_elements("css selector", ".problem"), [])
        self.assertEqual(browser.complaints(self.driver), [])

    def test_what_is_stale_is_said_wherever_its_numbers_are(self):
        self.open("/?dataset=d")
        self.assertEqual(self.states(), [])
        shutil.copy(os.path.join(self.folder, "masked.jsonl"), os.path.join(self.folder, "kept.jsonl"))
        write_rows(self.folder, "other.jsonl", [{"id": f"n-{i:02}", "text": f"[gone] {i}"} for i in range(1, 25)])
        run(self.folder, "ingest", "run", "d/masked", "other.jsonl")
        browser.complaints(self.driver)
        try:
            for path in ("/", "/runs", "/plot", "/records?run=masked", "/record?record=n-02&run=masked", "/leaks?run=masked", "/compare?baseline=lossy&run=masked"):
                self.open(path + ("&" if "?" in path else "?") + "dataset=d")
                self.until(self.driver, "return document.querySelector('#state p')", seconds=5)
                self.assertRegex(self.states()[0], "^stale: masked changed since it was evaluated.*residue eval d --protocol bm25/random:3@42/[a-z]+ --judge lexical$", path)
            self.assertIn("its old numbers are not compared", self.text(".problem"))
            self.open("/leaks?run=lossy&dataset=d")
            self.assertEqual(self.states(), [])
            self.open("/?dataset=d")
            rows = {row[0].split()[0]: row for row in self.rows("Risk of each run beside")}
            self.assertIn("withheld: stale", rows["masked"])
            self.assertFalse([cell for cell in rows["masked"] if "above" in cell], rows["masked"])
            self.assertTrue([cell for cell in rows["lossy"] if "above" in cell], rows["lossy"])
            for path, caption in (("/?dataset=d", "Risk of each run beside"), ("/runs?dataset=d", "Runs of d"), ("/plot?dataset=d", " against ")):
                self.open(path)
                self.assertEqual({row["run"] for row in self.csv(caption) if row["stale"] == "yes"}, {"masked"}, path)
                self.assertIn("\nmasked (stale) & ", self.taken(caption, "LaTeX")[0], path)
            self.open("/?dataset=d")
            self.assertEqual({row["masked state"] for row in self.csv("Share of claims that leak")} - {"not computed", "not applicable"}, {"stale"})
            self.open("/plot?dataset=d&kind=attackers")
            self.assertTrue(all(row["masked state"] == "stale" and row["lossy state"] == "value" for row in self.csv("by attacker and run")))
            self.assertEqual(browser.complaints(self.driver), [])
        finally:
            run(self.folder, "ingest", "run", "d/masked", "kept.jsonl")
            run(self.folder, "eval", "d")

    def original(self, key):
        with open(os.path.join(self.folder, "notes.jsonl")) as file:
            return next(note["text"] for note in map(json.loads, file) if note["id"] == key)

    def test_what_is_purged_goes_from_open_pages(self):
        words = self.original("n-06")[:40]
        self.open("/record?dataset=old&record=n-06&run=masked")
        self.assertIn(words, self.text())
        run(self.folder, "purge", "record", "old", "n-06", "--yes")
        self.until(self.driver, "return !document.body.innerText.includes(arguments[0])", words, seconds=5)
        self.assertEqual(self.text("#view h1"), "Record")
        self.assertIn("no record of this name", self.text(".problem"))
        words = self.original("n-07")[:40]
        self.open("/sql")
        self.driver.find_element("id", "statement").send_keys("SELECT text(record_text) FROM records WHERE dataset = 'old' AND record = 'n-07'")
        self.driver.find_element("css selector", "button.primary").click()
        self.until(self.driver, "return document.querySelector('#view').innerText.includes(arguments[0])", words)
        run(self.folder, "purge", "record", "old", "n-07", "--yes")
        self.until(self.driver, "return document.body.innerText.includes('run it again')", seconds=5)
        self.assertNotIn(words, self.text())

    def test_a_record_that_changed_has_no_counts_of_leaks(self):
        write_rows(self.folder, "changed.jsonl", [{"id": "n-02", "text": "Another text by now."}])
        self.open("/record?dataset=old&record=n-02&run=masked")
        self.assertRegex(self.text(".summary"), r"^\d+ of [1-9]\d* claims")
        run(self.folder, "ingest", "run", "old/masked", "changed.jsonl")
        self.until(self.driver, "return document.querySelector('.summary')?.innerText.includes('it changed since it was attacked')", seconds=5)
        self.assertTrue(all("stale" in cell for _, cell, *_ in self.rows("before it changed")), self.rows("before it changed"))

    def test_a_synthetic_run_and_what_was_not_attacked_say_what_they_are(self):
        self.open("/record?dataset=old&record=n-03&run=made")
        self.assertRegex(self.text(".summary"), r"^\d+ of [1-9]\d* claims")
        self.assertIn("the synthetic text", self.text())
        self.assertNotIn("not computed", self.text(".runs-strip"))
        self.assertIn("made", self.text(".runs-strip"))

    def test_failed_records_are_no_success_wherever_they_are_counted(self):
        self.open("/compare?dataset=d&baseline=masked&run=lossy")
        said = re.search(r"(\d+) failed or missing in lossy, which counts as found", self.text(".summary"))
        rows = {row[0]: row for row in self.rows("Records by semantic_distance")} if self.open("/plot?dataset=d&kind=distances") else {}
        failed, missing = map(int, rows["lossy"][-2:])
        self.assertGreater(failed, 0)
        self.assertTrue(said and int(said[1]) <= failed + missing, (said, rows["lossy"]))

        self.open("/compare?dataset=d&baseline=lossy&run=masked")
        self.assertGreater(max(int(row["failed_baseline"]) for row in self.csv("differences over the same records")), 0)
        self.open("/record?dataset=d&record=n-01&run=lossy")
        numbers = self.csv("What the record adds to each metric")
        self.assertIn("failed", {row["state"] for row in numbers})
        self.assertFalse([row for row in numbers if row["value"] and row["state"] != "value"])

    def test_claims_without_a_category_are_found_again(self):
        self.open("/?dataset=d")
        row = next((row for row in self.driver.find_elements("css selector", "tr[data-key='no category']")), None)
        if row is None:
            self.skipTest("every claim has a category")
        row.find_element("css selector", "a.cell-link").click()
        self.settled()
        self.until(self.driver, "return document.querySelector('#view td')", seconds=5)
        self.assertNotIn("Nothing leaked that is like that", self.text())

    def test_a_threshold_is_a_share(self):
        for at in ("9", "-1", "0", "", "5%", "abc", "1e9"):
            self.open(f"/?dataset=d&at={at}")
            self.assertIn("That is no threshold", self.text(), at)
            self.assertNotIn("not above", self.text(), at)
        for at, words in (("0,05", "beside 0.05"), (".5", "beside 0.5"), ("1", "beside 1")):
            self.open(f"/?dataset=d&at={at}")
            self.assertIn(words, self.text(), at)

    def test_the_worst_that_are_not_listed_are_counted(self):
        self.open("/?dataset=d&run=lossy")
        found = self.script("""
          const get = (path) => fetch((localStorage.getItem('residue-path') ?? '') + path).then((answer) => answer.json());
          return get('/api/records?dataset=d&run=lossy&metric=leak_rate&sort=value&desc=1&limit=1000');""")
        values = [row[3] for row in found["rows"] if row[1] == "value"]
        failed = sum(row[1] == "failed" for row in found["rows"])
        self.assertGreater(failed, 0)
        self.assertIn(f"{failed} failed records count as leaked in full", self.text())
        alike = values[10:].count(values[9]) if len(values) > 10 else 0
        self.assertEqual(f"And {alike} more" in self.text(), alike > 0)

    def test_texts_that_failed_and_that_are_not_there_stand_apart(self):
        for path, caption in (("/runs?dataset=d", "Runs of d"), ("/status?dataset=d", "Every run")):
            self.open(path)
            row = next(row for row in self.rows(caption) if "lossy" in row[0])
            self.assertTrue(any("have no text" in cell for cell in row), row)


class Modules(unittest.TestCase):
    """The house of the scripts."""

    def modules(self):
        for room in ("web/modules", "web/viewer"):
            for name in sorted(os.listdir(os.path.join(SOURCE, room))):
                if name.endswith(".js"):
                    with open(os.path.join(SOURCE, room, name)) as file:
                        yield name, file.read()

    def test_a_file_says_what_it_is_for_and_no_name_is_there_twice(self):
        seen = {}
        for name, words in self.modules():
            self.assertTrue(words.startswith("// "), name)
            self.assertLessEqual(words.count("\n"), 400, name)
            self.assertNotRegex(words, r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", name)
            for found in re.finditer(r"^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)", words, re.M):
                if found[1] != "d3":
                    self.assertNotIn(found[1], seen, f"{name} and {seen.get(found[1])}")
                seen[found[1]] = name

    def test_no_module_needs_itself(self):
        needs = {name: re.findall(r"^import .* from '\./(.*)';$", words, re.M) for name, words in self.modules()}
        done = set()

        def visit(name, above):
            self.assertNotIn(name, above)
            if name not in done:
                for other in needs[name]:
                    visit(other, (*above, name))
                done.add(name)
        for name in needs:
            visit(name, ())


if __name__ == "__main__":
    browser.require()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)
