// Is all there that a page must have, and does each gate say what its own value and limit say? No number is computed
// here: rows are compared with the data of the page, and these with what was asked for.
//
//   parts, rows ── data ──> what lacks or differs;   gates ── request x runs, value, limit, coverage ──> what differs

import { headingsOf, kOldMark, rowsIn, tables, without } from './elsewhere.js';
import { saysSo } from './proof.js';

// Each has its own heading; a page without one of them is not whole, and a part more is none of ours.
const kParts = [
  ['identity', 'What this is about'], ['not-tested', 'What was not tested'], ['coverage', 'Coverage'],
  ['gates', 'Gates'], ['criteria', 'Singling out, linkability, inference'], ['trade', 'Privacy against usefulness'],
  ['distances', 'How much is learned of each record'], ['categories', 'What leaks, by what it is about'],
  ['attackers', 'Other attackers'], ['intruder', 'People who looked for somebody'], ['worst', 'The records of which most is learned'],
  ['judge', 'The judge, and what it is worth'], ['proof', 'The numbers, and their proof'],
  ['commands', 'To make it again'], ['verdict', 'Verdict, by a person'],
];
const kSame = 2 ** -31; // values that are this near may be the same
const kCondition = /(<=|>=|==|!=|<|>)\s*([^\s<>=!]+)\s*$/;
const kExact = /\.(n|failed|missing|p)\s*$/, kExempt = /\.(n|failed|missing|coverage)\s*$/, kCounted = /\.(n|failed|missing)\s*$/;

// Control characters and those that turn the order of letters stand on the page spelled.
const asShown = (cell, words) => cell !== undefined && (cell.textContent === words || /[\p{C}\u2028\u2029]/u.test(words));
const exactOf = (cell) => (cell.dataset.value ? Number(cell.dataset.value) : null);
const wordsOf = (rows, place = 0) => rows.map((row) => without(row.cells[place].textContent, kOldMark));
const sameList = (a, b) => a.length === b.length && a.every((one, i) => one === b[i]);

function isMet(op, value, limit, exact) {
  const same = exact ? value === limit : Math.abs(value - limit) <= kSame;
  if (op === '==' || op === '!=') return same === (op === '==');
  if (same) return op === '<=' || op === '>=';
  return op.startsWith('<') ? value < limit : value > limit;
}

function* partsThatLack() {
  const body = [...document.body.children].map((element) => element.tagName).filter((name) => name !== 'SCRIPT');
  if (!sameList(body, ['HEADER', 'MAIN'])) yield 'something stands beside the parts of the page';
  const sections = [...document.querySelectorAll('main > *')];
  const known = sections.map((section) => kParts.find(([id]) => id === section.id));
  for (const [id, title] of kParts) {
    const all = document.querySelectorAll(`#${id}`);
    if (all.length !== 1 || all[0].tagName !== 'SECTION') yield `the part "${title}" lacks, or is there twice`;
    else if (all[0].firstElementChild?.textContent !== title) yield `the heading "${title}"`;
  }
  if (known.includes(undefined)) yield 'a part that the page does not have';
  const headings = document.querySelectorAll('h1, h2').length;
  if (headings !== kParts.length + 1) yield 'a heading more or less';
}

// The rows of gates that must be there: each that was asked for, against each run.
function* rowsThatLack({ gates, request, trade }) {
  const held = request.protocol.match(/[[,]runs=([^,\]]+)/)?.[1].split('+');
  const runs = trade.runs.filter((run) => !run.control).map((run) => run.run);
  let next = 0;
  const isNext = (gate, run) => next < gates.length && request.gates[gates[next][0]] === gate && gates[next][1] === run;
  for (const gate of request.gates) {
    const before = next;
    const baseline = gate.match(/^\s*delta\(.*,([^,]*)\)/)?.[1].trim();
    for (const run of runs) {
      if (run === baseline) continue;
      if (isNext(gate, run)) {
        ++next;
        // A gate on answers has a row for each model.
        while (gates[next - 1][2] === '' && isNext(gate, run)) ++next;
      } else if (!held || held.includes(run)) yield `gate ${gate} of ${run}: not held (gates)`;
    }
    // A gate that could be held against nothing has failed.
    if (next === before && runs.length > 0 && isNext(gate, runs[0])) ++next;
  }
  if (next < gates.length) yield 'a gate that nobody asked for (gates)';
}

