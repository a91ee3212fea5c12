"""The pages of `residue serve` on which people answer: labels by keyboard, the intruder test, what the server refuses."""
import os
import re
import sys
import time
import unittest

import browser
import people_answers
import stand_in

PROGRAM, SOURCE = map(os.path.abspath, sys.argv[1:3])
HOSTILE = ('</script><script>document.title="taken"</script>', '<img src=x onerror=document.title="taken">',
           "\u202eright to left", "\x1b[31mred", "&amp; \"quoted\" 'words'")
LONG = "long words " * 100_000
NOTE = ("The patient is a [AGE] long-distance lorry driver from [PLACE] who came in with chest pain that began two weeks ago while "
        "he was shovelling snow. He takes metoprolol and has no known allergies. The ECG was normal, troponin was not raised. ")


def canned(level="claims"):
    """A store that needs no program: one dataset, two runs, 30 pairs, 4 persons, 12 released texts; five of each are hostile."""
    store = stand_in.Store(PROGRAM, "/nonexistent", level)
    runs = [{"run": run, "kind": "aligned", "control": run == "none", "sanitizer": "scrub", "params": {}, "seed": None, "group": None,
             "tags": [], "variants": 12, "failed": 0, "created_at": "2026-11-28", "metrics": {}} for run in ("none", "masked")]
    store.answers = {
        "/api/store": (200, {"version": "stand-in", "level": level, "change": "1", "datasets": [{"dataset": "clinic", "records": 12, "control_of": None}]}),
        "/api/change": (200, {"change": "1"}),
        "/api/metrics": (200, {"metrics": []}),
        "/api/status": (200, {"runs": [], "incomplete": []}),
        "/api/questions": (200, {"questions": [], "views": []}),
        "/api/lenses": (200, {"lenses": [{"protocol": "bm25/random:3@42/sentences", "sample": None, "judge": "lexical@1", "runs": 2}]}),
        "/api/runs": (200, {"dataset": "clinic", "protocol": "", "judge": "", "columns": [], "params": [], "runs": runs, "total": 2, "shown": 2, "notes": [], "sql": ""})}
    claims = ["He drives a lorry over long distances.", "She has no fever.", "The pain began two weeks ago.", "He takes warfarin."]
    pairs = [(claims[i % 4] + (f" {HOSTILE[i]}" if i < 5 else ""), NOTE * (1 + i % 3) + (HOSTILE[i] if i < 5 else ""), i % 3 + 1) for i in range(30)]
    facts = [["A lorry driver.", f"He wrote {HOSTILE[i]} on a wall.", "Takes metoprolol."] for i in range(4)]
    texts = [NOTE + f"House {i}. " + (HOSTILE[i] if i < 5 else "A nurse.") for i in range(12)]
    store.people = people_answers.People(stand_in.Refused, pairs, facts, texts)
    return store


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.driver = browser.opened(local=True)

    @classmethod
    def tearDownClass(cls):
        cls.driver.quit()

    def setUp(self):
        self.store = canned()
        self.server = stand_in.serve(self.store, SOURCE)
        self.admitted()

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()

    def admitted(self):
        self.driver.get(self.server.url.replace("/#", "/status#"))
        self.until("return document.querySelector('#view h1, .problem')")
        browser.complaints(self.driver)

    def until(self, script, *words, seconds=60):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := self.driver.execute_script(script, *words):
                return found
            time.sleep(0.05)
        raise AssertionError(f"never true: {script} {words}\n{self.driver.execute_script('return document.body.innerText')[:2000]}")

    def open(self, path):
        self.driver.get(self.server.url.split("/#")[0] + path)
        self.until("return document.querySelector('#view h1') && !document.body.classList.contains('busy')")

    def press(self, *keys):
        from selenium.webdriver.common.action_chains import ActionChains
        chain = ActionChains(self.driver)
        for key in keys:
            chain.send_keys(key)
        chain.perform()

    def send(self):
        from selenium.webdriver.common.action_chains import ActionChains
        ActionChains(self.driver).key_down("\ue009").send_keys("\ue007").key_up("\ue009").perform()

    def named(self, path, name="ann"):
        self.open(path)
        self.until("return document.activeElement.id === 'annotator'")
        self.press(name, "\ue007")

    def words(self, where="#view"):
        return self.driver.execute_script("return document.querySelector(arguments[0])?.innerText ?? ''", where)

    def quiet(self, allowed=()):
        """No complaint of the console but for the answers that the test itself asked to be refused."""
        told = [line for line in browser.complaints(self.driver) if not any(word in line for word in allowed)]
        self.assertEqual(told, [])

    def posted(self, name):
        return [body for method, path, _, body in self.store.people.heard if method == "POST" and path == name]

    def pair_is(self, i):
        self.until("return document.querySelector('.claim small')?.innerText === arguments[0] && !document.querySelector('.waits')",
                   people_answers.People.pair(i).split("@")[0])


