// The pages of `residue serve`: which view stands where, what all of them share, and what happens when the store
// changes.

import {ask, openSession, Refusal, watchChanges} from './ask.js';
import {compare} from './compare.js';
import {element, forgetRegions, region, spelled} from './elements.js';
import {intruder} from './intruder.js';
import {listenToKeys, showKeys} from './keys.js';
import {label} from './label.js';
import {leaks} from './leaks.js';
import {overview} from './overview.js';
import {choice} from './pickers.js';
import {plot} from './plot.js';
import {record} from './record.js';
import {records} from './records.js';
import {addressFrom, addressOf, go, onRoute, routeNow} from './routes.js';
import {runs} from './runs.js';
import {search} from './search.js';
import {sql} from './sql.js';
import {drawState, shortProgress, status, statesFrom, unevaluated} from './status.js';

const kViewsInOrder = [overview, runs, compare, records, record, leaks, search, plot, label, intruder, sql, status];
// What opens before anything is evaluated; and what is about all runs, so says of each of them that it is stale.
const kNeedNoLens = [records, record, search, sql, status], kOfAllRuns = [overview, runs, record, plot, sql, status];
const kLevels = {
  released: ['released texts', 'claims and originals are not read; residue serve --claims or --originals does'],
  claims: ['claims', 'released texts and claims are read; residue serve --originals reads originals'],
  originals: ['originals', 'everything is read, originals too']
};

const main = document.getElementById('view');
let store = null, metricsKnown = new Map(), lensesKnown = [], query = {}, now = null, turn = new AbortController();
let evaluating = [];  // evaluations, as they were a second ago
let ended = true;     // some evaluation of the dataset has come to its end
const statesOf = new Map();  // by attacker and judge: which runs are up to date

const kLeftOut = {
  runs: {notes: 'no'},
  record: {terms: 'no'}
};

// What every view may ask of the viewer.
const page = {
  get store() { return store; },
  get metrics() { return metricsKnown; },
  get lenses() { return lensesKnown; },
  get seeds() { return seedsFrom(query); },
  get query() { return query; },
  get running() { return evaluating; },
  // What takes longer comes apart: doubts of the runs' numbers (notes), the terms of an attack.
  async ask(name, values) {
    refuseUnasked(name, values);
    const answer = await ask(name, {...kLeftOut[name], ...values}, turn.signal);
    if (name === 'runs' && !values.where) statesOf.set(lensKey(values), statesFrom(answer.runs));
    return answer;
  },
  // The runs of the dataset; before anything is evaluated, without numbers.
  async runs(more = {}) {
    if (lensesKnown.length > 0) return (await page.ask('runs', page.asked([], more))).runs;
    const all = (await page.ask('status', {dataset: query.dataset})).runs;
    return all.map(({run, control}) => ({run, control, metrics: {}}));
  },
  // What a question of this dataset, attacker and judge says, with more of the address by name.
  asked: (names, more = {}) => ({
    dataset: query.dataset,
    protocol: query.protocol,
    judge: query.judge,
    sample: query.sample,
    ...Object.fromEntries(names.filter((name) => query[name] !== undefined).map((name) => [name, query[name]])),
    ...more
  }),
  link: (path, changes) => addressFrom(query, path, changes),
  here: (changes) => addressOf(location.pathname, {...query, ...changes}),
  set: (changes) => go(page.here(changes)),
  open: (address) => go(address),
  // Writes what was not chosen, and is therefore the first, into the address: it says the same tomorrow.
  settle(changes) {
    query = {...query, ...changes};
    history.replaceState(history.state, '', addressOf(location.pathname, query));
    links();
  },
  title: (words) => {
    document.title = spelled(`${words} · ${query.dataset ?? 'no dataset'} · residue`);
  },
};

const lensKey = ({dataset, protocol, judge, sample}) => JSON.stringify([dataset, protocol, judge, sample]);
const knownStates = () => statesOf.get(lensKey(query)) ?? [];

