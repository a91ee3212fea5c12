// Parts that label and intruder share: the name of the annotator, a stopwatch, how sure somebody is, keys, refusals,
// marked texts; and the report of an intruder test, with its chart of shares.

import { apiAddress } from './ask.js';
import { button, drawing, element, longText } from './elements.js';
import { tableOf } from './table.js';
import { counted, digits, intervalOf, several, signed } from './words.js';

const kKeptAs = 'residue.annotator';
const kMostBytes = 100; // of a name
const kDay = 86400;

let name = null; // Where the browser keeps nothing for this tab.

export function annotator() {
  try {
    return sessionStorage.getItem(kKeptAs) ?? name;
  } catch (error) {
    return name;
  }
}

export function setAnnotator(words) {
  name = words;
  try {
    if (words === null) sessionStorage.removeItem(kKeptAs);
    else sessionStorage.setItem(kKeptAs, words);
  } catch (error) {
    // It is known until the page is closed.
  }
}

// Why this is no name, in words; null: it is one.
export function nameTrouble(words) {
  if (words === '') return 'Type a name first.';
  if (new TextEncoder().encode(words).length > kMostBytes) return `A name has at most ${kMostBytes} bytes.`;
  return /\p{Cc}/u.test(words) ? 'A name has no control characters.' : null;
}

// Asks who somebody is, before anything else is asked.
export function nameForm(why, done) {
  const input = element('input', { 'id': 'annotator', 'type': 'text', 'autocomplete': 'off', 'spellcheck': 'false',
    'aria-describedby': 'annotator-why' });
  const trouble = element('p', { class: 'lost', role: 'alert' });
  const submit = (event) => {
    event.preventDefault();
    trouble.textContent = nameTrouble(input.value.trim()) ?? '';
    if (trouble.textContent) input.focus();
    else done(input.value.trim());
  };
  return element('form', { class: 'who', onsubmit: submit }, element('label', { for: 'annotator' }, 'Your name'),
    element('span', {}, input, ' ', element('button', { type: 'submit', class: 'primary' }, 'Begin')), trouble,
    element('p', { class: 'soft', id: 'annotator-why' }, why));
}

const running = new Set();

// Seconds that somebody looked: it stands still while the tab is hidden, and while it is stopped.
export class Stopwatch {
  #spent = 0;
  #since = null;

  start() {
    running.add(this);
    this.look();
  }

  stop() {
    running.delete(this);
    this.look();
  }