class Label(Pages):
    def test_ten_labels_by_keyboard_alone(self):
        self.named("/label?run=masked")
        ratings = [1, 2, 3, 1, 2, 3, 3, 2, 1, 1]
        for i, rating in enumerate(ratings):
            self.pair_is(i)
            self.press(str(rating))
            self.until("return document.querySelector(`.rate-${arguments[0]}[aria-pressed=true]`)", rating)
            self.press("\ue007")
        self.pair_is(10)
        self.assertEqual([one["rating"] for one in self.posted("label")], ratings)
        self.assertEqual({one["pair"] for one in self.posted("label")}, {people_answers.People.pair(i) for i in range(10)})
        self.assertTrue(all(one["blind"] for one in self.posted("label")))
        self.assertTrue(all(0 < one["seconds"] < 60 for one in self.posted("label")), self.posted("label"))
        self.assertIn("10 done, 20 left", self.words(".progress"))
        # Nobody asked to see what the judge said, and nobody was told.
        self.assertFalse(any("show" in q for _, _, q, _ in self.store.people.heard))
        self.assertFalse(any(path == "agreement" for _, path, _, _ in self.store.people.heard))
        self.quiet()

    def test_enter_without_a_choice_sends_nothing(self):
        self.named("/label?run=masked")
        self.pair_is(0)
        self.press("\ue007")
        self.until("return document.querySelector('.rate .lost')?.innerText.includes('Choose 1, 2 or 3')")
        self.assertEqual(self.posted("label"), [])

    def test_skipped_pairs_and_the_one_before(self):
        self.named("/label?run=masked")
        self.pair_is(0)
        self.press("s")
        self.pair_is(1)
        self.press("2", "\ue007")
        self.pair_is(2)
        self.press("0")
        self.pair_is(3)
        self.assertEqual([q.get("skip") for method, path, q, _ in self.store.people.heard if method == "GET" and path == "label"][-1],
                         f"{people_answers.People.pair(0)},{people_answers.People.pair(2)}")
        self.press("u", "u")
        self.pair_is(1)
        self.assertIn("You sent 2 similar", self.words(".blind"))
        self.press("3", "\ue007")
        # The label is changed, and nothing that was shown since is lost.
        self.pair_is(2)
        self.assertEqual(self.store.people.labels["ann", people_answers.People.pair(1)]["rating"], 3)
        self.press("1", "\ue007")
        self.pair_is(3)
        self.assertIn("1 skipped", self.words(".progress"))

    def test_what_the_judge_said_is_shown_on_purpose_and_the_label_says_so(self):
        self.named("/label?run=masked")
        self.pair_is(0)
        self.assertIn("counts as not blind", self.words(".blind"))
        self.driver.find_element("css selector", ".blind button").click()
        self.until("return document.querySelector('.blind').innerText.includes('Not blind')")
        self.assertIn("1 in full", self.words(".blind"))
        self.press("1", "\ue007")
        self.pair_is(1)
        self.press("1", "\ue007")
        self.pair_is(2)
        self.assertEqual([one["blind"] for one in self.posted("label")], [False, True])

    def test_agreement_is_shown_when_it_is_opened_and_moves_with_each_label(self):
        self.named("/label?run=masked")
        self.pair_is(0)
        self.assertFalse(self.driver.find_element("css selector", ".agreement table").is_displayed()
                         if self.driver.find_elements("css selector", ".agreement table") else False)
        self.driver.find_element("css selector", ".agreement summary").click()
        self.until("return document.querySelector('.agreement').innerText.includes('0 labels')")
        for i in range(6):
            self.pair_is(i)
            self.press("1", "\ue007")
            self.until("return document.querySelector('.agreement').innerText.includes(arguments[0])", f"{i + 1} label")
        self.assertIn("kappa", self.words(".agreement"))
        self.assertIn("0.333", self.words(".agreement"))
        # It moved, so a label that is changed now is not blind.
        self.pair_is(6)
        self.press("u", "3")
        self.assertIn("will count as not blind", self.words(".blind"))
        self.press("\ue007")
        self.pair_is(6)
        self.assertEqual([one["blind"] for one in self.posted("label")], [True] * 6 + [False])
        browser.keep_picture(self.driver, "label-agreement")
        self.quiet()

    def test_what_is_refused_loses_nothing(self):
        self.named("/label?run=masked")
        self.pair_is(0)
        self.store.people.fail["label"] = (503, "the run is evaluated anew", "try again in a moment")
        self.press("2", "\ue007")
        self.until("return document.querySelector('.rate .problem')")
        self.assertIn("changed while you looked", self.words(".rate .problem"))
        self.assertIn("Your choice, 2 similar, is still here", self.words(".rate .problem"))
        browser.keep_picture(self.driver, "label-refused", 900)
        self.driver.find_element("css selector", ".rate .problem button").click()
        self.pair_is(1)
        self.assertEqual(self.store.people.labels["ann", people_answers.People.pair(0)]["rating"], 2)
        # The label is stored, and the next pair does not come: it is not sent twice.
        self.press("1")
        heard = len(self.posted("label"))
        say = self.store.people.label
        self.store.people.label = lambda q, body: (_ for _ in ()).throw(stand_in.Refused(500, "no answer"))
        self.press("\ue007")
        self.until("return document.querySelector('.rate .problem')")
        self.store.people.label = say
        self.driver.find_element("css selector", ".rate .problem button").click()
        self.pair_is(2)
        self.assertEqual(len(self.posted("label")), heard + 1)
        self.quiet(allowed=("503", "500"))

    def test_another_view_and_back_loses_nothing(self):
        self.named("/label?run=masked")
        self.pair_is(0)
        self.press("1", "\ue007")
        self.pair_is(1)
        self.press("3")
        self.driver.find_element("link text", "SQL").click()
        self.until("return location.pathname === '/sql'")
        self.driver.back()
        self.pair_is(1)
        self.assertTrue(self.driver.find_elements("css selector", ".rate-3[aria-pressed=true]"))
        self.press("u")
        self.pair_is(0)

    def test_the_end_of_an_order(self):
        self.store.people.pairs = self.store.people.pairs[:2]
        self.named("/label?run=masked")
        self.pair_is(0)
        self.press("s")
        self.pair_is(1)
        self.press("1", "\ue007")
        self.until("return document.querySelector('.claim')?.innerText.includes('No pair is left')")
        self.driver.find_element("css selector", ".labelling .primary").click()
        self.pair_is(0)

    def test_hostile_words_stay_words(self):
        self.named("/label?run=masked", '<b>ann</b>"')
        for i, words in enumerate(HOSTILE):
            self.pair_is(i)
            self.assertEqual(self.driver.title.startswith("Label"), True)
            shown = words.replace("\u202e", "\\u{202e}").replace("\x1b", "\\x1b")
            self.assertIn(shown, self.words(".claim"))
            self.assertIn(shown, self.words(".reading"))
            self.press("1", "\ue007")
        self.store.people.pairs[6] = (LONG, LONG, 1)
        self.pair_is(5)
        self.press("1", "\ue007")
        self.pair_is(6)
        self.assertEqual(self.driver.find_elements("css selector", "#view img, #view script"), [])
        self.assertIn('<b>ann</b>"', self.words(".annotator"))
        self.quiet()

    def test_a_hidden_tab_does_not_count(self):
        self.named("/label?run=masked")
        self.pair_is(0)
        self.driver.execute_script("Object.defineProperty(document, 'visibilityState', {value: 'hidden', configurable: true});"
                                   "document.dispatchEvent(new Event('visibilitychange'));")
        time.sleep(3)
        self.driver.execute_script("Object.defineProperty(document, 'visibilityState', {value: 'visible', configurable: true});"
                                   "document.dispatchEvent(new Event('visibilitychange'));")
        begin = time.monotonic()
        self.press("1", "\ue007")
        self.pair_is(1)
        self.assertLess(self.posted("label")[0]["seconds"], 2.5 + time.monotonic() - begin)

    def test_a_level_that_reads_no_claims_says_how_to_start_it(self):
        self.store.answers["/api/store"][1]["level"] = "released"
        for path in ("/label", "/intruder"):
            self.open(path)
            self.assertIn("residue serve --claims", self.words())
            self.assertEqual(self.driver.find_elements("id", "annotator"), [])
        self.assertEqual(self.store.people.heard, [])


