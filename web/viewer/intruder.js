// The intruder test: a person reads what is known of somebody and looks for their text in the release; and what came of
// it.

import { ask, post } from './ask.js';
import { button, element, longText } from './elements.js';
import { annotator, clockWords, eachSecond, keyWords, levelPart, namesOf, nameForm, refusalPart, reportPart,
  setAnnotator, snippetPart, Stopwatch, surePart, takeKeys, wholeText, whoPart } from './people.js';
import { choice, runChoices } from './pickers.js';
import { counted, several } from './words.js';

const kAsks = 'You get what somebody knows of one person, and a search over the released texts: name the text that is '
  + 'about this person, or say that none is, and how sure you are. For some of them there is no text, so “none of '
  + 'these” can be right.';
const kIntruderKeys = [['/', 'search'], ['Esc', 'leave the box'], ['j', ''], ['k', 'through the texts'], ['Enter', 'open'], ['p', 'this is the person'],
  ['n', 'none of these'], ['0', '–'], ['9', 'how sure, in tens'], ['+', ''], ['−', 'by 5'], ['Ctrl+Enter', 'send']];
const kIntruderOutcomes = { 'right': 'Right: this text is about the person.',
  'wrong': 'Wrong: this text is not about the person.',
  'none': 'The person is among the texts, and you did not find them.',
  'rightly none': 'Right: no text is about the person.',
    'shared': 'This person and others were released with this very text: it counts in part.',
  'failed': 'The text of this person failed: it counts as found, whatever you said.',
    'outdated': 'The facts or the text of this person changed since you answered: this answer counts nowhere.' };
const tellOutcomes = new Set(); // Tests whose outcomes were asked for: a page opened anew holds them back again.
const tests = new Map(); // By what is asked and who: going to another view and back loses nothing.

// One person at one test. state: 'before' somebody begins, a target is 'open', its answer is 'kept', none is left:
// 'over'.
class Test {
  state = 'before';
  busy = false;
  trouble = null; // {error, kept, again}

  constructor(lens) {
    this.lens = lens;
    this.#clear();
  }

  #clear() {
    Object.assign(this, { asked: null, hits: null, shown: new Set(), texts: new Map(), choice: undefined, sure: null,
      searches: 0, said: '', kept: null, outcome: null, clock: new Stopwatch() });
  }

  async doing(what, kept) {
    if (this.busy) return;
    [this.busy, this.trouble] = [true, null];
    this.redraw();
    try {
      await what();
    } catch (error) {
      if (!('status' in error)) console.error(error);
      this.trouble = { error, kept, again: () => this.doing(what, kept) };
    }
    this.busy = false;
    this.redraw();
  }

  next() {
    return this.doing(async () => {
      const answer = await post('intruder/next', '{}', this.lens);
      const before = this.asked;
      this.#clear();
      this.asked = { answered: before ? before.answered + 1 : null, ...answer };
      this.state = answer.target === null ? 'over' : 'open';
    }, null);
  }

  search(words) {
    if (words === '' || (words === this.said && this.hits)) return null;
    return this.doing(async () => {
      const { hits } = await ask('intruder/search', { ...this.lens, target: this.asked.target, q: words });
      Object.assign(this, { hits, said: words, shown: new Set(), fresh: hits.length > 0 });
      this.searches += 1;
    }, 'What you typed and chose is still here.');
  }

  // Opens a text, or closes it.
  open(code) {
    if (this.shown.delete(code)) return this.redraw();
    return this.doing(async () => {
      if (!this.texts.has(code)) {
        this.texts.set(code, (await ask('intruder/text', { ...this.lens, target: this.asked.target, code })).text);
      }
      this.shown.add(code);
      this.opened = code;
    }, 'What you typed and chose is still here.');
  }

  // A code; null: none of the texts.
  choose(code) {
    this.choice = code;
    this.redraw();
  }

  get missing() {
    const parts = [this.choice === undefined ? 'choose a text or “none of these”' : null, this.sure === null
      ? 'say how sure you are' : null].filter(Boolean);
    return parts.length > 0 ? `First ${parts.join(', and ')}.` : null;
  }

  send() {
    const { target } = this.asked, seconds = this.clock.seconds;
    this.clock.stop();
    return this.doing(async () => {
      const answer = await post('intruder/answer',
        JSON.stringify({ target, choice: this.choice, sure: this.sure, seconds, searches: this.searches }), this.lens);
      [this.kept, this.state] = [answer.kept, 'kept'];
    }, 'Your choice and how sure you are are still here.');
  }

  change() {
    this.state = 'open';
    this.redraw();
  }

  tell() {
    return this.doing(async () => { this.outcome = (await post('intruder/outcome',
      JSON.stringify({ target: this.asked.target }), this.lens)).outcome; }, 'Your answer is kept.');
  }
}