// What the server would refuse, as is known, is not asked.
function refuseUnasked(name, values) {
  if (!['compare', 'leaks', 'records'].includes(name)) return;
  const states = knownStates().filter((one) => one.run === values.run || one.run === values.baseline);
  const none = states.find((one) => one.evaluated === false);
  const hint = `residue eval ${values.dataset}`;
  if (none)
    throw new Refusal(404, {error: `${none.run} was not evaluated under this attacker with this judge`, hint});
  const old = name === 'compare' ? states.find((one) => one.old) : undefined;
  if (old)
    throw new Refusal(400, {error: `${old.run} changed since it was evaluated: its old numbers are not compared`, hint});
}

// Above every view: which runs are stale, and whether an evaluation has come to its end at all.
const state = region((about) => drawState(page, about), {id: 'state'});

async function showState(view, mayAsk) {
  if (query.dataset === undefined || lensesKnown.length === 0) return state.show(null);
  if (mayAsk && !statesOf.has(lensKey(query))) await page.ask('runs', page.asked([]));
  const named = [query.run, query.baseline];
  const stale = knownStates().filter((one) => one.stale && (kOfAllRuns.includes(view) || named.includes(one.run)));
  const {dataset, protocol, judge, sample} = query;
  return state.show({dataset, protocol, judge, sample, ended, stale: stale.map((one) => one.run)});
}

function notice(words, kind = '') {
  const place = document.getElementById('notice');
  place.className = kind;
  place.textContent = spelled(words);
}

function problem(error) {
  const old = main.querySelector(':scope > .problem');
  const place = element(
      'div', {class: 'problem', role: 'alert'}, element('p', {class: 'problem-words'}, error.message),
      error.hint ? element('p', {class: 'soft'}, error.hint) : null);
  if (old)
    old.replaceWith(place);
  else
    main.prepend(place);
}

// Of all views, that which is open can be seen on a narrow screen too.
function showPlace() {
  const bar = document.getElementById('views'), here = bar.querySelector('[aria-current]');
  if (here && bar.scrollWidth > bar.clientWidth)
    bar.scrollLeft = here.offsetLeft - bar.offsetLeft - (bar.clientWidth - here.offsetWidth) / 2;
}

function links() {
  document.getElementById('home').href = page.link('/');
  document.getElementById('views').replaceChildren(
      ...kViewsInOrder.filter((view) => view.name)
          .map(
              (view) => element(
                  'a', {
                    'href': page.link(view.path),
                    'aria-current': view === now?.view || (view === records && now?.view === record) ? 'page' : null
                  },
                  view.name)));
  showPlace();
}

// Which dataset, which attacker, which judge: of every view the same.
function lensBar() {
  const dataset = choice(
      'dataset',
      (name) =>
          page.open(addressOf(location.pathname === '/record' ? '/records' : location.pathname, {dataset: name})));
  const lens = choice('attacker and judge', (words) => {
    const one = JSON.parse(words);
    page.set({protocol: one[0], judge: one[1], sample: one[2], seeds: null, offset: null});
  });
  const level = element('span', {class: 'level'});
  document.getElementById('lens').replaceChildren(dataset.place, lens.place, level);
  return () => {
    dataset.set(
        store.datasets.map(
            (one) => [one.dataset, `${one.dataset}${one.control_of ? ` (control of ${one.control_of})` : ''}`]),
        query.dataset);
    lens.set(
        lensesKnown.map(
            (one) =>
                [JSON.stringify([one.protocol, one.judge, String(one.sample)]),
                 `${one.protocol} · ${one.judge}${one.sample ? ` · sample of ${one.sample}` : ''}`]),
        query.protocol ? JSON.stringify([query.protocol, query.judge ?? null, query.sample ?? '0']) : '');
    const [words, means] = kLevels[store.level] ?? [store.level, null];
    level.textContent = `reads ${words}`;
    level.title = means ?? '';
  };
}

async function know() {
  const {change} = await ask('change'); // before all else: what changes from here on is noticed
  const [newStore, {metrics}] = await Promise.all([ask('store'), ask('metrics')]);
  newStore.change ??= change;
  [store, metricsKnown] = [newStore, new Map(metrics.map((one) => [one.metric, one]))];
}

const showLens = lensBar();
let lensesOf = null;

// Attackers and judges of the dataset, the last evaluated first.
async function knowLenses() {
  const {lenses, last, ended: complete} = await page.ask('lenses', {dataset: query.dataset});
  ended = complete !== false;
  const isLast = (one) =>
      last && one.protocol === last.protocol && one.judge === last.judge && one.sample === last.sample;
  [lensesKnown, lensesOf] = [[...lenses.filter(isLast), ...lenses.filter((one) => !isLast(one))], query.dataset];
}

