// Where one begins: may it be released, what leaks most, whose record is worst.

import {element, notesRegion, region} from './elements.js';
import {categoryOfPart} from './leaks.js';
import {box, choice, firstEvaluated, runChoices} from './pickers.js';
import {firstMetric, worstFirst} from './records.js';
import {metricColumn, runWords, staleColumn} from './runs.js';
import {firstRows, rowsFrom, sqlWord, tableOf} from './table.js';
import {
  behindOf, counted, digits, intervalOf, lostWords, outcomeMark, several, stateMark, stateOfValue, valueCell, valueWords
} from './words.js';

const kThreshold = '0.09', kWorst = 10, kLookedAt = 1000;  // records: shown, and asked for to see who is alike
const kRisks = ['mean_risk', 'max_risk'];

// The threshold that somebody typed, with a comma, too; null: it is none.
export function thresholdOf(words) {
  const typed = String(words).trim().replace(/^(\d*),(\d+)$/, '$1.$2');
  const value = /^\d*\.?\d+(e-?\d+)?$/i.test(typed) ? Number(typed) : NaN;
  return value > 0 && value <= 1 ? value : null;
}

// A risk beside the threshold: what the interval says as well. Never a verdict.
export function besideThreshold(of, threshold, stale = false) {
  if (stale && of) return {words: 'withheld: stale', state: 'none'};
  if (stateOfValue(of) !== 'value') return {words: stateOfValue(of), state: 'none'};
  if (of.value > threshold)
    return {words: of.low !== null && of.low > threshold ? 'above' : 'above; interval reaches below', state: 'worse'};
  return of.high !== null && of.high > threshold ? {words: 'not above; interval reaches above', state: 'other'}
                                                 : {words: 'not above', state: 'better'};
}

const nameOfOne = (run, stale) =>
    (stale ? element('span', {}, run, ' ', element('small', {class: 'lost'}, 'stale')) : run);

function riskColumns(page, threshold) {
  const risks = kRisks.filter((name) => page.metrics.has(name));
  return [
    {name: 'run', cell: (run) => nameOfOne(run.run, run.stale), plain: (run) => run.run, words: runWords},
    staleColumn,
    ...risks.flatMap(
        (name) =>
            [{
              ...metricColumn(page, name),
              sort: undefined,
              cell: (run) => valueCell(run.metrics[name], {flat: true, threshold})
            },
             {
               name: `${name} at ${threshold}`,
               title: `at ${threshold}`,
               plain: (run) => besideThreshold(run.metrics[name], threshold, run.stale).words,
               cell: (run) => {
                 const said = besideThreshold(run.metrics[name], threshold, run.stale);
                 return element('span', {class: `verdict verdict-${said.state}`}, said.words);
               }
             }])
  ];
}

function releasePart(page, answer, threshold) {
  if (threshold === null)
    return [element(
        'p', {class: 'problem-words', role: 'alert'},
        `That is no threshold: a share above 0 and up to 1, like ${kThreshold} for nine in a hundred.`)];
  return [
    element(
        'p', {class: 'note'},
        `mean_risk and max_risk are how often an attacker is right who names a person, on average and at worst: given an attacker who knows what ${
            answer.protocols ?? answer.protocol} knows. Another one may do better. A person decides; these numbers support it.`),
    tableOf({
      name: 'risk',
      caption: `Risk of each run beside ${threshold}`,
      columns: riskColumns(page, threshold),
      parts: [
        {rows: answer.runs.filter((run) => !run.control)},
        {title: 'controls', control: true, rows: answer.runs.filter((run) => run.control)}
      ],
      key: (run) => run.run,
      href: (run) => page.link('/records', {run: run.run, metric: 'mean_risk'}),
      sql: answer.sql,
      empty: 'Nothing of this dataset was evaluated: residue eval does it.'
    })
  ];
}

// Where numbers are means over seeds, what is of one record or category is of the first seed.
const ofFirstSeed = (seeds) => (seeds > 1 ? [element('p', {class: 'note'}, 'Of the first seed alone.')] : []);

