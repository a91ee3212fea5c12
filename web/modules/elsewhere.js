// The numbers of the proof where they stand in other tables. Headings that a person reads say which number a cell is.
//
//   cells ── headings, gates ──> which number ── numbers of the proof ──> agrees, differs, not computed

import { saysSo } from './proof.js';

export const kOldMark = ' (old)'; // behind the name of a run whose numbers are old
const kGate = /^\s*(\w+?)(?:\.(low|high|if_leaked|if_private|n|failed|missing|coverage))?\s*(<=|>=|==|!=|<|>)\s*(\S+)\s*$/;
const kFields = { if_leaked: 'ifLeaked', if_private: 'ifPrivate' };
const kCoverage = [
  ['with a value', 'n', 'count'], ['failed', 'failed', 'count'], ['missing', 'missing', 'count'],
  ['not applicable', 'notApplicable', 'count'], ['coverage', 'coverage', 'percent'],
  ['if all missing leaked', 'ifLeaked', 'number'], ['if none did', 'ifPrivate', 'number'],
];

export const tables = (id) => [...document.querySelectorAll(`#${id} table`)];
export const headingsOf = (table) => [...table.querySelectorAll('thead th')].map((heading) => heading.textContent);
export const rowsIn = (table) => [...table.querySelectorAll('tbody tr')];
export const without = (name, mark) => (name.endsWith(mark) ? name.slice(0, -mark.length) : name);

// A value and its interval in the cell behind it, as often as they are there.
function valuesOf(row, headings, from, run) {
  const all = [];
  for (let i = from; i + 1 < headings.length; i += 2) {
    const metric = headings[i];
    all.push({ cell: row.cells[i], run, metric, field: 'value', as: 'number' });
    all.push({ cell: row.cells[i + 1], run, metric, field: 'value', as: 'interval' });
  }
  return all;
}

function* coverageCells() {
  for (const table of tables('coverage')) {
    const headings = headingsOf(table);
    for (const row of rowsIn(table)) {
      const run = without(row.cells[0].textContent, kOldMark);
      for (const [heading, field, as] of kCoverage) {
        yield { cell: row.cells[headings.indexOf(heading)], run, metric: 'semantic_distance', field, as };
      }
    }
  }
}

function* criteriaCells(hasValue) {
  for (const table of tables('criteria')) {
    const headings = headingsOf(table);
    const above = without(table.parentElement.previousElementSibling.textContent, kOldMark);
    const run = table.caption.textContent === `${above}: each number with its control` ? above : '';
    for (const row of rowsIn(table)) {
      const at = (heading) => row.cells[headings.indexOf(heading)];
      const metric = at('metric').textContent, { control, net } = row.dataset;
      const told = net && hasValue(run, net) ? net : metric;
      yield { cell: at('attack'), run, metric, field: 'value', as: 'number' };
      if (control) yield { cell: at('control'), run, metric: control, field: 'value', as: 'number' };
      if (net) yield { cell: at('net'), run, metric: net, field: 'value', as: 'number' };
      yield { cell: at('95 % interval'), run, metric: told, field: 'value', as: 'interval' };
      for (const field of ['n', 'failed', 'missing']) yield { cell: at(field), run, metric, field, as: 'count' };
      yield { cell: at('coverage'), run, metric, field: 'coverage', as: 'percent' };
    }
  }
}

// Results and limits are compared by whole.js.
function* gateCells() {
  for (const table of tables('gates')) {
    const headings = headingsOf(table);
    for (const row of rowsIn(table)) {
      const at = (heading) => row.cells[headings.indexOf(heading)];
      const run = at('run').textContent;
      const [, metric = '', named] = at('gate').textContent.match(kGate) ?? [];
      const field = named ? (kFields[named] ?? named) : 'value';
      const as = ['n', 'failed', 'missing'].includes(field) ? 'count' : 'number';
      // A number that is old counts as none: its gate fails.
      const none = at('value').textContent === '–' && at('result').textContent.startsWith('FAILED');
      yield { cell: at('value'), run, metric, field, as: none ? 'none' : as };
      yield { cell: at('coverage'), run, metric, field: 'coverage', as: none || field === 'coverage' ? 'none' : 'percent' };
    }
  }
}

function* tradeCells() {
  for (const table of tables('trade')) {
    const headings = headingsOf(table);
    for (const row of rowsIn(table)) yield* valuesOf(row, headings, 2, row.cells[0].textContent);
  }
}

function* attackerCells(attacker) {
  for (const table of tables('attackers')) {
    const headings = headingsOf(table);
    for (const row of rowsIn(table)) {
      if (row.cells[0].textContent === attacker) yield* valuesOf(row, headings, 2, without(row.cells[1].textContent, kOldMark));
    }
  }
}

function says(one, numbers) {
  const { cell } = one;
  const words = cell.textContent;
  const value = numbers[one.field];
  const stored = cell.dataset.value === undefined || Object.is(cell.dataset.value === '' ? null : Number(cell.dataset.value), value);
  switch (one.as) {
    case 'count':
      return stored && saysSo(words, value, true);
    case 'percent':
      return value === null ? words === '–' : /^[\d.]+ %$/.test(words) && Math.abs(parseFloat(words) - 100 * value) <= 0.0500001;
    case 'interval': {
      if (numbers.low === null || numbers.high === null) return words === '';
      const ends = words.match(/^\[(.*), (.*)\]$/);
      return ends !== null && saysSo(ends[1], numbers.low, false) && saysSo(ends[2], numbers.high, false);
    }
    case 'none':
      return words === '–';
    default:
      return stored && saysSo(words, value, false);
  }
}

// all: by "run\nmetric" what was computed again; proof: of the page's data. How many cells agree, which do not,
// and how many are of numbers that were not computed.
export function compareElsewhere(all, proof) {
  const runs = new Set(proof.runs.map((run) => run.run));
  const numbersOf = (run, metric) => {
    const numbers = all.get(`${run}\n${metric}`);
    if (!numbers) return null;
    const { n, failed, missing, notApplicable } = numbers;
    const records = n + failed + missing + (proof.metrics[metric].optional ? 0 : notApplicable);
    return { ...numbers, coverage: records === 0 ? null : n / records };
  };
  const hasValue = (run, metric) => !proof.metrics[metric] || (numbersOf(run, metric)?.value ?? null) !== null;
  const result = { agreed: 0, open: 0, wrong: [] };
  for (const [where, cells] of [
    ['gates', gateCells()], ['coverage', coverageCells()], ['criteria', criteriaCells(hasValue)],
    ['trade', tradeCells()], ['attackers', attackerCells(proof.attacker)],
  ]) {
    for (const one of cells) {
      const numbers = numbersOf(one.run, one.metric);
      if (numbers === null && runs.has(one.run)) ++result.open;
      else if (numbers !== null && one.cell && says(one, numbers)) ++result.agreed;
      else {
        one.cell?.classList.add('differs');
        result.wrong.push(`${one.metric} of ${one.run} (${where})`);
      }
    }
  }
  return result;
}
