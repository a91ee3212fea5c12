// Where one begins: may it be released, what leaks most, whose record is worst.

import { drawCategories } from './charts.js';
import { element, region, spelled } from './elements.js';
import { box } from './pickers.js';
import { chartOf, openOnClick } from './plot.js';
import { firstMetric, worstFirst } from './records.js';
import { metricColumn } from './runs.js';
import { tableOf } from './table.js';
import { counted, digits, intervalOf, outcomeMark, stateMark, stateOfValue } from './words.js';

const kThreshold = '0.09', kWorst = 8;
const kRisks = ['mean_risk', 'max_risk'];

// A risk beside the threshold: what the interval says as well. Never a verdict.
export function besideThreshold(of, threshold) {
  if (stateOfValue(of) !== 'value') return { words: stateOfValue(of), state: 'none' };
  if (of.value > threshold) return { words: of.low !== null && of.low > threshold ? 'above' : 'above; the interval reaches below', state: 'worse' };
  return of.high !== null && of.high > threshold ? { words: 'not above, but the interval reaches above', state: 'other' } : { words: 'not above, nor is the interval', state: 'better' };
}

function riskColumns(page, threshold) {
  const risks = kRisks.filter((name) => page.metrics.has(name));
  return [{ name: 'run', cell: (run) => run.run }, ...risks.flatMap((name) => [{ ...metricColumn(page, name), sort: undefined },
    { name: `${name} at ${threshold}`, title: `at ${threshold}`, plain: (run) => besideThreshold(run.metrics[name], threshold).words,
      cell: (run) => { const said = besideThreshold(run.metrics[name], threshold); return element('span', { class: `verdict verdict-${said.state}` }, said.words); } }])];
}

function releasePart(page, answer, threshold) {
  return [
    element('p', { class: 'note' }, `mean_risk and max_risk are how often an attacker is right who names a person, on average and at worst: given an attacker who knows what ${answer.protocol} knows. Another one may do better. A person decides; these numbers support it.`),
    tableOf({ name: 'risk', caption: `Risk of each run beside ${threshold}`, columns: riskColumns(page, threshold),
      parts: [{ rows: answer.runs.filter((run) => !run.control) }, { title: 'controls', control: true, rows: answer.runs.filter((run) => run.control) }],
      key: (run) => run.run, href: (run) => page.link('/records', { run: run.run, metric: 'mean_risk' }), sql: answer.sql, empty: 'Nothing of this dataset was evaluated: residue eval does it.' })];
}

// Rows: categories; columns: runs. In each row the run that leaks most stands out.
function leaksPart(page, slices, controls) {
  const at = Object.fromEntries(slices.columns.map((name, i) => [name, i]));
  const cells = slices.rows.filter((row) => !controls.includes(row[at.run])).map((row) => Object.fromEntries(slices.columns.map((name, i) => [name, row[i]])));
  const names = [...new Set(cells.map((cell) => cell.slice))], runs = [...new Set(cells.map((cell) => cell.run))];
  const cellOf = (name, run) => cells.find((cell) => cell.slice === name && cell.run === run);
  const rows = names.map((name) => {
    const values = runs.map((run) => cellOf(name, run)?.value ?? null);
    const most = Math.max(...values.filter((value) => value !== null));
    return { name, worst: runs.filter((run, i) => values[i] === most && values[i] !== null) };
  });
  const column = (run) => ({ name: run, number: true, plain: (row) => cellOf(row.name, run)?.value ?? '', cell: (row) => {
    const cell = cellOf(row.name, run);
    if (stateOfValue(cell) !== 'value') return stateMark(stateOfValue(cell));
    const worst = row.worst.includes(run);
    const link = element('a', { class: worst ? 'cell-link most' : 'cell-link', href: page.link('/leaks', { run, category: row.name }), title: `${digits(cell.value)} ${intervalOf(cell)}, n ${cell.n}, failed ${cell.failed}, missing ${cell.missing}` },
      digits(cell.value), element('small', {}, intervalOf(cell)));
    return link;
  } });
  const open = (cell) => page.open(page.link('/leaks', { run: cell.name, category: cell.part }));
  const drawn = cells.filter((cell) => cell.value !== null).map((cell) => ({ run: spelled(cell.run), category: spelled(cell.slice), value: cell.value, name: cell.run, part: cell.slice }));
  return [openOnClick(chartOf((place) => drawCategories(place, drawn), 'leak rate by category and run'), open),
    tableOf({ name: 'leaks-by-category', caption: 'Share of claims that leak, by what they are about; marked: the run that leaks most',
      columns: [{ name: 'about', cell: (row) => row.name }, { name: 'leaks most in', cell: (row) => row.worst.join(', '), plain: (row) => row.worst.join(', ') }, ...runs.map(column)], rows, key: (row) => row.name,
      href: (row) => page.link('/leaks', { run: row.worst[0], category: row.name }), sql: slices.sql, empty: 'Nobody said what the claims are about: residue categorize does.' })];
}