// Rows: categories; columns: runs; the darker, the more leaks. In each row the run that leaks most stands out.
function leaksPart(page, slices, controls, stale, seeds) {
  const at = Object.fromEntries(slices.columns.map((name, i) => [name, i]));
  const cells = slices.rows.filter((row) => !controls.includes(row[at.run]))
                    .map((row) => Object.fromEntries(slices.columns.map((name, i) => [name, row[i]])));
  const names = [...new Set(cells.map((cell) => cell.slice))], runs = [...new Set(cells.map((cell) => cell.run))];
  const cellOf = (name, run) => cells.find((cell) => cell.slice === name && cell.run === run);
  const saidOfOne = (name, run) => {
    const cell = cellOf(name, run);
    return cell && stale.includes(run) ? {...cell, stale: true} : cell;
  };
  const rows = names.map((name) => {
    const values = runs.map((run) => cellOf(name, run)?.value ?? null);
    const most = Math.max(0, ...values);
    return {
      name,
      known: values.some((value) => value !== null),
      worst: most === 0 ? [] : runs.filter((run, i) => values[i] === most)
    };
  });
  const column = (run) => ({
    name: run,
    title: nameOfOne(run, stale.includes(run)),
    number: true,
    kind: 'heat-cell',
    words: (row) => valueWords(saidOfOne(row.name, run)),
    measured: (row) => saidOfOne(row.name, run),
    cell: (row) => {
      const cell = cellOf(row.name, run);
      if (stateOfValue(cell) !== 'value') return stateMark(stateOfValue(cell));
      const lost = lostWords(cell);
      const link = element(
          'a', {
            class: row.worst.includes(run) ? 'cell-link most' : 'cell-link',
            href: page.link('/leaks', {run, category: categoryOfPart(row.name)}),
            title: [
              stale.includes(run) && 'stale', behindOf(cell), lost && 'these count as if everything had leaked'
            ].filter(Boolean).join('; ')
          },
          digits(cell.value), element('small', {}, intervalOf(cell)),
          lost ? element('small', {class: 'lost'}, lost) : null);
      link.style.setProperty('--heat', `${Math.round(100 * Math.min(1, Math.max(0, cell.value)))}%`);
      return link;
    }
  });
  const worstCell = (row) => (row.worst.length === 0 ? element('span', {class: 'soft'}, row.known ? 'no leak' : '–')
      : row.worst.length > 2 ? element('span', {title: row.worst.join(', ')}, `${row.worst.length} runs alike`)
                             : row.worst.join(', '));
  return [
    ...ofFirstSeed(seeds), tableOf({
      name: 'leaks-by-category',
      caption:
          'Share of claims that leak, by what they are about: the darker, the more; bold: the run that leaks most. A number leads to its claims.',
      columns: [
        {name: 'about', cell: (row) => row.name}, ...runs.map(column),
        {name: 'most in', cell: worstCell, plain: (row) => row.worst.join(', ')}
      ],
      rows,
      key: (row) => row.name,
      href: (row) => page.link('/leaks', {run: row.worst[0] ?? runs[0], category: categoryOfPart(row.name)}),
      sql: rowsFrom(slices.sql, '*', `WHERE run IN (${runs.map(sqlWord).join(', ')}) ORDER BY run, slice`),
      empty: 'Nobody said what the claims are about: residue categorize does.'
    }),
    element('p', {}, element('a', {href: page.link('/plot', {kind: 'parts'})}, 'the same as a chart'))
  ];
}

// What the list of the worst does not show: who has the same value as the last of it, and who failed, which counts as
// leaked in full and has no value.
function besideWorst(page, answer, run, metric, at) {
  const valueOf = (row) => (row[at.state] === 'value' ? row[at.value] : null);
  const last = valueOf(answer.rows[Math.min(kWorst, answer.rows.length) - 1] ?? []);
  const alike = answer.rows.slice(kWorst).filter((row) => last !== null && valueOf(row) === last).length;
  const all = alike === answer.rows.length - kWorst && answer.rows.length < answer.total;
  const lost = ['failed', 'missing']
                   .map((state) => [state, answer.facets?.state?.find(([name]) => name === state)?.[1] ?? 0])
                   .filter(([, count]) => count > 0);
  return [
    alike === 0 ? null : element(
        'p', {class: 'note'},
        `${all ? 'At least' : 'And'} ${counted(alike)} more ${alike === 1 ? 'has' : 'have'} the same value, ${
            digits(last)}.`),
    ...lost.map(([state, count]) => element(
        'p', {class: 'note'}, element('a', {href: page.link('/records', {run, metric, state})},
        `${counted(count)} ${state} ${count === 1 ? 'record counts' : 'records count'} as leaked in full`),
        ': no value is worse.'))
  ];
}

