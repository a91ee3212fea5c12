// Charts of what a person chooses: any two numbers of runs, a metric by its parts, records by distance, attackers.

import {apiAddress} from './ask.js';
import {drawAttackers, drawCategories, drawDistances} from './charts.js';
import {element, region, spelled} from './elements.js';
import {categoryOfPart} from './leaks.js';
import {choice} from './pickers.js';
import {metricHeading, numberOfParam, paramPlain, runWords, staleColumn} from './runs.js';
import {drawScatter} from './scatter.js';
import {columnsOf, rowsFrom, sqlWord, tableOf, unionOf} from './table.js';
import {counted, digits, directionOf, intervalOf, stateOfValue, valueCell, valueWords} from './words.js';

const kKinds = [
  ['scatter', 'two numbers of each run'], ['parts', 'a metric by its parts'], ['distances', 'records by distance'],
  ['attackers', 'attackers']
];
const kMostAttackers = 12, kMostParts = 1000;

// A chart in its place; what cannot be drawn here is in the table all the same.
export function chartOf(draw, label) {
  const place = element('figure', {'class': 'chart', 'aria-label': label, 'tabindex': '0'});
  try {
    draw(place);
  } catch (error) {
    place.replaceChildren(
        element('p', {class: 'note'}, 'This browser cannot draw the chart; the table below has its numbers.'));
  }
  return place;
}

// What the program's charts draw becomes a way in: a mark is bound to what it shows.
export function openOnClick(place, open) {
  place.addEventListener('click', (event) => {
    for (let at = event.target; at && at !== place; at = at.parentNode) {
      if (at.__data__?.run !== undefined) return open(at.__data__);
    }
  });
  place.classList.add('opens');
  return place;
}

const number = (value) => typeof value === 'number';

// A parameter or a metric of a run, as a plain number or a value with its interval; null where it is none.
function sideOf(run, name) {
  if (name.startsWith('param.')) return numberOfParam(run, name.slice(6));
  const of = run.metrics[name];
  return stateOfValue(of) === 'value' ? of : null;
}

const sideWords = (page, name) =>
    (name.startsWith('param.') ? name.slice(6)
                               : `${name}${
                                     directionOf(page.metrics.get(name)?.direction).words
                                         ? `, ${directionOf(page.metrics.get(name).direction).words}`
                                         : ''}`);
const saidOf = (of) => (number(of) ? String(of) : `${digits(of.value)} ${intervalOf(of)}`);

function sideColumn(page, name) {
  if (!name.startsWith('param.'))
    return {
      name,
      title: metricHeading(name, page.metrics.get(name)?.direction),
      number: true,
      cell: (run) => valueCell(run.metrics[name], {flat: true}),
      words: (run) => valueWords(run.metrics[name]),
      measured: (run) => run.metrics[name]
    };
  return {
    name: name.slice(6),
    number: true,
    cell: (run) => String(run.params[name.slice(6)] ?? '–'),
    plain: (run) => paramPlain(run, name.slice(6))
  };
}

function scatterPart(page, answer, x, y) {
  const marks =
      answer.runs
          .map(
              (run) =>
                  ({run: spelled(run.run), name: run.run, control: run.control, x: sideOf(run, x), y: sideOf(run, y)}))
          .filter((mark) => mark.x !== null && mark.y !== null)
          .map((mark) => ({...mark, words: `${mark.run}: ${y} ${saidOf(mark.y)}, ${x} ${saidOf(mark.x)}`}));
  const open = (shown) => page.open(page.link(
      '/records', {run: marks.find((mark) => mark.run === shown).name, metric: y.startsWith('param.') ? null : y}));
  const left = answer.runs.length - marks.length;
  return [
    chartOf(
        (place) => {
          if (marks.length > 0) drawScatter(place, {x: sideWords(page, x), y: sideWords(page, y), marks}, open);
        },
        `${y} against ${x}`),
    left > 0 ? element('p', {class: 'note'}, `${counted(left)} runs have no mark: one of the two numbers is not there.`)
             : null,
    tableOf({
      name: `${y}-${x}`,
      caption: `${y} against ${x}, 95 % intervals`,
      columns: [
        {name: 'run', cell: (run) => run.run, words: runWords}, staleColumn, sideColumn(page, x), sideColumn(page, y)
      ],
      parts: [
        {rows: answer.runs.filter((run) => !run.control)},
        {title: 'controls', control: true, rows: answer.runs.filter((run) => run.control)}
      ],
      key: (run) => run.run,
      href: (run) => page.link('/records', {run: run.run}),
      sql: [x, y].every((name) => name.startsWith('param.')) ? null : answer.sql
    })
  ];
}

const asObjects = (table) =>
    table.rows.map((row) => Object.fromEntries(table.columns.map((name, i) => [name, row[i]])));