function worstPart(page, answer, run, metric) {
  const at = Object.fromEntries(answer.columns.map((name, i) => [name, i]));
  return [tableOf({ name: `worst-${run}`, caption: `The worst records of ${run} by ${metric}`, rows: answer.rows, key: (row) => row[at.record], total: answer.total, sql: answer.sql,
    href: (row) => page.link('/record', { record: row[at.record], run }), columns: [{ name: 'record', cell: (row) => row[at.record] },
      { name: metric, number: true, plain: (row) => row[at.value] ?? row[at.state], cell: (row) => (row[at.state] === 'value' ? digits(row[at.value]) : stateMark(row[at.state])) },
      { name: 'attack', plain: (row) => row[at.outcome], cell: (row) => outcomeMark(row[at.outcome]) }] }),
    element('p', {}, element('a', { href: page.link('/records', { run, metric }) }, `all ${counted(answer.total)} records of ${run}`))];
}

export const overview = {
  path: '/',
  name: 'Overview',
  open(place, page) {
    const threshold = box('threshold', (words) => page.set({ at: words || null }), { inputmode: 'decimal', class: 'short' });
    const title = element('h1', {}, 'Overview'), lead = element('p', { class: 'summary' });
    const risk = region((answer, at) => releasePart(page, answer, at));
    const parts = region((slices, controls) => leaksPart(page, slices, controls));
    const worst = region((answers, metric) => answers.flatMap(({ run, answer }) => worstPart(page, answer, run, metric)), { class: 'region thirds' });
    place.append(title, lead, element('h2', {}, 'May it be released?'), element('div', { class: 'controls-row' }, threshold.place), risk.place,
      element('h2', {}, 'Which run leaks most, about what?'), parts.place, element('h2', {}, 'Whose record is worst?'), worst.place);
    return async () => {
      const metric = firstMetric(page.metrics);
      const at = page.query.at ?? kThreshold;
      threshold.set(at);
      const [answer, slices] = await Promise.all([page.ask('runs', page.asked([], { columns: kRisks.filter((name) => page.metrics.has(name)).join(',') })),
        page.ask('slices', page.asked([], { metric: 'leak_by_category' }))]);
      const real = answer.runs.filter((run) => !run.control);
      const records = page.store.datasets.find((one) => one.dataset === answer.dataset)?.records ?? 0;
      title.textContent = '';
      title.append(element('span', {}, answer.dataset));
      lead.textContent = '';
      lead.append(element('span', {}, `${counted(records)} records, ${counted(real.length)} runs and ${counted(answer.runs.length - real.length)} controls.`), ' ',
        element('a', { href: page.link('/runs') }, 'All numbers of all runs'));
      risk.show(answer, Number.isFinite(Number(at)) ? Number(at) : Number(kThreshold));
      parts.show(slices, answer.runs.filter((run) => run.control).map((run) => run.run));
      const shown = real.slice(0, 3);
      const query = { metric, sort: 'value', desc: worstFirst(page.metrics.get(metric)?.direction), limit: kWorst };
      worst.show(await Promise.all(shown.map(async ({ run }) => ({ run, answer: await page.ask('records', page.asked([], { ...query, run })) }))), metric);
      page.title(answer.dataset);
    };
  },
};

