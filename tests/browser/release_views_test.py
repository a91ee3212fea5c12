"""What a page says that a person decides on: no number looks better, or more certain, than it is."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import browser
from pages import PROGRAM, SOURCE, make_store, open_page, read, run, text_of, waited, write_rows


class Views(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="residue-views-")
        cls.notes = make_store(cls.folder)
        cls.driver = browser.opened()

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()
        shutil.rmtree(cls.folder)

    def page(self, name, *flags, code=0):
        run(self.folder, "report", "d", "--html", name, *flags, code=code)
        open_page(self.driver, self.folder, name)
        waited(self.driver)
        return {part.get_attribute("id"): part.text for part in self.driver.find_elements("css selector", "section")}

    def context(self, threshold, folder=None):
        with open(os.path.join(folder or self.folder, "context.toml"), "w") as file:
            file.write(f'recipient = "two universities"\nthreshold = {threshold}\nthreshold_source = "our board"\n')
        return "--context", "context.toml"

    def test_the_threshold_is_held_against_the_interval_and_never_against_controls(self):
        folder = self.copied("thresholds")
        write_rows(folder, "gone.jsonl", [{"id": note["id"], "text": "[N]"} for note in self.notes])
        run(folder, "ingest", "run", "d/gone", "gone.jsonl")
        run(folder, "eval", "d")
        done = subprocess.run([PROGRAM, "report", "d", "--json"], cwd=folder, capture_output=True, text=True, check=True)
        risks = {one["run"]: one["metrics"].get("mean_risk") for one in json.loads(done.stdout)["runs"]}
        gone, masked = risks["gone"], risks["masked"]
        self.assertLess(gone["value"], gone["high"])
        self.assertLess(masked["low"], masked["value"])
        low, high = gone["high"] / 2, (gone["high"] + masked["low"]) / 2
        self.assertLess(high, masked["low"])
        for threshold, name, words in ((low, "gone", "not decided, the interval contains it"),
                                       (gone["high"], "gone", "not decided, the interval contains it"),
                                       (high, "gone", "below, the upper end too"), (high, "masked", "above, the lower end too"),
                                       ((masked["low"] + 1) / 2, "masked", "not decided, the interval contains it")):
            flags = self.context(threshold, folder)
            run(folder, "report", "d", "--html", f"{name}-{threshold}.html", *flags)
            open_page(self.driver, folder, f"{name}-{threshold}.html")
            criteria = text_of(self.driver, "criteria")
            of = criteria.split(f"\n{name}: each number")[1]
            line = next(one for one in of.split("\n") if one.startswith("mean_risk "))
            self.assertIn(words, line)
            self.assertIn("(our board)", line)
            self.assertNotIn("against the threshold", criteria.split("\nnone: each number")[1])

    def test_failed_records_are_mentioned_at_the_worst_ones(self):
        worst = self.page("worst.html", "--protocol", "bm25/random:3", "--seeds", "1")["worst"]
        self.assertIn("texts failed or are missing: none of these records is listed here", worst.split("lossy: ", 1)[1].split("masked: ")[0])
        self.assertNotIn("failed or are missing", worst.split("masked: ", 1)[1])

    def test_a_sample_is_said_at_every_number(self):
        parts = self.with_own_store("sample", ("eval", "d", "--sample", "7"), "--fail-if", "leak_rate > 2e-9", code=1)
        for part in ("identity", "coverage", "gates", "criteria", "worst", "proof"):
            self.assertIn("SAMPLE: these numbers are of 7 attacked records", parts[part], part)
        parts = self.page("all.html", "--protocol", "bm25/random:3", "--seeds", "1")
        self.assertNotIn("SAMPLE", "".join(parts.values()))

    def copied(self, name):
        folder = os.path.join(self.folder, name)
        shutil.copytree(os.path.join(self.folder, ".residue"), os.path.join(folder, ".residue"))
        os.chmod(os.path.join(folder, ".residue"), 0o700)
        return folder

    def with_own_store(self, name, command, *flags, code=0):
        """The parts of a page after one more command in a copy of the store."""
        folder = self.copied(name)
        run(folder, *command)
        run(folder, "report", "--html", name + ".html", *flags, code=code)
        open_page(self.driver, folder, name + ".html")
        self.said = waited(self.driver)
        return {part.get_attribute("id"): part.text for part in self.driver.find_elements("css selector", "section")}

    def test_means_of_seeds_are_said_to_be_not_proven_where_they_stand(self):
        parts = self.with_own_store("seeds", ("eval", "d", "--seeds", "3"))
        self.assertIn("means of 3 seeds, and NOT PROVEN here", parts["proof"])
        self.assertIn("Under the first of 3 seeds alone", parts["worst"])
        self.assertRegex(self.said, r"^\d+ rows agree; \d+ have no contributions on this page")
        rows = {row.get_attribute("data-metric"): row.text for row in self.driver.find_elements("css selector", "#proof tbody tr")}
        self.assertIn("not here: mean of 3 seeds", rows["leak_rate"])
        self.assertNotIn("not here", rows["rougeL_f"])

    def test_after_several_releases_together_the_page_is_made_and_says_what_was_tested(self):
        parts = self.with_own_store("together", ("eval", "d", "--combine", "masked,lossy"))
        self.assertNotIn("several releases of the same persons", parts["not-tested"])
        self.assertIn("only these were held together: lossy with masked", parts["not-tested"])
        self.assertIn("no single text shows what he learns", parts["worst"])
        self.assertRegex(self.said, "^arithmetic agrees")
        folder = os.path.join(self.folder, "together")
        run(folder, "report", "d", "--html", "one.html", "--protocol", "bm25/random:3")
        open_page(self.driver, folder, "one.html")
        self.assertIn("only these were held together", text_of(self.driver, "not-tested"))
        self.assertIn("leaked claims of", text_of(self.driver, "worst"))

    def test_another_attacker_that_came_since_is_named(self):
        folder = self.copied("since")
        run(folder, "report", "d", "--html", "page.html")
        run(folder, "verify-report", "page.html")
        run(folder, "eval", "d", "--protocol", "bm25/first:2")
        done = subprocess.run([PROGRAM, "verify-report", "page.html"], cwd=folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("changed since: the attacker bm25/first:2/sentences was evaluated since", done.stdout)

    def test_a_shell_makes_the_same_page_again_with_the_commands_on_it(self):
        flags = ("--fail-if", "leak_rate.high  >  0.1", "--fail-if", "delta(leak_rate, none) > 0.5", "--min-coverage", "0.5",
                 "--missing", "drop", "--protocol", "bm25/random:3", "--seeds", "1", *self.context(0.5))
        self.page("first.html", *flags, code=1)
        commands = text_of(self.driver, "commands").split("\n")
        lines = [line for line in commands if line.startswith("residue ")]
        self.assertEqual(len(lines), 2)
        script = "\n".join(lines).replace("residue ", f"{PROGRAM} -q ").replace("--html FILE", "--html 'second one.html'")
        subprocess.run(["bash", "-c", script.replace("--context FILE", "--context context.toml")], cwd=self.folder,
                       env={**os.environ, "SOURCE_DATE_EPOCH": "1764288000"}, capture_output=True, check=False)
        self.assertEqual(read(self.folder, "first.html"), read(self.folder, "second one.html"))

    def test_it_agrees_whatever_it_was_asked_for(self):
        gates = [word for gate in ("leak_rate.n >= 1", "leak_rate.coverage < 0.5", "leak_rate.failed > 0", "leak_rate != 0",
                                   "mean_risk.if_leaked == 1", "exposed_rate.if_private > 0.5", "delta(leak_rate, none) > 0",
                                   "max_risk > 0.2", "linkage_rate <= 0.99999") for word in ("--fail-if", gate)]
        for i, flags in enumerate(((), ("--missing", "drop"), ("--min-coverage", "0.1", "--min-coverage", "leak_rate=0.95"))):
            self.page(f"asked-{i}.html", "--protocol", "bm25/random:3", "--seeds", "1", *gates, *flags, code=1)
            self.assertRegex(waited(self.driver), "^arithmetic agrees: .* elsewhere on this page [1-9]\d\d cells show these numbers")
        folder = self.copied("stale")
        write_rows(folder, "m.jsonl", [{"id": note["id"], "text": "[N]"} for note in self.notes])
        run(folder, "ingest", "run", "d/masked", "m.jsonl")
        run(folder, "ingest", "run", "d/never", "m.jsonl")
        run(folder, "report", "d", "--html", "stale.html", "--fail-if", "leak_rate > 2e-9", *self.context(0.5, folder), code=1)
        open_page(self.driver, folder, "stale.html")
        self.assertRegex(waited(self.driver), "^arithmetic agrees")
        self.assertIn("mean_risk is old: it is not held against", text_of(self.driver, "criteria"))

    def test_the_page_of_the_clinic_agrees(self):
        open_page(self.driver, SOURCE, "examples/clinic/report.html")
        self.assertRegex(waited(self.driver), "^arithmetic agrees: [78]")
        self.assertEqual(browser.complaints(self.driver), [])

    def test_html_is_never_ignored(self):
        for flags, words in ((("--html", ""), "names no file"), (("--html", "x.html", "--json"), "no other format"),
                             (("--html", "x.html", "--csv"), "no other format"), (("--html", "x.html", "--columns", "run"), "all columns"),
                             (("--html", "x.html", "-o", "y.html"), "two files")):
            self.assertIn(words, run(self.folder, "report", "d", *flags, code=2))
        self.assertEqual([name for name in os.listdir(self.folder) if name in ("x.html", "y.html", "-")], [])
        done = subprocess.run([PROGRAM, "-q", "report", "d", "--html", "-"], cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, "SOURCE_DATE_EPOCH": "1764288000"}, check=True)
        run(self.folder, "report", "d", "--html", "file.html")
        self.assertEqual(done.stdout, read(self.folder, "file.html"))

    def test_numbers_elsewhere_are_compared_as_they_are_read(self):
        self.page("gated.html", "--protocol", "bm25/random:3", "--seeds", "1", "--fail-if", "leak_rate > 0.5",
                  "--fail-if", "leak_rate.low < 0.0001", code=1)
        page = read(self.folder, "gated.html")
        other = lambda found: found[1] + str((int(found[2]) + 1) % 10) + found[3]
        for where, pattern, replacement in (
                ("gates", r'FAILED[^<]*(</td>)', r"passed\1"),
                ("gates", r'(leak_rate &gt; 0\.5</th>\n<td>masked</td>.*?data-value="0\.\d+">0\.\d)(\d)(\d)', other),
                ("gates", r'(leak_rate &gt; 0\.5</th>\n<td>masked</td>.*?data-value="0\.5">0\.)(5)(<)', other),
                ("criteria", r'(<td>leak_rate</td>\n<td class="number" data-value="0\.\d+">0\.\d)(\d)(\d)', other),
                ("criteria", r'(<td>full_leak_rate</td>.*?>\[0\.\d)(\d)(\d, )', other),
                ("criteria", r'(<h3>)(masked)', r"\1lossy"),
                ("criteria", r'(<td>mean_risk</td>.*?<td class="number">)(\d)(\d</td>)', other),
                ("coverage", r'(id="coverage".*?scope="row">lossy</th>.*?>\d)(\d)(\.\d %<)', other),
                ("coverage", r'(id="coverage".*?scope="row">)masked', r"\1unknown"),
                ("trade", r'(id="trade".*?scope="row">masked</th>.*?data-value="0\.\d+">0\.\d)(\d)(\d)', other),
                ("attackers", r'(id="attackers".*?<td>masked</td>.*?>\[0\.\d)(\d)(\d, )', other)):
            changed, count = re.subn(pattern, replacement, page, count=1, flags=re.S)
            self.assertEqual(count, 1, pattern)
            with open(os.path.join(self.folder, "changed.html"), "w") as file:
                file.write(changed)
            open_page(self.driver, self.folder, "changed.html")
            words = waited(self.driver)
            self.assertRegex(words, rf"^ARITHMETIC DOES NOT AGREE: [^;]*\({where}\)", pattern)


class Charts(unittest.TestCase):
    """Ten runs with long names, and categories that turn the order of letters."""
    @classmethod
    def setUpClass(cls):
        cls.folder = folder = tempfile.mkdtemp(prefix="residue-charts-")
        with open(os.path.join(SOURCE, "examples/clinic/notes.jsonl")) as file:
            notes = [json.loads(line) for line in list(file)[:16]]
        write_rows(folder, "notes.jsonl", notes)
        claims = []
        for note in notes:
            for sentence in note["text"].split(". ")[:4]:
                claims.append({"record": note["id"], "claim": sentence, "category": ["Work", "\u202eyrotsih and other things"]})
        write_rows(folder, "claims.jsonl", claims)
        run(folder, "init")
        run(folder, "ingest", "dataset", "d", "notes.jsonl")
        run(folder, "ingest", "claims", "d", "claims.jsonl", "--any-category")
        for i in range(10):
            rows = [{"id": note["id"], "text": re.sub(r"[aeiou]" if i > 4 else r"\d", "x", note["text"][i * 20:])} for note in notes]
            write_rows(folder, "run.jsonl", rows)
            run(folder, "ingest", "run", f"d/a-long-name-of-a-run-that-was-made-by-a-sanitizer-of-version-{i}", "run.jsonl")
        run(folder, "eval", "d")
        run(folder, "report", "d", "--html", "many.html")
        cls.driver = browser.opened()
        open_page(cls.driver, folder, "many.html")
        waited(cls.driver)

    @classmethod
    def tearDownClass(cls):
        browser.keep_picture(cls.driver, "charts-of-many-runs")
        cls.driver.quit()
        shutil.rmtree(cls.folder)

    def test_every_run_has_a_mark_of_its_own(self):
        marks = self.driver.execute_script(
            "return [...document.querySelectorAll('#attackers-chart .shape')].filter((mark) => mark.parentElement.querySelector('text'))"
            ".map((mark) => mark.parentElement.getAttribute('class') + ' ' + mark.getAttribute('d'));")
        self.assertEqual(len(marks), 12)
        self.assertEqual(len(set(marks)), 12)

    def test_no_name_lies_on_another_one_or_leaves_its_chart(self):
        for chart in ("trade", "distances", "categories", "attackers"):
            wrong = self.driver.execute_script("""
              const svg = document.querySelector(`#${arguments[0]}-chart svg`), whole = svg.getBoundingClientRect(), wrong = [];
              const slanted = (text) => (text.getAttribute('transform') ?? '').includes('rotate');
              const labels = [...svg.querySelectorAll('text.label, text.name')];
              const boxes = labels.filter((text) => !slanted(text)).map((text) => [text.textContent, text.getBoundingClientRect()]);
              for (const text of labels) {
                const box = text.getBoundingClientRect();
                if (box.left < whole.left - 1 || box.right > whole.right + 1 || box.top < whole.top - 1 || box.bottom > whole.bottom + 1) wrong.push('outside: ' + text.textContent);
              }
              boxes.forEach(([name, a], i) => boxes.slice(i + 1).forEach(([other, b]) => {
                if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 4 && b.top < a.bottom - 4) wrong.push(`${name} on ${other}`);
              }));
              return wrong;""", chart)
            self.assertEqual(wrong, [], chart)

    def test_no_name_turns_the_order_of_letters(self):
        words = self.driver.execute_script("return [...document.querySelectorAll('svg')].map((svg) => svg.outerHTML).join()")
        self.assertNotIn("\u202e", words)
        self.assertIn("\\u{202e}yrotsih", words)
        self.assertNotIn("\u202e", read(self.folder, "many.html"))
        run(self.folder, "bundle", "many.tar", "d")
        run(self.folder, "verify-bundle", "many.tar")


class Reached(unittest.TestCase):
    """By the keyboard and by who does not see; axe-core where RESIDUE_AXE names its axe.min.js."""
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="residue-axe-")
        make_store(cls.folder)
        with open(os.path.join(cls.folder, "context.toml"), "w") as file:
            file.write('recipient = "two universities"\nthreshold = 0.09\n')
        run(cls.folder, "report", "d", "--html", "page.html", "--context", "context.toml", "--fail-if", "leak_rate > 0.5", code=1)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def test_axe_finds_nothing_serious(self):
        axe = os.environ.get("RESIDUE_AXE")
        if not axe:
            self.skipTest("RESIDUE_AXE names no axe.min.js (npm install axe-core)")
        with open(axe) as file:
            source = file.read()
        for dark, width in ((False, 1000), (True, 1000), (False, 420)):
            driver = browser.opened(dark=dark, width=width)
            try:
                driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})
                open_page(driver, self.folder, "page.html")
                waited(driver)
                driver.execute_cdp_cmd("Runtime.evaluate", {"expression": source})
                found = driver.execute_async_script(
                    "const done = arguments[0]; axe.run(document, {resultTypes: ['violations']}).then((all) => done(all.violations"
                    ".map((one) => [one.impact, one.id, one.nodes.map((node) => node.target.join(' '))])), (error) => done([['critical', String(error)]]));")
                self.assertEqual([one for one in found if one[0] in ("serious", "critical")], [], (dark, width))
            finally:
                driver.quit()

    def test_tables_can_be_scrolled_have_names_and_headings_are_in_order(self):
        driver = browser.opened(width=420)
        try:
            open_page(driver, self.folder, "page.html")
            waited(driver)
            wrong = driver.execute_script("""
              const wrong = [];
              for (const part of document.querySelectorAll('*')) {
                const scrolls = ['auto', 'scroll'].includes(getComputedStyle(part).overflowX);
                if (scrolls && (part.tabIndex !== 0 || !part.getAttribute('role') || !part.getAttribute('aria-label'))) wrong.push('cannot be scrolled: ' + part.className);
              }
              for (const table of document.querySelectorAll('table')) if (!table.caption?.textContent) wrong.push('no caption: ' + table.className);
              let last = 0;
              for (const heading of document.querySelectorAll('h1, h2, h3, h4')) {
                const level = Number(heading.tagName[1]);
                if (level > last + 1) wrong.push('out of order: ' + heading.textContent);
                last = level;
              }
              return wrong;""")
            self.assertEqual(wrong, [])
        finally:
            driver.quit()


if __name__ == "__main__":
    browser.require()
    unittest.main(argv=["release_views_test"], verbosity=1)
