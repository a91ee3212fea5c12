// All runs of a dataset side by side: sorted, filtered, grouped; a baseline is pinned to compare with.

import {apiAddress} from './ask.js';
import {button, element, notesRegion, region} from './elements.js';
import {box, choice, seedsChoice} from './pickers.js';
import {tableOf} from './table.js';
import {counted, directionOf, lackingPart, valueCell, valueWords} from './words.js';

const shownParam = (value) =>
    (value === undefined || value === null ? '–'
         : typeof value === 'object'       ? JSON.stringify(value)
                                           : String(value));

// A metric as a heading: its name, and which way is better.
export function metricHeading(name, direction) {
  const {arrow, words} = directionOf(direction);
  return element(
      'span', {title: [direction, words].filter(Boolean).join('; ')}, element('span', {class: 'id'}, name),
      arrow ? element('span', {class: 'arrow'}, ` ${arrow}`) : null);
}

export function metricColumn(page, name) {
  return {
    name,
    title: metricHeading(name, page.metrics.get(name)?.direction),
    means: page.metrics.get(name)?.means,
    number: true,
    sort: name,
    cell: (run) => valueCell(run.metrics[name]),
    words: (run) => valueWords(run.metrics[name]),
    measured: (run) => run.metrics[name]
  };
}

// Of a run, beside its name: whether its numbers are stale.
export const runWords = (run) => (run.stale ? `${run.run} (stale)` : run.run);
export const staleColumn = {
  name: 'stale',
  plain: (run) => (run.stale ? 'yes' : 'no'),
  words: null
};

// A parameter as a number, or null where it is none.
export function numberOfParam(run, name) {
  const value = run.params[name];
  return value !== undefined && value !== null && value !== '' && typeof value !== 'object' &&
          Number.isFinite(Number(value))
      ? Number(value)
      : null;
}

// The same for files: numbers are numbers, and what is not there is empty.
export const paramPlain = (run, name) =>
    numberOfParam(run, name) ?? (hasParam(run, name) ? shownParam(run.params[name]) : null);

function paramColumn(answer, name) {
  return {
    name,
    number: answer.runs.every((run) => run.params[name] === undefined || numberOfParam(run, name) !== null),
    sort: `param.${name}`,
    means: 'a parameter that differs between runs',
    plain: (run) => paramPlain(run, name),
    words: (run) => shownParam(run.params[name]),
    cell: (run) => element('span', {class: 'param', title: shownParam(run.params[name])}, shownParam(run.params[name]))
  };
}

const hasParam = (run, name) => run.params[name] !== undefined && run.params[name] !== null && run.params[name] !== '';

// Parameters that differ among the runs that have them are columns; what only some sanitizers know is told beside them.
function ownParams(answer) {
  return answer.params.filter(
      (name) =>
          new Set(answer.runs.filter((run) => hasParam(run, name)).map((run) => shownParam(run.params[name]))).size >
          1);
}

const paramWords = (answer, run) => answer.params.filter((name) => hasParam(run, name))
                                        .map((name) => `${name} ${shownParam(run.params[name])}`)
                                        .join(', ');

// The metrics to show: those chosen, else those that the server begins with.
const shownColumns = (page, answer) => page.query.columns?.split(',') ?? answer.columns;

const lostTexts = (run) => [run.failed ? `${counted(run.failed)} failed` : '',
                            run.lacking ? `${counted(run.lacking)} not there` : ''].filter(Boolean);

function columnsFor(page, answer) {
  const baseline = page.query.baseline;
  const pinned = (run) =>
      button(run.run === baseline ? '●' : '○', () => page.set({baseline: run.run === baseline ? null : run.run}), {
        'class': 'pin',
        'aria-pressed': run.run === baseline ? 'true' : 'false',
        'title': run.run === baseline ? 'the baseline' : 'compare others with this run',
        'aria-label': `baseline ${run.run}`
      });
  const failed = (run) =>
      ((run.failed ?? 0) > 0 ? element('span', {class: 'lost'}, `${counted(run.failed)} failed`)
           : run.control ? '–'
                         : element('span', {class: 'soft'}, '0 failed'));
  return [
    {
      name: 'run',
      sort: 'run',
      plain: (run) => run.run,
      words: runWords,
      cell: (run) => element(
          'span', {class: 'run'}, pinned(run), element('a', {href: page.link('/records', {run: run.run})}, run.run),
          (run.tags ?? []).map((tag) => element('span', {class: 'tag'}, tag)),
          baseline && run.run !== baseline
              ? element('a', {class: 'compare', href: page.link('/compare', {run: run.run})}, 'compare')
              : null)
    },
    {
      name: 'made by',
      kind: 'name',
      plain: (run) => run.sanitizer ?? run.kind,
      cell: (run) =>
          (run.sanitizer     ? element('span', {title: paramWords(answer, run)}, run.sanitizer)
               : run.control ? 'control'
                             : element('span', {class: 'soft'}, run.kind === 'synthetic' ? 'synthetic' : 'ingested'))
    },
    staleColumn,
    ...ownParams(answer).map((name) => paramColumn(answer, name)),
    {name: 'parameters', plain: (run) => paramWords(answer, run)},
    {
      name: 'texts',
      number: true,
      means: 'texts of the run, how many of them failed, and how many records have none: attacks count both as failed',
      plain: (run) => run.variants,
      words: (run) => [counted(run.variants ?? 0), ...lostTexts(run)].join(', '),
      cell: (run) => element(
          'span', {class: 'value'}, run.control ? '' : element('b', {}, counted(run.variants ?? 0)),
          element('small', {}, failed(run)), lackingPart(run))
    },
    {name: 'failed texts', plain: (run) => run.failed, words: null},
    {name: 'records without text', plain: (run) => run.lacking, words: null},
    ...shownColumns(page, answer).map((name) => metricColumn(page, name)),
  ];
}

