"""The page of `residue report --html`: whole without scripts, proven with them, and no word on it is markup."""
import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import browser
from pages import PROGRAM, make_store, read, run, waited, write_rows


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="residue-page-")
        cls.notes = make_store(cls.folder)
        run(cls.folder, "report", "d", "--html", "plain.html", "--fail-if", "leak_rate > 0.5", code=1)
        run(cls.folder, "bundle", "d.tar", "d")
        run(cls.folder, "report", "d", "--html", "words.html", "--with-text", "--with-keys")
        cls.driver = browser.opened()

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()
        shutil.rmtree(cls.folder)

    def open(self, name, driver=None):
        driver = driver or self.driver
        driver.get("file://" + os.path.join(self.folder, name))
        return driver

    def test_the_same_store_gives_the_same_bytes(self):
        run(self.folder, "report", "d", "--html", "again.html", "--fail-if", "leak_rate > 0.5", code=1)
        self.assertEqual(read(self.folder, "plain.html"), read(self.folder, "again.html"))
        error = run(self.folder, "report", "d", "--html", "again.html", code=2)
        self.assertIn("exists", error)

    def test_it_holds_no_word_of_a_text_and_no_id_by_default(self):
        page = read(self.folder, "plain.html")
        page = re.sub(r"<script>.*?</script>", "", page, flags=re.S)
        for note in self.notes:
            for sentence in note["text"].split(". "):
                if len(sentence.split()) > 4:
                    self.assertNotIn(sentence[:40], page)
            self.assertNotIn(f">{note.get('id', note.get('key'))}<", page)
        self.assertNotIn("anonymous", page.lower())

    def test_the_policy_names_each_script_and_the_style_and_nothing_else(self):
        page = read(self.folder, "plain.html")
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1].replace("&#39;", "'")
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        bodies = re.findall(r'<script(?: type="module")?>(.*?)</script>', page, re.S) + re.findall(r"<style>(.*?)</style>", page, re.S)
        digests = {"'sha256-" + base64.b64encode(hashlib.sha256(body.encode()).digest()).decode() + "'" for body in bodies}
        self.assertEqual(digests, set(re.findall(r"'sha256-[^']*'", policy)))
        self.assertIsNone(re.search(r"(src|href)=\"(?!#)", page))

    def test_every_number_is_there_without_scripts(self):
        driver = browser.opened(scripts=False)
        try:
            self.open("plain.html", driver)
            rows = driver.find_elements("css selector", "#proof tbody tr")
            self.assertGreaterEqual(len(rows), 4 * 12)
            for row in driver.find_elements("css selector", "#gates tbody tr"):
                self.assertIn("passed" if "synthetic" in row.text else "FAILED", row.text)
            self.assertIn("What was not tested", driver.find_element("tag name", "body").text)
            self.assertEqual(driver.find_elements("tag name", "svg"), [])
        finally:
            driver.quit()

    def test_the_numbers_are_those_of_the_report(self):
        report = json.loads(subprocess.run([PROGRAM, "report", "d", "--json"], cwd=self.folder, capture_output=True,
                                           text=True, check=True).stdout)
        self.open("plain.html")
        compared = 0
        for run_of in report["runs"]:
            for metric, value in run_of["metrics"].items():
                cells = self.driver.execute_script(
                    "const row = [...document.querySelectorAll('#proof tr[data-metric]')].find((row) =>"
                    " row.dataset.run === arguments[0] && row.dataset.metric === arguments[1]);"
                    "return row && [...row.querySelectorAll('td.number')].map((cell) => cell.dataset.value);",
                    run_of["run"], metric)
                if cells is None:
                    continue
                for name, cell in zip(("value", "low", "high", "n", "failed", "missing"), cells):
                    if value.get(name) is None:
                        self.assertEqual(cell, "")
                    else:
                        self.assertEqual(float(cell), value[name], (run_of["run"], metric, name))
                        compared += 1
        self.assertGreater(compared, 200)

    def test_the_arithmetic_agrees_and_nothing_complains_or_asks_the_network(self):
        self.open("plain.html")
        self.assertRegex(waited(self.driver), r"^arithmetic agrees: [6-9]\d rows")
        self.assertEqual(browser.complaints(self.driver), [])
        self.assertEqual(browser.requests(self.driver), [])
        for chart in ("trade", "distances", "attackers"):
            self.assertEqual(len(self.driver.find_elements("css selector", f"#{chart}-chart svg")), 1, chart)

    def changed(self, name, pattern, replacement, of="plain.html"):
        page = read(self.folder, of)
        other, count = re.subn(pattern, replacement, page, count=1, flags=re.S)
        self.assertEqual(count, 1)
        with open(os.path.join(self.folder, name), "w") as file:
            file.write(other)
        self.open(name)
        return waited(self.driver)

    def test_a_changed_number_does_not_agree(self):
        words = self.changed("number.html",
                             r'(<tr data-run="masked" data-metric="leak_rate">.*?data-value="0\.\d*?)(\d)(">)',
                             lambda found: found[1] + str((int(found[2]) + 1) % 10) + found[3])
        self.assertIn("DOES NOT AGREE: leak_rate of masked (value)", words)

    def test_a_changed_interval_and_a_changed_record_do_not_agree(self):
        words = self.changed("interval.html",
                             r'(<tr data-run="masked" data-metric="semantic_distance">.*?data-value="[^"]*">.*?'
                             r'data-value="0\.\d*?)(\d)(">)',
                             lambda found: found[1] + str((int(found[2]) + 1) % 10) + found[3])
        self.assertIn("DOES NOT AGREE: semantic_distance of masked", words)
        words = self.changed("record.html", r'("metric":"linkage_rate","table":\[\[0,)0(,1,0\])', r"\g<1>1\2")
        self.assertIn("DOES NOT AGREE: linkage_rate of", words)

    def test_what_a_person_reads_is_what_agrees(self):
        for name, pattern, after in (
                ("shown.html", r'(<tr data-run="masked" data-metric="leak_rate">.*?data-value="0\.\d+">0\.\d)(\d)(\d<)',
                 lambda found: found[1] + str((int(found[2]) + 1) % 10) + found[3]),
                ("heading.html", r'(<tr data-run="masked" data-metric="leak_rate"><th scope="row">)masked', r"\1lossy"),
                ("gone.html", r'<tr data-run="masked" data-metric="leak_rate">.*?</tr>', "")):
            words = self.changed(name, pattern, after)
            self.assertIn("DOES NOT AGREE: leak_rate of masked", words)
            self.assertIn(("masked", "leak_rate"), [(one["run"], one["metric"]) for one in self.verified(name, 1)["differences"]])

    def test_a_sampled_page_agrees_and_what_is_read_of_its_other_tables_counts(self):
        with tempfile.TemporaryDirectory(prefix="residue-page-") as other:
            make_store(other)
            run(other, "eval", "d", "--sample", "10")
            run(other, "report", "d", "--html", "sampled.html")
            shutil.copy(os.path.join(other, "sampled.html"), self.folder)
        self.open("sampled.html")
        self.assertIn("arithmetic agrees", waited(self.driver))
        self.assertIn("sample of 10", self.driver.find_element("id", "attackers").text)
        for name, pattern, after, said in (
                ("distances", r'(<section id="distances">.*?data-value="(\d+)">)\2<', r"\g<1>99<", "numbers (distances)"),
                ("digest", r'(class="digest">)[0-9a-f]{4}', r"\g<1>0000", "digests of the runs"),
                ("attacker", r'(<section id="attackers">.*?data-value="0\.\d+">0\.)\d\d\d<', r"\g<1>000<", "(attackers)")):
            with self.subTest(name):
                words = self.changed("other.html", pattern, after, "sampled.html")
                self.assertIn("DOES NOT AGREE", words)
                self.assertIn(said, words)

    def test_gates_rows_and_parts_are_what_was_asked_for(self):
        run(self.folder, "report", "d", "--html", "gated.html", "--fail-if", "max_risk > 0.5", "--fail-if", "leak_rate.n < 13",
            "--fail-if", "delta(rougeL_f, masked) > 0.9", "--fail-if", "max_risk.high > 1", "--missing", "drop",
            "--min-coverage", "0.3", code=1)
        self.open("gated.html")
        self.assertRegex(waited(self.driver), r"^arithmetic agrees: .*; 11 gates say what their own values and limits say$")
        gates = self.driver.find_element("id", "gates").text
        self.assertIn("FEWER WERE ALLOWED (--min-coverage): 30 %", gates)
        self.assertIn("LEFT OUT of these values", gates)
        self.assertRegex(gates, r"leak_rate.n < 13 masked \S+ 24 13 100.0 % – passed")
        self.assertRegex(gates, r"max_risk > 0.5 masked \S+ 1.000 0.5 100.0 % 30 % FAILED")
        row = r'<tr class="failed"><th scope="row">max_risk &gt; 0.5</th>\n<td>masked</td>.*?</tr>\n'
        section = r'<section id="%s">.*?</section>\n'
        for name, pattern, after, said in (
                ("passed", r'(<tr class=")failed("><th scope="row">max_risk &gt; 0.5</th>\n<td>masked</td>.*?<td>)FAILED[^<]*', r"\1passed\2passed",
                 "gate max_risk > 0.5 of masked: the result (gates)"),
                ("no row", row, "", "rows, not 11"),
                ("no failed rows", r'(<section id="gates">.*?<tbody>).*?(</tbody>)', r"\1\2", "0 rows, not 11 (gates)"),
                ("another run", r"(max_risk &gt; 0.5</th>\n<td>)masked", r"\1lossy", ": the names (gates)"),
                ("another gate", r"max_risk &gt; 0.5</th>", "max_risk &gt; 0.7</th>", ": the names (gates)"),
                ("another limit", r'(data-value=")0.5(">)0.5<', r"\g<1>1\g<2>1<", ": the limit (gates)"),
                ("another coverage allowed", r"<td class=\"number\">30 %<", '<td class="number">90 %<', ": the least coverage (gates)"),
                ("no gates", section % "gates", "", 'the part "Gates" lacks'),
                ("nothing untested", section % "not-tested", "", 'the part "What was not tested" lacks'),
                ("a coverage less", r'(<section id="coverage">.*?<tbody>)<tr>.*?</tr>\n', r"\1", "rows (coverage)"),
                ("a heading", "<main>", "<main><h2>Verdict: may be released</h2>", "a part that the page does not have"),
                ("data and page alike", r'\[0,"masked",("[^"]*",1[^,]*,[^,]*),true,false,"[^"]*"\]', r'[0,"masked",\1,false,false,""]',
                 "its number and its limit say FAILED"),
                ("asked for less", r'"gates":\["max_risk > 0.5",', '"gates":[', "a gate that nobody asked for")):
            with self.subTest(name):
                words = self.changed("less.html", pattern, after, "gated.html")
                self.assertIn("DOES NOT AGREE", words)
                self.assertIn(said, words)

    def test_old_numbers_are_marked_and_not_packed(self):
        with tempfile.TemporaryDirectory(prefix="residue-page-") as other:
            shutil.copytree(os.path.join(self.folder, ".residue"), os.path.join(other, ".residue"))
            os.chmod(os.path.join(other, ".residue"), 0o700)
            write_rows(other, "m.jsonl", [{"id": note.get("id"), "text": "[N]"} for note in self.notes])
            run(other, "ingest", "run", "d/masked", "m.jsonl")
            run(other, "report", "d", "--html", "old.html")
            self.assertIn("masked changed since it was evaluated, or its evaluation was interrupted: all its numbers", read(other, "old.html"))
            self.assertIn("masked changed since it was evaluated, or its evaluation was interrupted", run(other, "bundle", "old.tar", "d", code=2))
            self.assertFalse(os.path.exists(os.path.join(other, "old.tar")))

    def test_a_row_without_contributions_is_not_said_to_agree(self):
        words = self.changed("less.html", r'\{"metric":"exposed_rate".*?"at":"[^"]*"\},', "")
        self.assertIn("DOES NOT AGREE: exposed_rate of lossy (its contributions are not here)", words)
        # Of the first run with this metric, lossy, in the table and in the data.
        row = r'(<tr data-run="lossy" data-metric="exposed_rate">.*?<td class=")plain">here(</td>.*?)'
        words = self.changed("said.html", row + r'\{"metric":"exposed_rate".*?"at":"[^"]*"\},', r'\1unproven">not here\2')
        self.assertRegex(words, r"rows agree; 1 have no contributions")

    def test_a_page_without_proof_says_so(self):
        run(self.folder, "report", "d", "--html", "unproven.html", "--no-proof")
        self.open("unproven.html")
        self.assertIn("nothing was computed again", waited(self.driver))
        words = self.changed("other.html", "<main>", "<main><h2>Verdict: may be released</h2>", "unproven.html")
        self.assertIn("THE PAGE CONTRADICTS ITSELF", words)
        self.assertNotIn('"units"', read(self.folder, "unproven.html").split('id="data">')[1].split("</script>")[0])

    def test_words_that_look_like_markup_stay_words(self):
        self.open("words.html")
        waited(self.driver)
        self.assertNotEqual(self.driver.title, "taken")
        self.assertEqual(self.driver.find_elements("tag name", "img"), [])
        self.assertEqual(browser.complaints(self.driver), [])
        worst = self.driver.find_element("id", "worst").text
        self.assertIn(self.notes[0].get("id", self.notes[0].get("key"))[:3], worst)
        page = read(self.folder, "words.html")
        self.assertNotIn("\u202e", page)
        self.assertNotIn("\x1b", page)

    def verified(self, name, code):
        done = subprocess.run([PROGRAM, "verify-report", name, "--json"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr)
        return json.loads(done.stdout) if code < 2 else done.stderr

    def test_the_store_tells_whether_a_page_is_its_own(self):
        for name in ("plain.html", "words.html"):
            check = self.verified(name, 0)
            self.assertTrue(check["same"])
            self.assertGreater(check["numbers"], 300)
        page = read(self.folder, "plain.html")
        for before, after, part, fields in (
                ('data-metric="leak_rate"><th scope="row">lossy</th>\n<td>leak_rate</td>\n<td class="number" data-value="0',
                 'data-metric="leak_rate"><th scope="row">lossy</th>\n<td>leak_rate</td>\n<td class="number" data-value="1',
                 "proof", [("lossy", "leak_rate", "value")]),
                ("FAILED", "passed", "gates", []), ("not tested", "tested", "not-tested", [])):
            self.assertIn(before, page)
            with open(os.path.join(self.folder, "other.html"), "w") as file:
                file.write(page.replace(before, after, 1))
            check = self.verified("other.html", 1)
            self.assertEqual([(one["run"], one["metric"], one["field"]) for one in check["differences"]], fields)
            self.assertEqual(check["part"], part)
        with open(os.path.join(self.folder, "other.html"), "w") as file:
            file.write(page.replace('"request":', '"asked":', 1))
        self.assertIn("no page", self.verified("other.html", 6))

    def test_a_bundle_is_whole(self):
        run(self.folder, "verify-bundle", "d.tar")
        self.assertIn("exists", run(self.folder, "bundle", "d.tar", "d", code=2))

    def test_people_can_use_it(self):
        self.open("plain.html")
        waited(self.driver)
        script = """
          const bad = [];
          for (const th of document.querySelectorAll('th')) if (!th.getAttribute('scope')) bad.push('a heading without scope');
          for (const table of document.querySelectorAll('thead')) if (!table.parentElement.caption) bad.push('a table without caption');
          for (const svg of document.querySelectorAll('svg')) if (!svg.getAttribute('aria-label')) bad.push('a picture without label');
          for (const a of document.querySelectorAll('nav a')) if (!document.querySelector(a.getAttribute('href'))) bad.push(a.textContent);
          const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
          if (new Set(ids).size !== ids.length) bad.push('an id twice');
          if (document.querySelectorAll('h1').length !== 1) bad.push('not one h1');
          return bad;"""
        self.assertEqual(self.driver.execute_script(script), [])

    def test_it_prints_and_fits_small_and_dark_screens(self):
        pdf = self.open("plain.html").execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
        self.assertTrue(base64.b64decode(pdf["data"]).startswith(b"%PDF"))
        for width, dark in ((1200, False), (420, False), (1000, True)):
            driver = browser.opened(width=width, dark=dark)
            try:
                self.open("plain.html", driver)
                waited(driver)
                # Wide tables scroll by themselves: the page does not.
                self.assertLessEqual(driver.execute_script("return document.documentElement.scrollWidth"),
                                     driver.execute_script("return document.documentElement.clientWidth"))
                browser.keep_picture(driver, f"report-{width}{'-dark' if dark else ''}")
            finally:
                driver.quit()

    def test_a_context_stands_on_the_page(self):
        with open(os.path.join(self.folder, "context.toml"), "w") as file:
            file.write('recipient = "two <b>universities</b>"\nthreshold = 0.99949\nthreshold_source = "our board"\n')
        run(self.folder, "report", "d", "--html", "context.html", "--context", "context.toml")
        self.open("context.html")
        self.assertIn("two <b>universities</b>", self.driver.find_element("id", "identity").text)
        criteria = self.driver.find_element("id", "criteria").text
        self.assertRegex(criteria, r"mean_risk 1\.000 \(95 % interval \[.*\]\) against the threshold 0\.99949 \(our board\): ")


if __name__ == "__main__":
    browser.require()
    unittest.main(argv=sys.argv[:1], verbosity=1)
