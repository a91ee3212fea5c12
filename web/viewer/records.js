// The records of a run by what each adds to a metric, the worst first.

import {apiAddress, post} from './ask.js';
import {element, region} from './elements.js';
import {choice, facetsOf, firstEvaluated, metricChoices, runChoices} from './pickers.js';
import {metricHeading} from './runs.js';
import {columnsOf, pagesOf, tableOf} from './table.js';
import {behindOf, digits, directionOf, intervalOf, outcomeMark, stateMark, stateOfValue} from './words.js';

const kLimit = 50;
const kFirstMetrics = ['leak_rate', 'semantic_distance', 'linkage_rate'];
const kAsked = ['run', 'metric', 'state', 'outcome', 'slice', 'sort', 'desc', 'offset'];

// The metric that a list of records is of, unless the address says another.
export const firstMetric = (metrics) => kFirstMetrics.find((name) => metrics.has(name)) ?? [...metrics.keys()][0];

// Worst first: the least where more is better, the greatest where more is worse.
export const worstFirst = (direction) => (directionOf(direction).better > 0 ? null : '1');

function cellOfValue(value, row, state) {
  return state === 'value' ? element('b', {}, digits(value)) : stateMark(state);
}

function tableOfRecords(page, answer, query) {
  const stateAt = answer.columns.indexOf('state');
  const columns =
      columnsOf(answer.columns, {
        numbers: ['value', 'weight'],
        cells: {
          record: (record) => record,
          outcome: outcomeMark,
          weight: (weight) => (weight === null ? '–' : digits(weight).replace(/\.0+$/, '')),
          value: (value, row) => cellOfValue(value, row, row[stateAt])
        }
      })
          .map((column) => ({
                 ...column,
                 sort: ['value', 'record'].includes(column.name) ? column.name : undefined,
                 means: column.name === 'weight' ? 'how many units it stands for: claims of a pooled rate, else 1'
                                                 : undefined
               }))
          .map((column) => (column.name === 'state' ? {name: 'state', plain: column.plain} : column));
  const {limit, format, ...whole} = query;
  return tableOf({
    name: `records-${query.run}-${query.metric}`,
    caption: `${query.metric} of each record in ${query.run}`,
    columns,
    rows: answer.rows,
    key: (row) => row[0],
    href: ([record]) => page.link('/record', {record}),
    total: answer.total,
    sorted: {by: query.sort, desc: query.desc === '1'},
    onSort: (sort, desc) => page.set({sort, desc: desc ? '1' : '0', offset: null}),
    sql: answer.sql,
    csv: apiAddress('records', {...whole, offset: null, format: 'csv'}),
    json: apiAddress('records', query),
    empty: 'No record is like that.'
  });
}

// Before anything is evaluated: the records, without numbers.
async function unscored(page) {
  const name = `'${page.query.dataset.replaceAll("'", "''")}'`;
  const offset = Number(page.query.offset) || 0;
  const sql = `SELECT record, person FROM records WHERE dataset = ${name} ORDER BY record`;
  const {columns, rows} = await post('sql', `${sql} LIMIT ${kLimit} OFFSET ${offset}`);
  const total = page.store.datasets.find((one) => one.dataset === page.query.dataset)?.records ?? rows.length;
  return {unscored: true, columns, rows, offset, total, sql: `${sql};`};
}

const tableOfUnscored = (page, answer, run) => tableOf({
  name: 'records',
  caption: 'Records of the dataset. No evaluation has come to an end: what leaks is not computed',
  columns: columnsOf(answer.columns, {cells: {record: (record) => record}}),
  rows: answer.rows,
  key: (row) => row[0],
  href: ([record]) => page.link('/record', {record, run: run ?? null}),
  total: answer.total,
  sql: answer.sql,
  empty: 'There are no records.'
});

// The number of the whole run above its records.
function headline(page, value, metric, direction) {
  if (!value) return null;
  return element(
      'p', {class: 'headline'}, metricHeading(metric, direction), ' ',
      stateOfValue(value) === 'value' ? element('b', {}, digits(value.value)) : stateMark(stateOfValue(value)), ' ',
      intervalOf(value), ' ', value.stale ? [element('b', {class: 'lost'}, 'stale: of texts before they changed'), ' '] : '',
      element('span', {class: 'soft'}, `${behindOf(value)}. ${directionOf(direction).words}`));
}

export const records = {
  path: '/records',
  name: 'Records',
  open(place, page) {
    const run = choice('run', (name) => page.set({run: name, offset: null, state: null, outcome: null, slice: null}));
    const metric = choice(
        'metric',
        (name) =>
            page.set({metric: name, offset: null, state: null, outcome: null, slice: null, sort: null, desc: null}));
    const head = region((value, name, direction) => [headline(page, value, name, direction)].filter(Boolean));
    const facets = region(
        (answer, query) => facetsOf(answer.facets, query, (changes) => page.here(changes)) ?? element('span'),
        {class: 'region aside'});
    const list = region(
        (answer, query) =>
            [answer.unscored ? tableOfUnscored(page, answer, query.run) : tableOfRecords(page, answer, query),
             pagesOf(
                 {offset: answer.offset, shown: answer.rows.length, total: answer.total, limit: kLimit},
                 (offset) => page.here({offset}))]);
    place.append(
        element('h1', {}, 'Records'), element('div', {class: 'controls-row'}, run.place, metric.place), head.place,
        element('div', {class: 'beside'}, facets.place, list.place));
    return async () => {
      const name = page.query.metric ?? firstMetric(page.metrics);
      // Records are those of one seed, and so is the number above them.
      const all = await page.runs({columns: name, seeds: 1});
      const of = page.query.run ?? firstEvaluated(all)?.run;
      metric.place.hidden = page.lenses.length === 0;
      if (page.lenses.length === 0) {
        run.set(runChoices(all), of);
        facets.show({facets: null}, {});
        list.show(await unscored(page), {run: of});
        page.title('Records');
        return;
      }
      if (!of || !name) {
        list.place.replaceChildren(
            element('p', {class: 'empty'}, 'Nothing of this dataset was evaluated: residue eval does it.'));
        return;
      }
      page.settle({run: of, metric: name});
      run.set(runChoices(all), of);
      metric.set(metricChoices(page.metrics), name);
      const direction = page.metrics.get(name)?.direction;
      const query = page.asked(kAsked, {limit: kLimit});
      query.sort ??= 'value';
      query.desc ??= query.sort === 'value' ? worstFirst(direction) : null;
      if (query.desc === '0') query.desc = null;
      const answer = await page.ask('records', query);
      head.show(all.find((one) => one.run === of)?.metrics[name] ?? null, name, direction);
      facets.show({facets: answer.facets}, query);
      list.show(answer, query);
      page.title(`${name} of records in ${of}`);
    };
  },
};