function hitPart(test, hit) {
  const open = test.shown.has(hit.code), chosen = test.choice === hit.code;
  return element('li', { class: chosen ? 'hit chosen' : 'hit' },
    element('button', { 'type': 'button', 'class': 'hit-line', 'data-hit': hit.code, 'aria-expanded': String(open),
      'onclick': () => test.open(hit.code) },
      element('span', { class: 'hit-rank' }, hit.rank), element('span', { class: 'hit-words', dir: 'auto' }, open
        ? element('span', { class: 'soft' }, 'close') : snippetPart(hit.snippet)), chosen
        ? element('b', { class: 'tag' }, 'your choice') : null),
    open ? element('div', { class: 'hit-text' },
      button(chosen ? 'this is your choice' : 'this is the person', () => test.choose(hit.code),
        { 'class': chosen ? 'pick' : 'pick primary', 'data-pick': hit.code, 'aria-pressed': String(chosen) }),
      element('div', { class: 'reading' }, wholeText(test.texts.get(hit.code), hit))) : null);
}

function hitsPart(test) {
  if (!test.hits) return [element('p', { class: 'empty' },
    'Search for words that the text of this person may have. Look at as many texts as you like.')];
  if (test.hits.length === 0) return [element('p', { class: 'empty' }, 'No released text has these words. ',
    element('kbd', {}, 'Esc'), ' leaves the box: then the other keys work; ', element('kbd', {}, '/'), ' goes back to it.')];
  return [element('ol', { class: 'hits' }, test.hits.map((hit) => hitPart(test, hit)))];
}

// The words of a choice, for somebody who searched for something else since.
function choiceWords(test) {
  if (test.choice === undefined) return element('span', { class: 'soft' }, 'nothing chosen yet');
  if (test.choice === null) return element('b', {}, 'none of these texts');
  const words = test.texts.get(test.choice) ?? '';
  return element('b', { dir: 'auto' }, `“${words.slice(0, 90)}${words.length > 90 ? '…' : ''}”`);
}

function keptPart(test) {
  const { again, answered } = test.asked;
  const words = test.outcome ? element('p', { class: 'outcome-words', role: 'status' },
    kIntruderOutcomes[test.outcome] ?? test.outcome)
    : element('p', { class: 'soft' }, button('tell me whether it was right', () => test.tell(), { class: 'link' }),
      ' It is stored that you were told, and this answer cannot be changed any more.');
  return [element('h2', {}, test.kept === 'changed' ? 'Your answer took the place of the one before.'
    : 'Your answer is kept.'),
    element('p', {}, `${several(answered + 1, 'person')} answered, ${counted(Math.max(0, test.asked.left - 1))} left.`),
    element('div', { class: 'controls-row' }, button('next person', () => test.next(),
      { 'class': 'primary', 'data-first': true }), test.outcome ? null
      : button('change this answer', () => test.change())), words];
}

function beforePart(test) {
  return [element('div', { class: 'controls-row' }, button('Begin', () => test.next(),
    { 'class': 'primary', 'data-first': true })),
    element('p', { class: 'soft' },
      'The time starts when you see the first facts. It stands still while this tab is hidden.')];
}

const overPart = (test) => [element('h2', { 'tabindex': '-1', 'data-first': true }, 'No person is left.'),
  element('p', {}, test.asked.answered === null ? 'You answered for everybody.'
  : `You answered for ${counted(test.asked.answered)}.`, ' What came of it stands below.')];

