// People rate whether a text says a claim: one pair at a time, by keyboard, without knowing what the judge said.

import { ask, post } from './ask.js';
import { button, element, longText } from './elements.js';
import { annotator, clockWords, eachSecond, keyWords, levelPart, nameForm, pressable, refusalPart, setAnnotator,
  Stopwatch, takeKeys, whoPart } from './people.js';
import { choice, runChoices } from './pickers.js';
import { columnsOf, tableOf } from './table.js';
import { counted, digits, intervalOf, ratingMark, several } from './words.js';

const kLabelRatings = [[1, 'same', 'the text says all of it, in whatever words'],
  [2, 'similar', 'the text says part of it, or something close'],
  [3, 'unsupported', 'the text does not say it']];
const kOrders = { sample: ['sample',
  'Drawn by chance, equally from all ratings of the judge. Only these say how good the judge is.'],
  disagreements: ['disagreements',
    'Pairs that people rated otherwise than the judge or each other, the furthest apart first. They were '
      + 'chosen because they are hard.'],
  unsure: ['unsure', 'Pairs that the judge was least sure of first. They were chosen because they are hard.'] };
const kLabelKeys = [['1', ''], ['2', ''], ['3', 'choose'], ['Enter', 'send, next'], ['s', 'skip'], ['u', 'back']];
const kMostSkipped = 6000; // bytes of an address

const tasks = new Map(); // By what is asked and who: going to another view and back loses nothing.

const ratingName = (rating) => `${rating} ${kLabelRatings[rating - 1][1]}`;

// One person rating one queue. `pairs`: in the order in which they were shown; `at`: which is shown, or behind the
// last.
class Task {
  pairs = [];
  at = 0;
  over = false;
  busy = false;
  trouble = null; // {error, again}
  done = null;
  left = null;

  constructor(lens, order, redraw) {
    Object.assign(this, { lens, order, redraw });
  }

  get pair() { return this.pairs[this.at] ?? null; }
  get skipped() { return this.pairs.filter((pair) => pair.skipped && pair.sent === null); }

  // Does one thing at a time; what fails can be done again.
  async #doing(what) {
    if (this.busy) return;
    [this.busy, this.trouble] = [true, null];
    this.pair?.clock.stop();
    this.redraw();
    try {
      await what();
    } catch (error) {
      if (!('status' in error)) console.error(error);
      this.trouble = { error, again: () => this.#doing(what) };
    }
    this.busy = false;
    this.redraw();
  }

  #next(show, skipped) {
    const names = skipped.map((pair) => pair.pair);
    while (names.join(',').length > kMostSkipped) names.shift();
    return ask('label', { ...this.lens, order: this.order, show: show ? 1 : null, skip: names.length > 0
      ? names.join(',') : null });
  }

  async #forward() {
    if (this.at < this.pairs.length) this.at += 1;
    if (this.at < this.pairs.length) return;
    const answer = await this.#next(false, this.skipped);
    [this.done, this.left, this.over] = [answer.done ?? this.done, answer.left, answer.pair === null];
    if (this.over) return;
    const again = this.pairs.findIndex((pair) => pair.pair === answer.pair && pair.sent === null);
    if (again >= 0) this.pairs.splice(again, 1);
    this.pairs.push({ ...answer, chosen: null, sent: null, skipped: false, moved: false, clock: new Stopwatch() });
    this.at = this.pairs.length - 1;
  }

  next() { return this.#doing(() => this.#forward()); }

  choose(rating) {
    if (!this.pair || this.busy) return;
    this.pair.chosen = rating;
    this.redraw();
  }

  // Whether the label to be sent counts as blind: nothing was shown of the pair, and, of one that is changed, agreement
  // was not seen since.
  get blind() { return this.pair.blind && !(this.pair.moved && this.pair.sent !== null
    && this.pair.chosen !== this.pair.sent); }

  send(sent) {
    const pair = this.pair;
    if (!pair || pair.chosen === null) return null;
    return this.#doing(async () => {
      if (pair === this.pair) {
        const answer = await post('label',
          JSON.stringify({ pair: pair.pair, rating: pair.chosen, blind: this.blind, seconds: pair.clock.seconds }),
          { ...this.lens, order: this.order });
        if (answer.kept === 'new') [this.done, this.left] = [this.done + 1, Math.max(0, this.left - 1)];
        Object.assign(pair, { blind: this.blind, sent: pair.chosen, kept: answer.kept, moved: false });
        sent();
      }
      await this.#forward();
    });
  }

  skip() {
    if (!this.pair) return null;
    if (this.pair.sent === null) this.pair.skipped = true;
    return this.next();
  }

  back() {
    if (this.busy || this.at === 0) return;
    this.pair?.clock.stop();
    this.at -= 1;
    this.trouble = null;
    this.redraw();
  }

  // Those that were skipped come again.
  again() {
    this.pairs = this.pairs.filter((pair) => pair.sent !== null);
    [this.at, this.over] = [this.pairs.length, false];
    return this.next();
  }

  // What the judge and others said of this very pair. The label is not blind any more.
  reveal() {
    const pair = this.pair;
    return this.#doing(async () => {
      const answer = await this.#next(true, this.skipped.filter((one) => one !== pair));
      if (answer.pair !== pair.pair) {
        const error = new Error('the order changed: another pair is the next one now, so nothing is shown');
        throw Object.assign(error, { status: 503 });
      }
      Object.assign(pair, { blind: false, shown: true, judge: answer.judge, others: answer.others ?? [] });
    });
  }
}