function worstPart(page, answer, run, metric, seeds) {
  const at = Object.fromEntries(answer.columns.map((name, i) => [name, i]));
  return [
    ...ofFirstSeed(seeds), tableOf({
      name: `worst-${run}`,
      caption: `The worst records of ${run} by ${metric}; a row leads to its words`,
      rows: answer.rows.slice(0, kWorst),
      key: (row) => row[at.record],
      total: answer.total,
      sql: firstRows(answer.sql, kWorst),
      href: (row) => page.link('/record', {record: row[at.record], run}),
      columns: [
        {name: 'record', cell: (row) => row[at.record]}, {
          name: metric,
          number: true,
          plain: (row) => row[at.value] ?? row[at.state],
          cell: (row) => (row[at.state] === 'value' ? digits(row[at.value]) : stateMark(row[at.state]))
        },
        {name: 'attack', plain: (row) => row[at.outcome], cell: (row) => outcomeMark(row[at.outcome])}
      ]
    }),
    ...besideWorst(page, answer, run, metric, at),
    element(
        'p', {},
        element('a', {href: page.link('/records', {run, metric})}, `all ${several(answer.total, 'record')} of ${run}`))
  ];
}

export const overview = {
  path: '/',
  name: 'Overview',
  open(place, page) {
    const threshold =
        box('threshold', (words) => page.set({at: words || null}), {inputmode: 'decimal', class: 'short'});
    const title = element('h1', {}, 'Overview'), lead = element('p', {class: 'summary'});
    const risk = region((answer, at) => releasePart(page, answer, at));
    const parts = region((slices, controls, stale, seeds) => leaksPart(page, slices, controls, stale, seeds));
    const worst = region((answer, run, metric, seeds) => worstPart(page, answer, run, metric, seeds));
    const doubts = notesRegion();
    const whose = choice('of run', (name) => page.set({run: name}));
    place.append(
        title, lead, doubts.place, element('h2', {}, 'May it be released?'), element('div', {class: 'controls-row'}, threshold.place),
        risk.place, element('h2', {}, 'Which run leaks most, about what?'), parts.place,
        element('h2', {}, 'Whose record is worst?'), element('div', {class: 'controls-row'}, whose.place), worst.place);
    return async () => {
      const metric = firstMetric(page.metrics);
      const at = page.query.at ?? kThreshold;
      threshold.set(at);
      const [answer, slices] = await Promise.all([
        page.ask('runs', page.asked(['seeds'], {columns: kRisks.filter((name) => page.metrics.has(name)).join(',')})),
        page.ask('slices', page.asked([], {metric: 'leak_by_category', limit: 1000}))
      ]);
      const real = answer.runs.filter((run) => !run.control);
      const records = page.store.datasets.find((one) => one.dataset === answer.dataset)?.records ?? 0;
      title.textContent = '';
      title.append(element('span', {}, answer.dataset));
      lead.textContent = '';
      lead.append(
          element(
              'span', {},
              `${several(records, 'record')}, ${several(real.length, 'run')} and ${
                  several(answer.runs.length - real.length, 'control')}.`),
          ' ', element('a', {href: page.link('/runs')}, 'All numbers of all runs'));
      risk.show(answer, thresholdOf(at));
      const namesOf = (those) => answer.runs.filter(those).map((run) => run.run);
      parts.show(slices, namesOf((run) => run.control), namesOf((run) => run.stale), answer.seeds);
      const run = page.query.run ?? firstEvaluated(answer.runs)?.run;
      whose.set(runChoices(answer.runs), run);
      page.title('Overview');
      if (run && metric) {
        const desc = worstFirst(page.metrics.get(metric)?.direction);
        const query = {run, metric, sort: 'value', desc, limit: kLookedAt};
        worst.show(await page.ask('records', page.asked([], query)), run, metric, answer.seeds);
      }
      doubts.show((await page.ask('notes', page.asked(['seeds']))).notes);
    };
  },
};