// What a run is sorted by: a number, a word, or null where it has none.
function orderOf(run, name) {
  if (name.startsWith('param.')) return numberOfParam(run, name.slice(6)) ?? run.params[name.slice(6)] ?? null;
  return run.metrics[name] ? run.metrics[name].value ?? null : run[name] ?? null;
}

// The same order whoever sorted: what has no value is last.
function inOrder(runs, {sort, desc}) {
  if (!sort) return runs;
  const sign = desc === '1' ? -1 : 1;
  const compared = (a, b) =>
      (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en'));
  return [...runs].sort((one, other) => {
    const a = orderOf(one, sort), b = orderOf(other, sort);
    return a === null || b === null ? (a === null) - (b === null) : sign * compared(a, b);
  });
}

// Runs of one group together, the controls behind all.
function partsOf(answer, group) {
  const what = group.replace('param.', '');
  const of = (run) => (group.startsWith('param.') ? run.params[what] : run[group]) ?? null;
  // There are a sanitizer and perhaps groups of the name none: what has no name is no name.
  const titleOf = (run) => (of(run) === null ? `no ${what}` : `${what}: ${shownParam(of(run))}`);
  const real = answer.runs.filter((run) => !run.control), controls = answer.runs.filter((run) => run.control);
  const titles = group ? [...new Set(real.map(titleOf))] : [];
  const parts = group ? titles.map((title) => ({title, rows: real.filter((run) => titleOf(run) === title)}))
                      : [{rows: real}];
  return [...parts, {title: 'controls: the originals, and nothing at all', rows: controls, control: true}];
}

function columnPicker(page) {
  const list = element('div', {class: 'choices'});
  const place = element('details', {class: 'columns'}, element('summary', {}, 'metrics'), list);
  const set = (shown) => {
    if (place.contains(document.activeElement) && list.children.length > 0) return;
    list.replaceChildren(...[...page.metrics.keys()].map(
        (name) => element(
            'label', {title: page.metrics.get(name).direction}, element('input', {
              type: 'checkbox',
              value: name,
              checked: shown.includes(name),
              onchange: () => {
                const chosen = [...list.querySelectorAll('input:checked')].map((one) => one.value);
                page.set({columns: chosen.join(',') || null});
              }
            }),
            name)));
  };
  return {place, set};
}

export const runs = {
  path: '/runs',
  name: 'Runs',
  open(place, page) {
    const where =
        box('where', (words) => page.set({where: words || null}),
            {'placeholder': 'param.rate > 0.3 and leak_rate < 0.5', 'data-search': true, 'class': 'long'});
    const group = choice('group by', (name) => page.set({group: name || null}));
    const columns = columnPicker(page), seeds = seedsChoice(page);
    const table = region(
        (answer, query) =>
            [...(answer.notes ?? []).map((note) => element('p', {class: 'note'}, note)), tableOf({
               name: `runs-${answer.dataset}`,
               caption: `Runs of ${answer.dataset} under ${answer.protocols ?? answer.protocol}${
                   answer.sample ? `, a sample of ${answer.sample} records` : ''} by ${
                   answer.judge}. Under each value its 95 % interval; point at it for n, failed, missing and coverage.`,
               columns: columnsFor(page, answer),
               parts: partsOf(answer, query.group ?? ''),
               key: (run) => run.run,
               href: (run) => page.link('/records', {run: run.run}),
               mark: (run) => (run.run === query.baseline ? 'pinned' : null),
               sorted: {by: query.sort, desc: query.desc === '1'},
               onSort: (sort, desc) => page.set({sort, desc: desc ? '1' : null}),
               total: answer.total,
               sql: answer.sql,
               json: apiAddress('runs', query),
               empty: 'No run agrees with the condition.'
             })]);
    const doubts = notesRegion();
    place.append(
        element('h1', {}, 'Runs'), element('div', {class: 'controls-row'}, where.place, group.place, seeds.place, columns.place),
        doubts.place, table.place);
    return async () => {
      where.set(page.query.where);
      const query = page.asked(['where', 'sort', 'desc', 'group', 'columns', 'seeds']);
      const said = await page.ask('runs', query);
      const answer = {...said, runs: inOrder(said.runs, query)};
      if (query.where && said.shown === said.total)
        answer.notes = [...(said.notes ?? []), 'The condition leaves every run.'];
      group.set(
          [
            ['', 'nothing'], ['group', 'group'], ['sanitizer', 'sanitizer'],
            ...ownParams(answer).map((name) => [`param.${name}`, name])
          ],
          page.query.group);
      columns.set(shownColumns(page, answer));
      seeds.set(answer);
      table.show(answer, {...query, baseline: page.query.baseline});
      page.title(`Runs of ${answer.dataset}`);
      doubts.show((await page.ask('notes', page.asked(['seeds']))).notes);
    };
  },
};