function statisticRow(name, means, of, pairs) {
  if (of === undefined) return null;
  const there = of !== null && of.value !== null, n = of?.n ?? pairs;
  return element('tr', {}, element('th', { scope: 'row', title: means }, name),
    element('td', { class: 'number' }, there ? digits(of.value) : element('span', { class: 'state' }, 'too few')),
    element('td', { class: 'number' }, there ? intervalOf(of) : ''),
      element('td', { class: 'number' }, n === undefined ? '–' : counted(n)));
}

function confusionPart(confusion) {
  if (!confusion) return null;
  return element('table', { class: 'confusion' }, element('caption', {}, 'Labels by what the judge said'),
    element('thead', {}, element('tr', {}, element('th', { scope: 'col' }, 'people'),
      kLabelRatings.map(([rating]) => element('th', { scope: 'col', class: 'number' }, `judge ${rating}`)))),
    element('tbody', {}, kLabelRatings.map(([rating, name], i) =>
      element('tr', {}, element('th', { scope: 'row' }, `${rating} ${name}`),
      confusion[i].map((count, j) => element('td', { class: i === j ? 'number same' : 'number' }, counted(count)))))));
}

function agreementPart(answer) {
  const between = answer.between?.length > 0
    ? tableOf({ name: 'annotators', caption: 'Annotators with each other, on all runs', sql: answer.sql,
    rows: answer.between.map((one) => [one.a, one.b, one.n, one.kappa]),
    columns: columnsOf(['one', 'other', 'n', 'kappa'], { numbers: ['n', 'kappa'],
      cells: { kappa: (kappa) => digits(kappa) } }), key: (row) => `${row[0]} ${row[1]}` }) : null;
  return [element('p', {},
    several(answer.labels, 'label'), ` by ${several(answer.annotators.length, 'annotator')}`,
    `, judge ${answer.judge ?? 'none'}.`),
    element('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': 'Agreement of people with the judge' },
      element('table', {}, element('caption', {}, 'People and the judge; 1: alike, 0: as by chance'),
      element('thead', {}, element('tr', {},
        ['', 'value', '95 %', 'n'].map((words, i) => element('th', { scope: 'col', class: i > 0 ? 'number' : null },
        words)))),
      element('tbody', {}, statisticRow('Spearman of scores',
        'whether the judge, by scores finer than its ratings, and people order the pairs alike', answer.spearman,
        answer.pairs), statisticRow('Spearman of ratings', 'the same, by the ratings below', answer.rating_spearman,
        answer.pairs), statisticRow('kappa',
        'whether their ratings are equal, beyond chance; a near one counts in part', answer.kappa, answer.pairs),
        statisticRow('weighted kappa', 'the same, where a near rating counts in part', answer.weighted_kappa,
          answer.pairs)))),
    confusionPart(answer.confusion), between, (answer.notes ?? []).map((note) =>
      element('p', { class: 'note' }, note))];
}

// Agreement so far: closed until somebody opens it. seen(): it was shown just now. Where the mouse opened it, Enter
// sends the label as before.
function agreementPanel(seen) {
  const body = element('div', { 'aria-live': 'polite' });
  const only = element('input', { type: 'checkbox', checked: true, onchange: () => refresh() });
  const place = element('details', { class: 'agreement', ontoggle: () => refresh() },
    element('summary', { onclick: (event) => { if (event.detail > 0) event.target.blur(); } },
    'Agreement with the judge so far'),
    element('p', { class: 'note' },
      'It moves with each label and so tells a little of what the judge said: a label that you change after you saw it '
        + 'move counts as not blind.'),
    element('label', { class: 'soft' }, only, ' only pairs drawn as a sample'), body);
  let lens = null, turn = new AbortController();
  async function refresh() {
    turn.abort();
    if (!place.open || !lens) return;
    const mine = turn = new AbortController();
    try {
      const { dataset, run, judge } = lens;
      const answer = await ask('agreement', { dataset, run, judge, sample_only: only.checked ? 1 : null }, mine.signal);
      body.replaceChildren(...agreementPart(answer).flat().filter(Boolean));
      seen();
    } catch (error) {
      if (error.name !== 'AbortError') body.replaceChildren(refusalPart(error, 'Your labels are kept.', refresh));
    }
  }
  return { place, refresh, about: (now) => { lens = now; refresh(); } };
}