function sliceTable(page, answer, query, rows) {
  const cells = {
    value: (value, row) => valueCell(Object.fromEntries(answer.columns.map((name, i) => [name, row[i]])), {bare: true})
  };
  return tableOf({
    name: `${query.metric}-by-part`,
    caption: `${query.metric} by run and part, 95 % intervals`,
    rows,
    columns: columnsOf(answer.columns, {
               cells: {...cells, n: (n) => counted(n ?? 0)},
               numbers: ['value', 'low', 'high', 'n', 'failed', 'missing']
             }).map((column) => (['low', 'high'].includes(column.name) ? {...column, cell: undefined} : column)),
    key: (row) => `${row[0]} ${row[1]}`,
    href: ([run]) => page.link('/records', {run, metric: query.metric}),
    total: answer.total,
    sql: answer.sql,
    csv: apiAddress('slices', {...query, format: 'csv'}),
    empty: 'This metric has no parts.'
  });
}

function partsPart(page, answer, query) {
  const cells = asObjects(answer)
                    .filter((row) => row.value !== null && row.value >= 0 && row.value <= 1)
                    .map((row) => ({
                           run: spelled(row.run),
                           category: spelled(row.slice),
                           value: row.value,
                           name: row.run,
                           part: row.slice
                         }));
  const open = (cell) => page.open(page.link(
      query.metric.startsWith('leak_by') ? '/leaks' : '/records',
      query.metric.startsWith('leak_by') ? {run: cell.name, category: categoryOfPart(cell.part)}
                                         : {run: cell.name, metric: query.metric, slice: cell.part}));
  return [
    openOnClick(chartOf((place) => drawCategories(place, cells), `${query.metric} by part`), open),
    sliceTable(page, answer, query, answer.rows)
  ];
}

function distancesPart(page, answer, query) {
  const of = new Map();
  for (const row of asObjects(answer)) {
    const bin = /^bin:(\d)$/.exec(row.slice);
    if (!bin) continue;
    if (!of.has(row.run)) {
      of.set(row.run, {run: spelled(row.run), name: row.run, bins: Array(10).fill(0), failed: 0, missing: 0});
    }
    const one = of.get(row.run);
    one.bins[Number(bin[1])] = row.value ?? 0;
    one.failed += row.failed ?? 0;
    one.missing += row.missing ?? 0;
  }
  const names = Array.from({length: 10}, (none, i) => `${i / 10}–${(i + 1) / 10}`);
  const open = (bar) => page.open(page.link(
      '/records', {run: [...of.values()].find((one) => one.run === bar.run).name, metric: 'semantic_distance'}));
  return [
    openOnClick(chartOf((place) => drawDistances(place, [...of.values()]), 'records by semantic_distance'), open),
    tableOf({
      name: 'distances',
      caption: 'Records by semantic_distance: 0 where all is learned, and where the text failed or is missing',
      rows: [...of.values()],
      key: (row) => row.name,
      href: (row) => page.link('/records', {run: row.name, metric: 'semantic_distance'}),
      columns: [
        {name: 'run', cell: (row) => row.name},
        ...names.map(
            (name, i) => ({name, number: true, cell: (row) => counted(row.bins[i]), plain: (row) => row.bins[i]})),
        ...['failed', 'missing'].map((name) => ({
                                       name: `of which ${name}`,
                                       number: true,
                                       means: 'they count as if everything had leaked, so they stand at 0, too',
                                       cell: (row) => (row[name] > 0 ? element('span', {class: 'lost'}, counted(row[name])) : '0'),
                                       plain: (row) => row[name]
                                     }))
      ],
      sql: rowsFrom(
          answer.sql,
          [
            'run', ...names.map((name, i) => `max(value) FILTER (WHERE slice = 'bin:${i}') AS "${name}"`),
            'sum(failed) AS "of which failed"', 'sum(missing) AS "of which missing"'
          ].join(', '),
          "WHERE slice LIKE 'bin:_' GROUP BY run ORDER BY run"),
      empty: 'Nothing is evaluated of this.'
    })
  ];
}

// Rows: attackers; columns: runs.
function attackersPart(page, {cells, of: all}, metric) {
  const shown = cells.filter((cell) => stateOfValue(cell.of) === 'value')
                    .map((cell) => ({...cell, run: spelled(cell.run), name: cell.run}));
  const lensOf = ({protocol, judge, sample}) => ({protocol, judge, sample});
  const addressOfCell = (cell, run) => page.link('/records', {run, metric, ...lensOf(cell)});
  const runs = [...new Set(cells.map((cell) => cell.run))];
  const rows = [...new Set(cells.map((cell) => cell.attacker))].map(
      (attacker) => cells.filter((cell) => cell.attacker === attacker));
  const at = (row, run) => row.find((cell) => cell.run === run)?.of;
  const column = (run) => ({
    name: run,
    number: true,
    words: (row) => valueWords(at(row, run)),
    measured: (row) => at(row, run),
    cell: (row) =>
        element('a', {class: 'cell-link', href: addressOfCell(row[0], run)}, valueCell(at(row, run), {bare: true}))
  });
  const chart = chartOf((place) => drawAttackers(place, shown), `${metric} by attacker`);
  return [
    openOnClick(chart, (cell) => page.open(addressOfCell(cell, cell.name))), tableOf({
      name: 'attackers',
      caption: `${metric} by attacker and run, with 95 % intervals`,
      rows,
      total: all,
      sql: cells.length === 0 ? null : rowsFrom(
          unionOf(new Set(cells.map((cell) => cell.sql))), '*', `WHERE run IN (${runs.map(sqlWord).join(', ')})`),
      key: (row) => row[0].attacker,
      href: (row) => page.link('/runs', {...lensOf(row[0]), seeds: 1}),
      columns: [{name: 'attacker', cell: (row) => row[0].attacker}, ...runs.map(column)]
    })
  ];
}

