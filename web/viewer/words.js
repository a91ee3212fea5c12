// Numbers as people read them: a value with its interval and what is behind it; what is no number says why.

import {drawing, element} from './elements.js';

export const counted = (number) => Number(number).toLocaleString('en');

// "1 record", "71 records"
export const several = (number, word) => `${counted(number)} ${word}${number === 1 ? '' : 's'}`;

// A word of a command that a person copies into a shell.
export const shellWord = (word) =>
    (/^[\w./:@,=+-]+$/.test(word) ? word : `'${String(word).replaceAll("'", "'\\''")}'`);

// Three decimals, fewer where the number is large. Not there: a dash.
export function digits(value) {
  if (value === null || value === undefined) return '–';
  if (Math.abs(value) >= 1000) return counted(Math.round(value));
  return value.toFixed(
                  Math.abs(value) >= 100      ? 1
                      : Math.abs(value) >= 10 ? 2
                                              : 3)
      .replace(/^-(0\.0*)$/, '$1')
      .replace('-', '−');
}

export const signed = (value) => (value > 0 ? `+${digits(value)}` : digits(value));

export const intervalOf = (of) =>
    (of.low === null || of.low === undefined ? '' : `[${digits(of.low)}, ${digits(of.high)}]`);

export function probability(p) {
  if (p === null || p === undefined) return '–';
  return p < 0.001 ? '< .001' : p.toFixed(3).replace(/^0/, '');
}

export const percent = (share) => (share === null || share === undefined ? '–' : `${Math.round(share * 100)} %`);

// "n 71, failed 0, missing 0, coverage 100 %"
export function behindOf(of) {
  const parts = [];
  if (of.n !== null && of.n !== undefined) parts.push(`n ${counted(of.n)}`);
  for (const name of ['failed', 'missing'])
    if (of[name] !== null && of[name] !== undefined) parts.push(`${name} ${counted(of[name])}`);
  if (of.coverage !== null && of.coverage !== undefined) parts.push(`coverage ${percent(of.coverage)}`);
  return parts.join(', ');
}

// How many records have no text in a run, apart from the texts that failed; null: every one has.
export const lackingPart = (run) => (run.lacking
    ? element('small', {class: 'lost'}, `${several(run.lacking, 'record')} ${run.lacking === 1 ? 'has' : 'have'} no text`)
    : null);

// Which way is better, and for whom: {arrow, words, better: 1 higher, -1 lower, 0 neither}.
export function directionOf(direction) {
  const found = /^(higher|lower) = (more|less) (private|useful)$/.exec(direction ?? '');
  if (!found) return {arrow: '', words: '', better: 0, of: ''};
  const up = (found[1] === 'higher') === (found[2] === 'more');
  return {
    arrow: up ? '↑' : '↓',
    words: `${up ? 'higher' : 'lower'} is more ${found[3]}`,
    better: up ? 1 : -1,
    of: found[3]
  };
}

const kStates = {
  'failed': ['failed', 'its text failed: it counts as if everything had leaked'],
  'missing': ['missing', 'it could not be measured: it counts as if everything had leaked'],
  'not applicable': ['not applicable', 'the question does not arise for it'],
  'not computed': ['not computed', 'residue eval has not computed it'],
};

// What stands where a number would: words with a mark of their own, never 0.
export function stateMark(state) {
  const [words, means] = kStates[state] ?? [state, null];
  return element('span', {class: `state state-${state.replaceAll(' ', '-')}`, title: means}, words);
}

// Why there is no number: not computed, failed, missing, or not applicable.
export function stateOfValue(of) {
  if (!of) return 'not computed';
  if (of.value !== null && of.value !== undefined) return 'value';
  if (of.failed) return 'failed';
  return of.missing ? 'missing' : 'not applicable';
}

// The interval as a line on the scale from 0 to 1, the value as a mark on it. Decoration: the words stand beside it.
export function strip(of, threshold = null) {
  if (of.low === null || of.low === undefined || of.low < -0.001 || of.high > 1.001) return null;
  const at = (value) => 2 + 76 * Math.min(1, Math.max(0, value));
  return drawing(
      'svg', {'class': 'strip', 'viewBox': '0 0 80 6', 'aria-hidden': 'true'},
      drawing('line', {class: 'scale', x1: 2, x2: 78, y1: 3, y2: 3}),
      threshold === null || threshold > 1
          ? null
          : drawing('line', {class: 'limit', x1: at(threshold), x2: at(threshold), y1: 0, y2: 6}),
      drawing('line', {class: 'span', x1: at(of.low), x2: at(of.high), y1: 3, y2: 3}),
      drawing('circle', {cx: at(of.value), cy: 3, r: 2.2}));
}

// "2 failed, 1 missing"; '' where nothing is lost.
export const lostWords = ({failed, missing}) =>
    [failed ? `${counted(failed)} failed` : '', missing ? `${counted(missing)} missing` : ''].filter(Boolean).join(', ');

// A value in a cell: the number, its interval under it, and a line that warns where records failed or are missing.
// flat: on one line, for tables of few columns.
export function valueCell(of, {bare = false, flat = false, threshold = null} = {}) {
  const state = stateOfValue(of);
  if (state !== 'value')
    return element('span', {title: of ? [of.reason, behindOf(of)].filter(Boolean).join('; ') : null}, stateMark(state));
  const lost = lostWords(of);
  return element(
      'span', {class: flat ? 'value flat' : 'value', title: `${digits(of.value)} ${intervalOf(of)} ${behindOf(of)}`},
      element('b', {}, digits(of.value)), element('small', {}, intervalOf(of)), bare ? null : strip(of, threshold),
      lost ? element('small', {class: 'lost'}, lost) : null,
      of.stale
          ? element(
                'small', {class: 'lost', title: 'its texts changed since: residue eval brings it up to date'}, 'stale')
          : null);
}

// The same for a document.
export function valueWords(of) {
  const state = stateOfValue(of);
  if (state !== 'value') return state;
  const number = `${digits(of.value)} ${intervalOf(of)}`.trim();
  return [number, lostWords(of), of.stale ? 'stale' : ''].filter(Boolean).join(', ');
}

const kOutcomes = {
  right: ['found', 'the attacker found the right record'],
  wrong: ['wrong record', 'the attacker took another record for it'],
  not_linked: ['not linked', 'the attacker found nothing'],
};

// A record that failed, is missing or has nothing to find has no outcome.
export const outcomeWords = (outcome) => (outcome ? kOutcomes[outcome]?.[0] ?? outcome : 'no outcome');

export function outcomeMark(outcome) {
  if (!outcome) return element('span', {class: 'state'}, '–');
  const [words, means] = kOutcomes[outcome] ?? [outcome, null];
  return element('span', {class: `outcome outcome-${outcome}`, title: means}, words);
}

const kRatings = {
  1: ['1 in full', 'stands in the found text'],
  2: ['2 in part', 'stands there in part'],
  3: ['3 not', 'does not stand there']
};

export function ratingMark(rating) {
  if (!rating) return stateMark('missing');
  const [words, means] = kRatings[rating] ?? [String(rating), null];
  return element('span', {class: `rating rating-${rating}`, title: means}, words);
}