function progressPart(task) {
  if (task.done === null) return [];
  const all = task.done + task.left;
  return [element('progress', { 'max': Math.max(1, all), 'value': task.done, 'aria-label': 'labels done' }), ' ',
    element('b', {}, counted(task.done)), ' done, ', element('b', {}, counted(task.left)), ' left',
    task.skipped.length > 0 ? `, ${counted(task.skipped.length)} skipped` : null];
}

function pairPart(task) {
  const pair = task.pair;
  if (!pair) {
    if (!task.over) return [];
    return [element('h2', { tabindex: '-1', class: 'claim' }, 'No pair is left in this order.'),
      element('p', {}, task.done === null ? 'You have rated all of them.'
      : `You have rated ${several(task.done, 'pair')}.`, ' Choose another order above, or another run.'),
      element('div', { class: 'controls-row' }, task.skipped.length > 0
        ? button(`rate the ${counted(task.skipped.length)} skipped`, () => task.again(), { class: 'primary' }) : null,
        task.pairs.length > 0 ? button('back to the last', () => task.back(), { title: 'u' }) : null)];
  }
  return [element('section', { 'class': 'claim', 'tabindex': '-1', 'aria-label': 'Claim' },
    element('h3', {}, 'Does the text say that …', element('small', { class: 'soft' }, pair.claim)),
    element('p', {}, longText(pair.claim_text))),
    element('section', { class: 'reading', 'aria-label': 'Text' }, longText(pair.passage))];
}

function blindPart(task) {
  const pair = task.pair;
  if (!pair) return [];
  if (pair.shown) {
    return [element('p', {}, element('b', { class: 'lost' }, 'Not blind: '), 'the judge said ', pair.judge
      ? ratingMark(pair.judge) : element('span', { class: 'state' }, 'nothing'),
      pair.others.map(([who, rating]) => ['; ', element('b', { dir: 'auto' }, who), ' said ', ratingMark(rating)]),
        '.')];
  }
  if (pair.sent !== null) {
    const moved = pair.moved ? '; you saw agreement move since, so it will count as not blind' : '';
    return [element('p', { class: 'soft' }, `You sent ${ratingName(pair.sent)}. Another takes its place${moved}.`)];
  }
  return [button('show what the judge said', () => task.reveal(), { class: 'link' }),
    element('span', { class: 'soft' }, ' The label then counts as not blind, for good.')];
}