class Intruder(Pages):
    def begun(self):
        self.named("/intruder?run=masked")
        self.until("return document.activeElement.innerText === 'Begin'")
        self.press("\ue007")
        self.until("return document.querySelector('.known li')")

    def searched(self, words):
        self.press("/")
        self.until("return document.activeElement.id === 'intruder-search'")
        self.driver.execute_script("arguments[0].select?.()", self.driver.switch_to.active_element)
        self.press(words, "\ue007")
        self.until("return document.querySelector('.hit') && !document.querySelector('.waits')")

    def test_a_round_by_keyboard(self):
        self.begun()
        self.searched("house 0")
        self.assertIn("1 search", self.words(".looking form"))
        self.assertEqual(self.driver.execute_script("return document.querySelector('.hit mark').innerText"), "House")
        # The first text has the keyboard: to the next and back, open it, take it.
        self.press("j", "k", "\ue007")
        self.until("return document.querySelector('.hit-text .reading')")
        self.assertIn("House 0", self.words(".hit-text"))
        self.press("p")
        self.until("return document.querySelector('.hit.chosen')")
        self.assertIn("The patient is a", self.words(".chosen-words"))
        self.send()
        self.until("return document.querySelector('.rate .lost').innerText.includes('say how sure')")
        self.press("7", "+")
        self.assertEqual(self.driver.find_element("id", "sure").get_attribute("value"), "75")
        self.send()
        self.until("return document.activeElement.innerText === 'next person'")
        kept = self.posted("intruder/answer")
        self.assertEqual([(one["target"], one["choice"], one["sure"], one["searches"]) for one in kept], [("t0", "t0c0", 75, 1)])
        self.assertTrue(0 < kept[0]["seconds"] < 120)
        # Nobody is told what is right before they ask.
        self.assertEqual(self.posted("intruder/outcome"), [])
        self.assertIn("stored that you were told", self.words())
        self.press("\ue007")
        self.until("return document.querySelector('.known li') && document.querySelector('.known').innerText.includes('1 answered, 3 left')")
        self.assertEqual(self.words(".chosen-words"), "Your answer: nothing chosen yet")
        self.assertEqual(self.driver.find_element("css selector", ".sure input.short").get_attribute("value"), "")
        self.quiet()

    def test_after_a_search_without_hits_the_page_says_how_to_go_on(self):
        self.begun()
        self.press("/", "xyzzy plugh", "\ue007")
        self.until("return document.querySelector('.looking .empty')?.innerText.includes('No released text')")
        self.assertEqual(self.driver.execute_script("return document.activeElement.id"), "intruder-search")
        self.assertRegex(self.words(".looking .empty"), "Esc")
        self.assertRegex(self.words(".key-words"), "Esc")
        self.press("\ue00c", "n", "/")
        self.until("return document.querySelector('.chosen-words').innerText.includes('none of these')")
        self.press("house")  # in place of the old words
        self.assertEqual(self.driver.find_element("id", "intruder-search").get_attribute("value"), "house")
        self.quiet()

    def test_an_outcome_only_when_it_is_asked_for(self):
        self.begun()
        self.press("n", "9")
        self.send()
        self.until("return document.activeElement.innerText === 'next person'")
        self.assertIsNone(self.posted("intruder/answer")[0]["choice"])
        [button] = [one for one in self.driver.find_elements("css selector", ".intruder button") if "tell me" in one.text]
        button.click()
        self.until("return document.querySelector('.outcome-words')")
        self.assertIn("you did not find them", self.words(".outcome-words"))
        self.assertFalse([one for one in self.driver.find_elements("css selector", ".intruder button") if "change" in one.text and "answer" in one.text])

    def test_an_answer_can_be_changed_until_then(self):
        self.begun()
        self.press("n", "5")
        self.send()
        self.until("return document.activeElement.innerText === 'next person'")
        [button] = [one for one in self.driver.find_elements("css selector", ".intruder button") if one.text == "change this answer"]
        button.click()
        self.until("return document.querySelector('.looking')")
        self.press("2")
        self.send()
        self.until("return document.querySelector('.intruder h2').innerText.includes('took the place')")
        self.assertEqual(self.store.people.attempts["ann", "t0"]["sure"], 20)

    def test_the_end_shows_the_report(self):
        self.begun()
        for i in range(4):
            self.until("return document.querySelector('.known')?.innerText.includes(arguments[0])", f"{i} answered")
            self.searched(f"house {i}")
            self.driver.find_element("css selector", f"[data-hit=t{i}c{i}]").click()
            self.until("return document.querySelector('.pick')").click()
            self.press("8" if i % 2 else "4")
            self.send()
            self.until("return document.activeElement.innerText === 'next person'")
            self.press("\ue007")
        self.until("return document.querySelector('.report table')")
        self.assertIn("No person is left", self.words())
        self.assertIn("report=1", self.driver.current_url)
        rows = self.driver.execute_script("return [...document.querySelectorAll('.report table')[0].tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.innerText))")
        self.assertEqual([row[0] for row in rows], ["people", "machine, same targets", "machine, all targets"])
        self.assertEqual(rows[0][3], "4")
        self.assertEqual(len(self.driver.find_elements("css selector", ".report svg circle")), 3)
        self.assertEqual(len(self.driver.find_elements("css selector", ".report svg .interval")), 3)
        self.assertIn("finds 0.083 of a person", self.words(".report"))
        self.assertIn("machine:found", self.driver.execute_script("return document.querySelectorAll('.report table')[1].innerText"))
        steps = self.driver.execute_script("return [...document.querySelectorAll('.report table')[3].tBodies[0].rows].map((row) => row.innerText.split(/\\s+/).slice(0, 4).join(' '))")
        self.assertEqual(steps[4:6], ["40 % 4 4", "50 % 2 2"])
        self.assertIn("4 attempts", self.words(".counts"))
        browser.keep_picture(self.driver, "intruder-report")
        self.quiet()

    def test_the_report_has_an_address_and_needs_no_name(self):
        self.store.people.attempts["bo", "t1"] = {"target": "t1", "choice": "t1c1", "sure": 90, "seconds": 3, "searches": 2}
        self.open("/intruder?run=masked&report=1")
        self.until("return document.querySelector('.report table')")
        self.assertIn("machine, all targets", self.words(".report table"))
        self.assertIn("1:11", self.driver.execute_script("return document.querySelectorAll('.report table')[1].innerText"))

    def test_outcomes_of_an_unfinished_test_are_shown_on_purpose_and_it_is_said_who_looks(self):
        self.begun()
        self.searched("house 0")
        self.driver.find_element("css selector", "[data-hit=t0c0]").click()
        self.until("return document.querySelector('.pick')").click()
        self.press("8")
        self.send()
        self.until("return document.activeElement.innerText === 'next person'")
        [button] = [one for one in self.driver.find_elements("css selector", ".report button") if one.text == "show the report"]
        button.click()
        self.until("return document.querySelector('.report .held')")
        self.assertEqual(len(self.driver.find_elements("css selector", ".report svg")), 0)
        self.assertIsNone(re.search(r"\b1 (right|present)|precision|people\b", self.words(".report table") + self.words(".counts")))
        self.assertEqual(self.posted("intruder/report"), [])
        self.assertIn("stored that ann looked", self.words(".held"))
        browser.keep_picture(self.driver, "intruder-held")
        [button] = [one for one in self.driver.find_elements("css selector", ".held button")]
        button.click()
        self.until("return document.querySelector('.counts')?.innerText.includes('1 right')")
        self.assertEqual(self.posted("intruder/report"), [{"reader": "ann"}])
        # A page that is opened anew holds them back again.
        self.open(self.driver.current_url.split(self.server.url.split("/#")[0])[1])
        self.until("return document.querySelector('.report .held')")
        self.quiet()

    def test_what_is_refused_loses_nothing(self):
        self.begun()
        self.searched("house 0")
        self.driver.find_element("css selector", ".hit-line").click()
        self.until("return document.querySelector('.pick')").click()
        self.press("6")
        self.store.people.fail["intruder/search"] = (503, "the run is written", None)
        self.press("/", "\ue010", " nurse", "\ue007")  # behind the old words
        self.until("return document.querySelector('.intruder .problem')")
        self.assertIn("What you typed and chose is still here", self.words(".intruder .problem"))
        self.assertEqual(self.driver.find_element("id", "intruder-search").get_attribute("value"), "house 0 nurse")
        self.store.people.fail["intruder/answer"] = (503, "the texts are others now", "next person")
        self.driver.execute_script("document.activeElement.blur()")
        self.send()
        self.until("return document.querySelector('.intruder .problem')?.innerText.includes('how sure you are are still here')")
        browser.keep_picture(self.driver, "intruder-refused")
        [button] = [one for one in self.driver.find_elements("css selector", ".intruder .problem button") if one.text == "try again"]
        button.click()
        self.until("return document.activeElement.innerText === 'next person'")
        self.assertEqual([(one["choice"], one["sure"], one["searches"]) for one in self.store.people.attempts.values()], [("t0c0", 60, 1)])
        self.quiet(allowed=("503",))

    def test_another_view_and_back_loses_nothing(self):
        self.begun()
        self.searched("house 3")
        self.press("n", "3")
        self.driver.find_element("link text", "SQL").click()
        self.until("return location.pathname === '/sql'")
        self.driver.back()
        self.until("return document.querySelector('.looking .hit')")
        self.assertEqual(self.words(".chosen-words"), "Your answer: none of these texts")
        self.assertEqual(len(self.posted("intruder/next")), 1)

    def test_hostile_words_stay_words(self):
        self.begun()
        for i in range(4):
            shown = HOSTILE[i].replace("\u202e", "\\u{202e}").replace("\x1b", "\\x1b")
            self.until("return document.querySelector('.known')?.innerText.includes(arguments[0])", f"{i} answered")
            self.assertIn(f"He wrote {shown} on a wall", self.words(".known"))
            self.searched("house img script right red quoted")
            for line in range(5):
                self.driver.execute_script("document.querySelectorAll('.hit-line')[arguments[0]].click()", line)
                self.until("return document.querySelectorAll('.hit-text').length === arguments[0] && !document.querySelector('.waits')", line + 1)
            self.assertIn(shown, self.words(".hits"))
            self.press("n", "0")
            self.send()
            self.until("return document.activeElement.innerText === 'next person'")
            self.press("\ue007")
        self.assertEqual(self.driver.find_elements("css selector", "#view img, #view script"), [])
        self.assertNotIn("taken", self.driver.title)
        self.quiet()