  look() {
    const runs = running.has(this) && document.visibilityState === 'visible';
    if (runs === (this.#since !== null)) return;
    if (!runs) this.#spent += performance.now() - this.#since;
    this.#since = runs ? performance.now() : null;
  }

  // At most a day, to a hundredth.
  get seconds() {
    const all = this.#spent + (this.#since === null ? 0 : performance.now() - this.#since);
    return Math.min(kDay, Math.round(all / 10) / 100);
  }
}

document.addEventListener('visibilitychange', () => running.forEach((one) => one.look()));

// "0:09", "12:40"
export const clockWords = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

// Calls each second while `root` is on the page, and once when it has left it.
export function eachSecond(root, tick, left) {
  const timer = setInterval(() => {
    if (root.isConnected) return tick();
    clearInterval(timer);
    return left();
  }, 1000);
}

// Keys of one view, before those of all views. take(event, typing): whether it took the key.
export function takeKeys(root, take) {
  const listen = (event) => {
    if (!root.isConnected) {
      removeEventListener('keydown', listen, true);
      return;
    }
    if (event.isComposing || event.altKey || event.metaKey || document.getElementById('keys').open) return;
    if (!take(event,
      Boolean(event.target.matches?.('input:not([type=checkbox]):not([type=range]), textarea, select')))) return;
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('keydown', listen, true);
}

// Whether Enter would press what has the focus.
export const pressable = (at) =>
  Boolean(at.matches?.('a, button, summary, input:not([type=checkbox]), select, textarea'));

// What the server refused, and what to do about it. kept: what of the person's is still there. again: asks once more.
export function refusalPart(error, kept, again) {
  const lead = error.status === 503 ? 'The texts, or what is known of them, changed while you looked. ' : '';
  return element('div', { class: 'problem', role: 'alert' },
    element('p', { class: 'problem-words' }, lead, error.message),
    element('p', { class: 'soft' }, error.hint ? `${error.hint}. ` : null, kept), again ? button('try again', again)
      : null);
}

// What stands in place of the page where the server reads no claims; null: it reads them.
export function levelPart(level) {
  if (level !== 'released') return null;
  return element('div', { class: 'problem' }, element('p', { class: 'problem-words' },
    'This server was started to show released texts only, and here people read claims, too.'),
    element('p', {}, 'Stop it (Ctrl+C in its terminal), start ', element('code', {}, 'residue serve --claims'),
      ' and open the address that it prints.'));
}

// Who somebody is, and a way to be somebody else.
export const whoPart = (who, change) => element('span', { class: 'field' },
  element('span', { class: 'soft' }, 'annotator'), element('b', { class: 'annotator', dir: 'auto' }, who),
  button('change', change, { class: 'link' }));

export const keyWords = (keys) => element('p', { class: 'soft key-words' },
  keys.map(([key, means]) => element('span', {}, element('kbd', {}, key), ` ${means}`)));

// How sure, 0 to 100; nothing until somebody says it.
export function surePart(test, said) {
  const range = element('input', { 'type': 'range', 'id': 'sure', 'min': 0, 'max': 100, 'step': 1,
    'aria-describedby': 'sure-means' });
  const number = element('input', { 'type': 'number', 'class': 'short', 'min': 0, 'max': 100, 'step': 1,
    'aria-label': 'how sure, in per cent' });
  const set = (value) => {
    test.sure = Number.isFinite(value) ? Math.min(100, Math.max(0, Math.round(value))) : null;
    show();
    said();
  };
  const show = () => {
    range.value = test.sure ?? 50;
    if (document.activeElement !== number || Number(number.value) !== test.sure) number.value = test.sure ?? '';
    range.classList.toggle('unsaid', test.sure === null);
    range.setAttribute('aria-valuetext', test.sure === null ? 'not said yet' : `${test.sure} per cent`);
  };
  for (const event of ['input', 'click']) range.addEventListener(event, () => set(Number(range.value)));
  number.addEventListener('input', () => set(number.value === '' ? NaN : Number(number.value)));
  show();
  return { place: element('span', { class: 'field sure' }, element('label', { for: 'sure' }, 'how sure'), range, number,
    element('span', { class: 'soft', id: 'sure-means' }, '% (0: a guess, 100: certain)')), set };
}

// Everybody who looked, on one axis: marks with their intervals; the table below says the same.
export function drawShares(place, rows) {
  const d3 = globalThis.d3;
  if (!d3) return;
  const kLeft = 230, kRight = 560, kRow = 26, kTop = 10, bottom = kTop + rows.length * kRow;
  const at = d3.scaleLinear().domain([0, 1]).range([kLeft, kRight]);
  const svg = d3.select(place).append('svg').attr('viewBox', `0 0 760 ${bottom + 44}`).attr('role',
    'img').attr('aria-label', 'Share of persons found, by people and by the machine; the table below has the numbers');
  svg.append('g').attr('class', 'axis').attr('transform',
    `translate(0,${bottom})`).call(d3.axisBottom(at).ticks(6).tickSizeInner(kTop - bottom).tickPadding(8));
  svg.append('text').attr('class', 'name').attr('x', kRight).attr('y', bottom + 36).attr('text-anchor',
    'end').text('share of persons found');
  for (const [i, row] of rows.entries()) {
    const y = kTop + (i + 0.5) * kRow, there = row.value !== null && row.value !== undefined;
    const words = there ? `${digits(row.value)} ${intervalOf(row)} n ${row.n}` : `too few, n ${row.n}`;
    const group = svg.append('g').attr('class', /^machine/.test(row.who) ? 'control' : 'mark best');
    group.node().append(drawing('text', { 'class': 'label', 'x': kLeft - 12, 'y': y + 4, 'text-anchor': 'end' },
      row.who.length > 34 ? `${row.who.slice(0, 33)}…` : row.who),
      drawing('text', { class: 'name', x: kRight + 14, y: y + 4 }, words));
    if (!there) continue;
    if (row.low !== null && row.low !== undefined) group.append('line').attr('class', 'interval').attr('x1',
      at(row.low)).attr('x2', at(row.high)).attr('y1', y).attr('y2', y);
    group.append('circle').attr('r', 5).attr('cx', at(row.value)).attr('cy', y);
  }
}

export const snippetPart = (snippet) => snippet.map(([kind, words]) => element(kind === 'match' ? 'mark' : 'span', {}, words));

// A whole text, with the words marked that matched.
export function wholeText(text, hit) {
  const words = [...new Set((hit?.snippet ?? []).filter(([kind, found]) => kind === 'match'
    && found.trim() !== '').map(([, found]) => found.trim()))];
  if (words.length === 0) return longText(text);
  const any = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${any})(?![\\p{L}\\p{N}])`, 'giu');
  return longText(text, (part) => part.split(pattern).map((piece, i) => element(i % 2 ? 'mark' : 'span', {}, piece)));
}

const kCounted = ['attempts', 'persons', 'present', 'right', 'shared', 'wrong', 'none', 'failed', 'absent',
  'rightly_none', 'open', 'outdated', 'blind', 'after_look'];

const valueOr = (of, words = 'too few') => (of?.value === null || of?.value === undefined
  ? element('span', { class: 'state' }, words) : digits(of.value));

// A text that several persons were released with is found in part.
const sumOf = (value) => (Number.isInteger(value) ? counted(value) : digits(value));

export const namesOf = (answer) => (answer.annotators ?? []).map((one) => one.name ?? one);

// What came of an intruder test. asked: outcomes were asked for before everybody had finished.
export function reportPart(answer, query, asked) {
  const chart = element('figure', { class: 'chart' });
  if (!answer.held_back) drawShares(chart, answer.rows);
  const number = (name, cell, plain = cell) => ({ name, number: true, cell, plain });
  // Files have the interval as numbers, beside its value.
  const interval = (cell) => ({ name: '95 %', number: true, cell, plain: null, words: cell });
  const measured = (name, of) => ({ name, number: true, cell: (row) => valueOr(of(row)), measured: of,
    behind: ['low', 'high'], words: (row) => of(row)?.value });
  const shares = tableOf({ name: `intruder-${query.run}`,
    caption: 'Share of persons found, of those who are there to be found; 95 % intervals', rows: answer.rows,
    key: (row) => row.who, sql: answer.sql, json: asked ? null : apiAddress('intruder/report', query),
    columns: [{ name: 'who', cell: (row) => row.who }, measured('found', (row) => row),
      interval((row) => intervalOf(row)), number('n', (row) => counted(row.n), (row) => row.n)] });
  const counts = kCounted.filter((name) => answer[name] !== undefined && answer[name] !== null);
  const confidence = tableOf({ name: `confidence-${query.run}`,
    caption: 'Of the texts that were named with at least so much confidence: how many are about the person',
    rows: answer.confidence ?? [], sql: answer.sql, key: (row) => String(row.at_least), empty: 'Nobody named a text yet.',
    columns: [number('at least', (row) => `${row.at_least} %`, (row) => row.at_least),
      number('named', (row) => counted(row.claims), (row) => row.claims),
      number('right', (row) => sumOf(row.right), (row) => row.right),
      measured('precision', (row) => row.precision),
        interval((row) => (row.precision ? intervalOf(row.precision) : ''))] });
  const names = namesOf(answer), everybody = answer.annotators?.filter((one) => typeof one === 'object') ?? [];
  const annotators = everybody.length > 0
    ? tableOf({ name: `annotators-${query.run}`, caption: 'What each annotator answered', rows: everybody,
    key: (row) => row.name, sql: answer.sql,
    columns: [{ name: 'annotator', cell: (row) => row.name },
      ...(answer.held_back ? ['attempts', 'told', 'blind', 'after_look']
        : ['attempts', 'right', 'wrong', 'none', 'rightly_none', 'told', 'blind', 'after_look']).map((name) =>
        number(name.replaceAll('_', ' '), (row) => counted(row[name] ?? 0), (row) => row[name])),
      number('median time', (row) => (row.median_seconds === null ? '–' : clockWords(row.median_seconds)), (row) =>
        row.median_seconds), number('median searches', (row) => row.median_searches ?? '–', (row) =>
        row.median_searches)] }) : null;
  const differs = answer.difference?.value === null || answer.difference?.value === undefined ? null
    : element('p', {}, 'People found ', element('b', {}, signed(answer.difference.value)),
      ` ${intervalOf(answer.difference)} of a person more than the machine, on the same targets.`);
  const wrongly = [['people', answer.false_claims], ['the machine', answer.machine_false_claims]].filter(([, of]) => of
    && of.value !== null)
    .map(([name, of]) => element('p', {}, `Where nobody was there to be found, ${name} named a text all the same: `,
      element('b', {}, digits(of.value)), ` ${intervalOf(of)}, n ${counted(of.n)}.`));
  const strata = (answer.strata ?? []).length === 0 ? null : tableOf({ name: `strata-${query.run}`,
    caption: 'What the targets were drawn from, as counted: attempts, of them on persons who are there, and found',
    rows: answer.strata, sql: answer.sql, key: (row) => row.stratum, columns: [{ name: 'stratum', cell: (row) => row.stratum },
      ...['targets', 'attempts', 'present'].map((name) => number(name, (row) => counted(row[name]), (row) =>
        row[name])),
      number('by people', (row) => sumOf(row.person), (row) => row.person),
      number('by the machine', (row) => sumOf(row.machine_person), (row) => row.machine_person)] });
  const chance = answer.chance === undefined ? null : element('p', { class: 'soft' },
    `Who names one of the texts at random finds ${digits(answer.chance)} of a person.`);
  const sums = element('p', { class: 'counts' },
    counts.map((name) => element('span', {}, element('b', {}, counted(answer[name])), ` ${name.replaceAll('_', ' ')}`)),
    ` by ${several(names.length, 'annotator')}`);
  const notes = (answer.notes ?? []).map((note) => element('p', { class: 'note' }, note));
  if (answer.held_back) return [shares, chance, sums, annotators, notes];
  return [chart, shares, chance, differs, wrongly, strata, sums, annotators,
    element('h3', {}, 'How sure, and how right'), confidence, notes];
}