export const label = {
  path: '/label',
  name: 'Label',
  open(place, page) {
    let task = null, drawn = null;
    const run = choice('run', (name) => page.set({ run: name }));
    const order = choice('order', (name) => page.set({ order: name }));
    const who = element('span', {}), means = element('p', { class: 'note' }),
      progress = element('p', { class: 'progress', role: 'status' }),
      clock = element('span', { class: 'clock', title: 'stands still while this tab is hidden' });
    const pair = element('div', {}), blind = element('div', { class: 'blind' }), trouble = element('div', {}),
      rate = element('div', { class: 'rate' }), inner = element('div', {}), asking = element('div', {});
    const buttons = kLabelRatings.map(([rating, name, words]) =>
      button([element('b', {}, element('kbd', {}, rating), ` ${name}`), element('small', {}, words)], () =>
      task?.choose(rating), { 'class': `rate-${rating}`, 'aria-pressed': 'false' }));
    const send = button('send', () => submit(), { class: 'primary', title: 'Enter' });
    const skip = button('skip', () => task?.skip(), { title: 's' }),
      back = button('back', () => task?.back(), { title: 'u' });
    const agreement = agreementPanel(() => task?.pairs.forEach((one) => { one.moved = one.sent !== null; }));
    inner.append(element('div', { 'class': 'ratings', 'role': 'group', 'aria-label': 'Your rating' }, buttons),
      element('div', { class: 'controls-row' }, send, skip, back, clock), blind);
    rate.append(inner, trouble);
    const root = element('div', { class: 'people label' }, element('h1', {}, 'Label'),
      element('div', { class: 'controls-row' }, run.place, order.place, who), means, asking,
      element('div', { class: 'labelling' }, element('div', {}, progress, pair, rate),
        element('aside', {}, agreement.place, keyWords(kLabelKeys))));

    const submit = () => {
      if (task?.pair && task.pair.chosen === null && !task.busy) trouble.replaceChildren(element('p',
        { class: 'lost', role: 'alert' }, 'Choose 1, 2 or 3 first.'));
      else task?.send(() => agreement.refresh());
    };
    const draw = () => {
      if (!root.isConnected) return;
      const now = task.pair;
      progress.replaceChildren(...progressPart(task).filter(Boolean).flat());
      if (drawn !== (now ?? task.over)) {
        pair.replaceChildren(...pairPart(task).filter(Boolean));
        if (drawn !== null && (now || task.over)) {
          pair.querySelector('.claim')?.focus({ preventScroll: true });
          scrollTo(0, 0);
        }
        drawn = now ?? task.over;
      }
      buttons.forEach((one, i) => one.setAttribute('aria-pressed', String(now?.chosen === i + 1)));
      inner.hidden = !now;
      if (now && !task.busy) now.clock.start();
      rate.classList.toggle('waits', task.busy);
      back.disabled = task.at === 0;
      blind.replaceChildren(...blindPart(task));
      const kept = now?.chosen ? `Your choice, ${ratingName(now.chosen)}, is still here.` : task.pairs.length > 0
        ? 'Nothing that you sent is lost.' : null;
      trouble.replaceChildren(...(task.trouble ? [refusalPart(task.trouble.error, kept, task.trouble.again)] : []));
      tick();
    };
    const tick = () => { clock.textContent = task?.pair ? clockWords(task.pair.clock.seconds) : ''; };

    takeKeys(root, (event, typing) => {
      if (typing || event.ctrlKey || !task) return false;
      const mine = buttons.includes(event.target) || !pressable(event.target);
      if (event.key === 'Enter' && mine && task.pair) event.repeat || submit();
      else if (/^[123]$/.test(event.key)) task.choose(Number(event.key));
      else if (event.key === 's' || event.key === '0') event.repeat || task.skip();
      else if (event.key === 'u') event.repeat || task.back();
      else return false;
      return true;
    });
    eachSecond(root, tick, () => task?.pair?.clock.stop());
    place.append(root);

    const begin = async () => {
      const name = annotator(), of = page.query.run, by = page.query.order in kOrders ? page.query.order : 'sample';
      const stop = levelPart(page.store.level);
      if (stop || name) asking.replaceChildren(...(stop ? [stop] : []));
      else if (!asking.firstChild) {
        const why = 'It is stored with each label, so that people can be compared. This tab remembers it.';
        asking.append(nameForm(why, (words) => {
          setAnnotator(words);
          begin();
        }));
      }
      who.replaceChildren(...(name && !stop ? [whoPart(name, () => { setAnnotator(null); begin(); })] : []));
      root.classList.toggle('asks', Boolean(stop) || !name);
      const lens = { dataset: page.query.dataset, run: of, protocol: page.query.protocol, judge: page.query.judge,
        annotator: name };
      const key = JSON.stringify([lens, by]);
      if (stop || !name) {
        task?.pair?.clock.stop();
        task = null;
        progress.replaceChildren();
        if (!root.contains(document.activeElement)) document.getElementById('annotator')?.focus();
        return;
      }
      if (task && task === tasks.get(key)) return;
      task?.pair?.clock.stop();
      if (!tasks.has(key)) tasks.set(key, new Task(lens, by, draw));
      [task, drawn] = [tasks.get(key), null];
      task.redraw = draw;
      agreement.about(lens);
      draw();
      if (!task.pair && !task.over) await task.next();
    };

    return async () => {
      const { runs: all } = await page.ask('runs', page.asked([]));
      const of = page.query.run ?? all.find((one) => !one.control)?.run ?? all[0]?.run;
      if (!of) throw Object.assign(new Error('there is no run whose claims could be rated'),
        { hint: 'residue sanitize or residue ingest run makes one, residue eval has it judged', status: 404 });
      page.settle({ run: of });
      run.set(runChoices(all), of);
      const by = page.query.order in kOrders ? page.query.order : 'sample';
      order.set(Object.entries(kOrders).map(([name, [words]]) => [name, words]), by);
      means.textContent = kOrders[by][1];
      page.title(`Label ${of}`);
      await begin();
    };
  },
};