class Shapes(Pages):
    def test_they_fit_small_and_dark_screens(self):
        for width, dark in ((1200, False), (420, False), (1200, True)):
            self.driver.quit()
            driver = type(self).driver = browser.opened(local=True, width=width, dark=dark)
            self.admitted()
            name = f"{width}{'-dark' if dark else ''}"
            self.named("/label?run=masked")
            self.pair_is(0)
            self.press("2")
            self.fits(driver)
            browser.keep_picture(driver, f"label-{name}", 900)
            self.open("/intruder?run=masked")
            self.until("return document.activeElement.innerText === 'Begin'")
            browser.keep_picture(driver, f"intruder-begin-{name}", 900)
            self.press("\ue007")
            self.until("return document.querySelector('.known li')")
            self.press("/")
            self.until("return document.activeElement.id === 'intruder-search'")
            self.press("lorry house 3", "\ue007")
            self.until("return document.querySelector('.hit')")
            self.driver.execute_script("document.querySelector('.hit-line').click()")
            self.until("return document.querySelector('.pick')").click()
            self.driver.execute_script("document.activeElement.blur()")
            self.press("7")
            self.fits(driver)
            browser.keep_picture(driver, f"intruder-{name}", 1100)
            self.driver.execute_script("document.activeElement.blur()")
            self.send()
            self.until("return document.activeElement.innerText === 'next person'")
            browser.keep_picture(driver, f"intruder-kept-{name}", 900)
            self.store.people.attempts.clear()
            self.store.people.labels.clear()
            self.quiet()

    def fits(self, driver):
        self.assertLessEqual(driver.execute_script("return document.documentElement.scrollWidth"), driver.execute_script("return document.documentElement.clientWidth"))
        script = """
          const bad = [];
          for (const one of document.querySelectorAll('button, input, select')) {
            const named = one.innerText || one.getAttribute('aria-label') || one.labels?.length;
            if (!named) bad.push(`${one.tagName} without a name`);
          }
          for (const th of document.querySelectorAll('#view th')) if (!th.getAttribute('scope')) bad.push('a heading without scope');
          const ids = [...document.querySelectorAll('[id]')].map((e) => e.id);
          if (new Set(ids).size !== ids.length) bad.push('an id twice');
          if (document.querySelectorAll('h1').length !== 1) bad.push('not one h1');
          return bad;"""
        self.assertEqual(driver.execute_script(script), [])


if __name__ == "__main__":
    browser.require()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=1)
