// What scripts add to the page of a release: charts, and the proof of its numbers.

import { drawAttackers, drawCategories, drawDistances, drawTrade } from './charts.js';
import { compareElsewhere } from './elsewhere.js';
import { differences, recomputed, saysSo } from './proof.js';
import { notWhole } from './whole.js';

const data = JSON.parse(document.getElementById('data').textContent);

function draw(id, chart, what) {
  const place = document.getElementById(id);
  if (!place) return;
  try {
    chart(place, what);
  } catch (error) {
    place.textContent = 'This browser cannot draw the chart; the table below has its numbers.';
  }
}

const kCounts = [3, 4, 5]; // n, failed, missing
const valueOf = (cell) => (cell.dataset.value ? Number(cell.dataset.value) : null);
const cellsOf = (row) => [...row.querySelectorAll('td.number')];

// What a person reads in the row is what is compared: its names, and its digits.
function misread(row) {
  const [run, metric] = [row.querySelector('th'), row.querySelector('td')];
  if (run.textContent !== row.dataset.run || metric.textContent !== row.dataset.metric) return ['the names'];
  return cellsOf(row).every((cell, i) => saysSo(cell.textContent, valueOf(cell), kCounts.includes(i))) ? [] : ['what is shown'];
}

function rowsOfProof() {
  const rows = new Map();
  for (const row of document.querySelectorAll('#proof tbody tr')) {
    // A row that is there twice, or has no name, is left over at the end.
    const name = `${row.dataset.run}\n${row.dataset.metric}`;
    rows.set(rows.has(name) ? `${name}\nagain` : name, row);
  }
  return rows;
}

// "arithmetic agrees" only where every number that stands in the table was computed and is the same to the last bit,
// and where it stands elsewhere, too, to the digits that are shown; and where no part, row or gate lacks.
function* prove(proof) {
  const rows = rowsOfProof();
  const wrong = [], all = new Map();
  let agreed = 0;
  for (const { run, metric, numbers } of recomputed(proof)) {
    const row = rows.get(`${run}\n${metric}`);
    all.set(`${run}\n${metric}`, numbers);
    if (!row) {
      wrong.push(`${metric} of ${run} (no row)`);
      continue;
    }
    rows.delete(`${run}\n${metric}`);
    const differing = [...differences(numbers, cellsOf(row).map(valueOf)), ...misread(row)];
    row.classList.add(differing.length === 0 ? 'agrees' : 'differs');
    if (differing.length === 0) ++agreed;
    else wrong.push(`${metric} of ${run} (${differing.join(', ')})`);
    yield;
  }
  for (const row of rows.values()) {
    if (row.lastElementChild.textContent === 'here') wrong.push(`${row.dataset.metric} of ${row.dataset.run} (its contributions are not here)`);
  }
  const elsewhere = compareElsewhere(all, proof);
  wrong.push(...elsewhere.wrong, ...notWhole(data));
  const others = `elsewhere on this page ${elsewhere.agreed} cells show these numbers, ${elsewhere.open} others were not computed again`;
  if (wrong.length > 0) return `ARITHMETIC DOES NOT AGREE: ${wrong.join('; ')}`;
  if (rows.size > 0) return `${agreed} rows agree; ${rows.size} have no contributions on this page and were not computed again; ${others}`;
  const gates = data.gates.length === 0 ? '' : `; ${data.gates.length} gates say what their own values and limits say`;
  return `arithmetic agrees: ${agreed} rows of this table, each with its interval, computed again from single records, bit for bit; ${others}${gates}`;
}

function tell(words, state) {
  const place = document.getElementById('proof-result');
  place.textContent = words;
  place.className = state;
}

// Some at a time: the page can be read meanwhile.
function run(steps) {
  const until = performance.now() + 40;
  try {
    for (;;) {
      const { done, value } = steps.next();
      if (done) {
        performance.measure('proof', 'begin');
        tell(value, value.startsWith('arithmetic agrees') ? 'agrees' : value.startsWith('ARITHMETIC') ? 'differs' : 'open');
        return;
      }
      if (performance.now() > until) break;
    }
    setTimeout(run, 0, steps);
  } catch (error) {
    tell('The numbers could not be computed again in this browser.', 'open');
  }
}

performance.mark('begin');
draw('trade-chart', drawTrade, data.trade);
draw('distances-chart', drawDistances, data.distances);
draw('categories-chart', drawCategories, data.categories);
draw('attackers-chart', (place, cells) => drawAttackers(place, cells, 'linkage_rate'), data.attackers);
draw('intruder-chart', (place, cells) => drawAttackers(place, cells, 'persons found', 'persons found by people and by the machine'), data.intruder);
performance.measure('charts', 'begin');
if (data.proof) {
  tell('computing the numbers again ...', 'open');
  setTimeout(run, 0, prove(data.proof));
} else {
  const wrong = notWhole(data);
  tell(wrong.length > 0 ? `THE PAGE CONTRADICTS ITSELF: ${wrong.join('; ')}`
    : 'This page carries no contributions of single records: nothing was computed again.', wrong.length > 0 ? 'differs' : 'open');
}