// Every attacker that the chosen judge rated.
export async function attackersOf(page, metric) {
  const {judge: chosen} = page.query;
  const lenses = page.lenses.filter((lens) => !chosen || lens.judge === chosen);
  const seen = new Map(lenses.map((lens) => [`${lens.protocol} ${lens.sample}`, lens]));
  const answers = await Promise.all([...seen.values()].slice(0, kMostAttackers).map((lens) => page.ask('runs', {
    dataset: page.query.dataset,
    protocol: lens.protocol,
    judge: lens.judge,
    sample: lens.sample,
    seeds: 1,
    columns: metric
  })));
  const nameOf = ({protocol, sample}) => (sample ? `${protocol}, sample of ${sample}` : protocol);
  const cells = answers.flatMap(
      ({runs, protocol, judge, sample, sql}) =>
          runs.filter((run) => !run.control)
              .map((run) => ({
                     attacker: nameOf({protocol, sample}),
                     sql,
                     protocol,
                     judge,
                     sample,
                     run: run.run,
                     of: run.stale && run.metrics[metric] ? {...run.metrics[metric], stale: true} : run.metrics[metric]
                   })));
  return {cells, of: seen.size};
}

const firstOf = (page, names) => names.find((name) => page.metrics.has(name)) ?? [...page.metrics.keys()][0];

export const plot = {
  path: '/plot',
  name: 'Plot',
  open(place, page) {
    const kind = choice('draw', (name) => page.set({kind: name}));
    const y = choice('up', (name) => page.set({y: name})), x = choice('across', (name) => page.set({x: name}));
    const metric = choice('metric', (name) => page.set({metric: name}));
    const draws = {
      scatter: (answer, query) => scatterPart(page, answer, query.x, query.y),
      parts: (answer, query) => partsPart(page, answer, query),
      distances: (answer, query) => distancesPart(page, answer, query),
      attackers: (cells, query) => attackersPart(page, cells, query.metric),
    };
    const body = region((what, answer, query) => draws[what](answer, query));
    place.append(
        element('h1', {}, 'Plot'), element('div', {class: 'controls-row'}, kind.place, y.place, x.place, metric.place),
        body.place);
    return async () => {
      const what = draws[page.query.kind] ? page.query.kind : 'scatter';
      kind.set(kKinds, what);
      for (const one of [x, y]) one.place.hidden = what !== 'scatter';
      const names = [...page.metrics.keys()].map((name) => [name, name]);
      if (what === 'scatter') {
        const chosen = {
          x: page.query.x ?? firstOf(page, ['rougeL_f', 'token_f1']),
          y: page.query.y ?? firstOf(page, ['semantic_distance', 'leak_rate'])
        };
        const answer = await page.ask(
            'runs',
            page.asked(['seeds'], {columns: [chosen.x, chosen.y].filter((name) => !name.startsWith('param.')).join(',')}));
        const params = [
          ...new Set(
              answer.runs.flatMap((run) => Object.keys(run.params).filter((name) => numberOfParam(run, name) !== null)))
        ].map((name) => [`param.${name}`, `parameter ${name}`]);
        x.set([...params, ...names], chosen.x);
        y.set([...names, ...params], chosen.y);
        body.show(what, answer, chosen);
        page.title(`${chosen.y} against ${chosen.x}`);
      } else if (what === 'attackers') {
        const of = page.query.metric ?? firstOf(page, ['linkage_rate']);
        metric.set(names, of);
        body.show(what, await attackersOf(page, of), {metric: of});
        page.title(`${of} by attacker`);
      } else {
        const of =
            what === 'distances' ? 'distance_histogram' : page.query.metric ?? firstOf(page, ['leak_by_category']);
        metric.set(names, of);
        const query = page.asked([], {metric: of, limit: kMostParts});
        body.show(what, await page.ask('slices', query), query);
        page.title(what === 'distances' ? 'Records by distance' : `${of} by part`);
      }
      metric.place.hidden = what === 'scatter' || what === 'distances';
    };
  },
};