// What in the cells of a gate is not what the data say, or not what its own number says.
function* wrongInGate(at, [place, run, attacker, value, coverage, failed, uncovered, reason], request) {
  const gate = request.gates[place] ?? '';
  const [, op, typed] = gate.match(kCondition) ?? [];
  if (op === undefined) {
    yield 'nobody asked for it';
    return;
  }
  const left = gate.replace(kCondition, ''), limit = Number(typed);
  const metric = left.match(/\w+/)?.[0] === 'delta' ? left.match(/delta\(\s*(\w+)/)?.[1] : left.match(/\w+/)?.[0];
  const own = request.coverages.map((words) => words.split('=')).findLast(([name]) => name === metric);
  const least = Number(own ? own[1] : request.min_coverage), exempt = kExempt.test(left);
  if (!asShown(at('gate'), gate) || !asShown(at('run'), run) || !asShown(at('attacker'), attacker)) yield 'the names';
  if (exactOf(at('value')) !== value || !saysSo(at('value').textContent, value, kCounted.test(left))) yield 'the value';
  if (exactOf(at('limit')) !== limit || Number(at('limit').textContent) !== limit) yield 'the limit';
  const percents = (cell, share) => (share === null ? cell.textContent === '–'
    : / %$/.test(cell.textContent) && Math.abs(parseFloat(cell.textContent) - 100 * share) <= 0.0500001);
  if (!percents(at('coverage'), coverage)) yield 'the coverage';
  if (!percents(at('least coverage'), exempt ? null : least)) yield 'the least coverage';
  const why = reason && (uncovered ? ` (${reason})` : `. ${reason}`);
  const words = failed ? `${uncovered ? 'FAILED: too few records' : 'FAILED'}${why}` : 'passed';
  if (!asShown(at('result'), words) || at('result').parentElement.className.split(' ')[0] !== (failed ? 'failed' : 'passed')) yield 'the result';
  const met = value !== null && isMet(op, value, limit, kExact.test(left));
  const few = !exempt && (coverage ?? 1) < least;
  if ((value === null || met || few) && !failed) yield 'its number and its limit say FAILED';
  // Else it fails only where something speaks against all such numbers.
  if (value !== null && !met && failed && !uncovered) yield 'its number and its limit say passed';
}

function* wrongGates(data) {
  const { gates, request } = data;
  yield* rowsThatLack(data);
  const rows = tables('gates').flatMap(rowsIn);
  if (rows.length !== gates.length) yield `${rows.length} rows, not ${gates.length} (gates)`;
  const headings = tables('gates').length > 0 ? headingsOf(tables('gates')[0]) : [];
  for (let i = 0; i < Math.min(rows.length, gates.length); ++i) {
    const all = [...wrongInGate((heading) => rows[i].cells[headings.indexOf(heading)], gates[i], request)];
    if (all.length === 0) continue;
    rows[i].classList.add('differs');
    yield `gate ${request.gates[gates[i][0]] ?? ''} of ${gates[i][1]}: ${all.join(', ')} (gates)`;
  }
}

// What a person reads of a digest is its beginning; of a control nothing.
const isDigest = (cell, digest) => cell?.title === digest && ['–', digest.slice(0, 16)].includes(cell.textContent);

const isCounts = (cells, counts) => cells.length === counts.length
  && cells.every((cell, i) => exactOf(cell) === counts[i] && saysSo(cell.textContent, counts[i], true));

function* wrongRows({ request, trade, distances, attackers }) {
  const runs = request.runs.map(([run]) => run);
  const rowsOf = (id) => tables(id).flatMap(rowsIn);
  const of = document.querySelectorAll('#identity table')[1];
  if (!of || !sameList(wordsOf(rowsIn(of)), runs)) yield 'rows of the runs';
  else if (!rowsIn(of).every((row, i) => isDigest(row.querySelector('.digest'), request.runs[i][1]))) yield 'digests of the runs';
  for (const id of ['coverage', 'trade']) if (!sameList(wordsOf(rowsOf(id)), runs)) yield `rows (${id})`;
  if (!sameList(trade.runs.map((run) => run.run), runs)) yield 'runs (data)';
  const headings = [...document.querySelectorAll('#criteria h3')].map((heading) => without(heading.textContent, kOldMark));
  if (!sameList(headings, runs)) yield 'runs (criteria)';
  for (const heading of document.querySelectorAll('#criteria h3')) {
    const behind = heading.nextElementSibling;
    if (!behind?.querySelector('tbody tr') && !behind?.classList.contains('warning')) yield `rows of ${heading.textContent} (criteria)`;
  }
  if (!sameList(wordsOf(rowsOf('distances')), distances.map((one) => one.run))) yield 'rows (distances)';
  rowsOf('distances').forEach((row, i) => row.classList.toggle('differs', !isCounts([...row.querySelectorAll('td')], distances[i]?.bins ?? [])));
  if (rowsOf('distances').some((row) => row.classList.contains('differs'))) yield 'numbers (distances)';
  const found = rowsOf('attackers').filter((row) => saysSo(row.cells[2].textContent, exactOf(row.cells[2]), false))
    .map((row) => [row.cells[0].textContent, without(row.cells[1].textContent, kOldMark), exactOf(row.cells[2])]);
  for (const { attacker, run, of: { value } } of attackers) {
    if (!found.some((one) => sameList(one, [attacker, run, value]))) yield `${attacker} of ${run} (attackers)`;
  }
}

// Empty for a page that is whole. Throws for data that are none of ours.
export function notWhole(data) {
  return [...partsThatLack(), ...wrongGates(data), ...wrongRows(data)];
}