// Says of which dataset, attacker and judge, in the address too.
async function settleLens() {
  query.dataset ??= store.datasets[0]?.dataset;
  if (query.dataset === undefined) return;
  if (lensesOf !== query.dataset) await knowLenses();
  const asked = {protocol: query.protocol, judge: query.judge, sample: query.sample};
  const named = Object.keys(asked).filter((name) => asked[name] !== undefined);
  const first = lensesKnown.find((one) => named.every((name) => String(one[name]) === asked[name]));
  page.settle(first ? {protocol: first.protocol, judge: first.judge, sample: String(first.sample)} : {});
}

// The seeds of one attacker that were evaluated in a row from his on: [42, 43, 44]; one: there is nothing to choose.
function seedsFrom({protocol, judge, sample}) {
  const parts = /^([^@]*)@(\d+)(.*)$/.exec(protocol ?? '');
  const there = (seed) => lensesKnown.some((one) => one.protocol === `${parts[1]}@${seed}${parts[3]}` &&
      one.judge === judge && String(one.sample) === sample);
  const seeds = [];
  for (let seed = Number(parts?.[2]); parts && there(seed); ++seed) seeds.push(seed);
  return seeds;
}

// changed: the store is another one. What it then refuses to say again was said of what may be gone.
async function show({back, changed = false}) {
  turn.abort();
  const mine = turn = new AbortController();
  const route = routeNow();
  query = route.query;
  const wanted = kViewsInOrder.find((one) => one.path === route.path);
  document.body.classList.add('busy');
  try {
    if (!wanted) throw new Error(`there is no page ${route.path}`);
    if (!store) await know();
    await settleLens();
    if (mine.signal.aborted) return;
    const known = store.datasets.some((one) => one.dataset === query.dataset);
    const view = known && lensesKnown.length === 0 && !kNeedNoLens.includes(wanted) ? unevaluated : wanted;
    if (now?.view !== wanted || now.drawn !== view) {
      main.replaceChildren();
      now = {view: wanted, drawn: view, update: view.open(main, page, wanted)};
      if (back === null) scrollTo(0, 0);
    }
    showLens();
    links();
    let failure = null;
    await now.update().catch((error) => (failure = error));
    if (mine.signal.aborted) return;
    await showState(wanted, failure === null && wanted !== status && wanted !== sql);
    if (failure?.status && changed) forgetRegions(main);
    if (failure) throw failure;
    main.querySelector(':scope > .problem')?.remove();
    if (back) scrollTo(0, back);
  } catch (error) {
    if (error.name === 'AbortError' || mine.signal.aborted) return;
    problem(error);
    if (!('status' in error)) console.error(error);
  } finally {
    if (turn === mine) document.body.classList.remove('busy');
  }
}

async function storeChanged(change, error) {
  if (change === null) return notice(`${error.message}: ${error.hint ?? 'what is shown may be old'}`, 'gone');
  notice('');
  [store, lensesOf] = [null, null];
  statesOf.clear();
  await show({back: null, changed: true});
  notice('The store changed: this is what it says now.', 'fresh');
  setTimeout(() => notice(''), 4000);
}

// Whether an evaluation began, or ended, or was killed, which changes nothing in the store.
async function hearRunning(evaluations) {
  const namesOf = (all) => JSON.stringify(all.map((one) => [one.dataset, one.run]));
  const others = namesOf(evaluations) !== namesOf(evaluating);
  evaluating = evaluations;
  const place = document.getElementById('running');
  place.hidden = evaluating.length === 0;
  if (evaluating.length > 0) place.textContent = evaluating.map(shortProgress).join(', ');
  place.href = page.link('/status');
  if (others && now?.view === status)
    await show({back: null});
  else
    now?.update.heard?.();
}

async function begin() {
  main.before(state.place);
  document.getElementById('help').addEventListener('click', showKeys);
  onRoute(show);
  listenToKeys((address) => go(address));
  try {
    await openSession();
    await know();
  } catch (error) {
    problem(error);
    return;
  }
  watchChanges(store.change, storeChanged, hearRunning);
  await show({back: history.state?.scroll ?? 0});
}

begin();