export const intruder = {
  path: '/intruder',
  name: 'Intruder',
  open(place, page) {
    let test = null, drawn = null, sure = null;
    const run = choice('run', (name) => page.set({ run: name })),
      whose = choice('of', (name) => page.set({ of: name || null }));
    const who = element('span', {}), asking = element('div', {}), task = element('div', {}),
      trouble = element('div', {}), report = element('div', { 'aria-live': 'polite' });
    const clock = element('span', { class: 'clock', title: 'stands still while this tab is hidden' });
    const showReport = button('show the report', () => page.set({ report: page.query.report ? null : 1 }),
      { 'aria-expanded': 'false' });
    const root = element('div', { class: 'people intruder' }, element('h1', {}, 'Intruder test'),
      element('div', { class: 'controls-row' }, run.place, who), element('p', { class: 'note' }, kAsks), asking, task,
      trouble,
      element('section', { class: 'report' }, element('h2', {}, 'What people and the machine found'),
        element('div', { class: 'controls-row' }, showReport, whose.place), report));

    let parts = null;
    function drawOpen() {
      const search = element('input', { 'type': 'search', 'id': 'intruder-search', 'class': 'long',
        'autocomplete': 'off', 'spellcheck': 'false', 'data-search': true, 'value': test.said });
      const form = element('form', { class: 'controls-row', role: 'search',
        onsubmit: (event) => { event.preventDefault(); test.search(search.value.trim()); } },
        element('label', { for: 'intruder-search' }, 'search the released texts'), search,
          element('button', { type: 'submit' }, 'search'));
      parts = { searches: element('span', { class: 'soft', role: 'status' }), hits: element('div', {}),
        choice: element('p', { class: 'chosen-words', role: 'status' }),
        none: button('none of these', () => test.choose(null), { title: 'n' }),
        missing: element('span', { class: 'lost', role: 'alert' }) };
      sure = surePart(test, () => { parts.missing.textContent = ''; });
      form.append(parts.searches);
      const facts = element('section', { 'class': 'known', 'aria-label': 'What is known' },
        element('h2', { 'tabindex': '-1', 'data-first': true }, 'What is known of the person'),
        element('ul', {}, test.asked.facts.map((fact) => element('li', {}, longText(fact)))),
        test.asked.again ? element('p', { class: 'note' },
          'You were asked this before and did not answer. The time counts from now.') : null,
        element('p', { class: 'soft' }, `${counted(test.asked.answered)} answered, ${counted(test.asked.left)} left`),
          keyWords(kIntruderKeys));
      task.replaceChildren(element('div', { class: 'looking' }, facts,
        element('section', { 'aria-label': 'The release' }, form, parts.hits,
        element('div', { class: 'rate' }, parts.choice, element('div', { class: 'controls-row' }, parts.none,
          sure.place, button('send', submit, { class: 'primary', title: 'Ctrl+Enter' }), clock, parts.missing)))));
    }
    function submit() {
      if (test.busy) return;
      parts.missing.textContent = test.missing ?? '';
      if (!test.missing) test.send();
    }
    function drawHits() {
      const held = document.activeElement?.dataset ?? {}, at = held.hit ?? held.pick;
      parts.hits.replaceChildren(...hitsPart(test));
      if (test.opened && !test.busy) {
        parts.hits.querySelector(`[data-pick="${CSS.escape(test.opened)}"]`)?.scrollIntoView({ block: 'nearest' });
        test.opened = null;
      }
      if (test.fresh && !test.busy) {
        test.fresh = false;
        parts.hits.querySelector('.hit-line').focus({ preventScroll: true });
      } else if (at !== undefined) [...parts.hits.querySelectorAll('.hit-line')].find((one) =>
        one.dataset.hit === at)?.focus({ preventScroll: true });
    }
    function draw() {
      if (!root.isConnected || !test) return;
      const now = `${test.state} ${test.asked?.target} ${test.kept} ${test.outcome}`;
      const other = now !== drawn;
      if (other) {
        const first = drawn === null;
        drawn = now;
        if (test.state === 'open') drawOpen();
        else task.replaceChildren(...{ before: beforePart, kept: keptPart, over: overPart }[test.state](test));
        if (!first || test.state === 'before') task.querySelector('[data-first]')?.focus({ preventScroll: true });
        if (!first) scrollTo(0, 0);
        if (test.state === 'over' && !page.query.report) page.set({ report: 1 });
      }
      root.classList.toggle('waits', test.busy);
      if (test.state === 'open') {
        if (!test.busy) test.clock.start();
        parts.searches.textContent = `${counted(test.searches)} search${test.searches === 1 ? '' : 'es'}`;
        drawHits();
        parts.choice.replaceChildren('Your answer: ', choiceWords(test));
        parts.none.setAttribute('aria-pressed', String(test.choice === null));
        if (!test.missing) parts.missing.textContent = '';
      }
      const again = test.state === 'open' && [404, 503].includes(test.trouble?.error.status)
        ? button('ask for a person anew', () => test.next()) : null;
      trouble.replaceChildren(...[test.trouble ? refusalPart(test.trouble.error, test.trouble.kept, test.trouble.again)
        : null, again].filter(Boolean));
      tick();
    }
    const tick = () => { clock.textContent = test?.state === 'open' ? clockWords(test.clock.seconds) : ''; };

    function walk(by) {
      const all = [...root.querySelectorAll('.hit-line')],
        at = all.indexOf(document.activeElement.closest?.('.hit')?.querySelector('.hit-line'));
      const to = all[Math.min(all.length - 1, Math.max(0, at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by))];
      to?.focus({ preventScroll: true });
      to?.scrollIntoView({ block: 'nearest' });
    }
    takeKeys(root, (event, typing) => {
      if (!test || test.state !== 'open') return false;
      if (event.key === 'Enter' && event.ctrlKey) submit();
      else if (typing || event.ctrlKey) return false;
      else if (event.key === 'j' || event.key === 'k') walk(event.key === 'j' ? 1 : -1);
      else if (event.key === 'n') test.choose(null);
      else if (event.key === 'p') event.target.closest?.('.hit')?.querySelector('.pick')?.click();
      else if (/^\d$/.test(event.key)) sure.set(Number(event.key) * 10);
      else if ('+-−'.includes(event.key)) sure.set((test.sure ?? 50) + (event.key === '+' ? 5 : -5));
      else if (event.key === 'Escape' && test.shown.size > 0) test.open([...test.shown].pop());
      else return false;
      return true;
    });
    eachSecond(root, tick, () => test?.clock.stop());
    place.append(root);

    // Looking is a deliberate act, and stored.
    const testOf = (of) => JSON.stringify([page.query.dataset, of, page.query.protocol]);
    const look = (of) => { tellOutcomes.add(testOf(of)); drawReport(of); };
    const heldPart = (of) => element('div', { class: 'held' }, element('p', {},
      'How many answers were right is held back until everybody who began has finished: who sees it after each answer '
      + 'learns whether the last one was right.'),
      element('p', { class: 'soft' }, button('show it now', () => look(of)), annotator()
        ? ` It is stored that ${annotator()} looked: what ${annotator()} answers then counts as after a look.`
        : ' It is stored that somebody looked: what anybody answers then counts as after a look.'));

    async function drawReport(of) {
      showReport.textContent = page.query.report ? 'hide the report' : 'show the report';
      showReport.setAttribute('aria-expanded', String(Boolean(page.query.report)));
      whose.place.hidden = !page.query.report;
      if (!page.query.report) return report.replaceChildren();
      const query = page.asked([], { run: of, judge: null, annotator: page.query.of });
      try {
        const asked = tellOutcomes.has(testOf(of));
        const answer = asked ? await post('intruder/report', JSON.stringify({ reader: annotator() }), query)
          : await page.ask('intruder/report', query);
        const names = namesOf(answer);
        whose.set([['', 'everybody'], ...names.map((name) => [name, name])], page.query.of ?? '');
        whose.place.hidden = names.length < 2 && !page.query.of;
        report.replaceChildren(...[answer.held_back ? heldPart(of) : null,
          ...reportPart(answer, query, asked)].flat().filter(Boolean));
      } catch (error) {
        if (error.name === 'AbortError') throw error;
        report.replaceChildren(refusalPart(error, null, () => drawReport(of)));
      }
      return null;
    }

    function begin(of) {
      const name = annotator(), stop = levelPart(page.store.level);
      if (stop || name) asking.replaceChildren(...(stop ? [stop] : []));
      else if (!asking.firstChild) {
        asking.append(nameForm('It is stored with each answer. This tab remembers it until it is closed.', (words) => {
          setAnnotator(words);
          begin(of);
        }));
      }
      who.replaceChildren(...(name && !stop ? [whoPart(name, () => { setAnnotator(null); begin(of); })] : []));
      const lens = { dataset: page.query.dataset, run: of, protocol: page.query.protocol, annotator: name },
        key = JSON.stringify(lens);
      if (test && test === tests.get(key)) return;
      test?.clock.stop();
      [test, drawn] = [null, null];
      task.replaceChildren();
      trouble.replaceChildren();
      if (stop || !name) {
        if (!root.contains(document.activeElement)) document.getElementById('annotator')?.focus();
        return;
      }
      if (!tests.has(key)) tests.set(key, new Test(lens));
      test = tests.get(key);
      test.redraw = draw;
      draw();
    }

    return async () => {
      const { runs: all } = await page.ask('runs', page.asked([]));
      const of = page.query.run ?? all.find((one) => !one.control)?.run ?? all[0]?.run;
      if (!of) throw Object.assign(new Error('there is no run to look through'),
        { hint: 'residue sanitize or residue ingest run makes one, residue eval attacks it', status: 404 });
      page.settle({ run: of });
      run.set(runChoices(all), of);
      page.title(`Intruder test of ${of}`);
      begin(of);
      await drawReport(of);
    };
  },
};
