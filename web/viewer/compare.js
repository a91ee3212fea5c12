// Two runs side by side: which records flipped, and whether the difference of each metric is more than chance.

import {apiAddress} from './ask.js';
import {button, drawing, element, region} from './elements.js';
import {choice, runChoices, seedsChoice} from './pickers.js';
import {metricHeading} from './runs.js';
import {columnsOf, pagesOf, tableOf} from './table.js';
import {counted, digits, directionOf, outcomeMark, probability, ratingMark, several, shellWord, signed} from './words.js';

const kAlpha = 0.05, kFirst = 12, kMostFlips = 1000;  // kMostFlips: that are asked for at a time

const valueOfSide = (side) => (side !== null && typeof side === 'object' ? side.value : side);

const there = (value) => value !== null && value !== undefined;

// What a difference says, in words: its test and its interval have to agree.
export function verdictOf(row) {
  const {difference, low, high, direction} = row, p = probabilityOf(row);
  const {better, of} = directionOf(direction);
  if (!there(difference)) return {words: 'not compared', state: 'none'};
  const apart = there(low) && there(high) ? low > 0 || high < 0 : null, tested = there(p) ? p < kAlpha : null;
  if (tested && apart === false)
    return {words: 'not told apart', state: 'same', means: `p is below ${kAlpha}, and the interval has zero in it`};
  const sure = tested ?? apart ?? false;
  if (difference === 0 && !sure) return {words: 'no difference', state: 'same'};
  if (!sure) return {words: 'not more than chance', state: 'same'};
  if (better === 0) return {words: 'more than chance', state: 'other'};
  return better * difference > 0 ? {words: `more ${of}`, state: 'better'} : {words: `less ${of}`, state: 'worse'};
}

// All differences of a table on one scale, zero in the middle.
function differenceStrip(row, most) {
  if (row.low === null || row.low === undefined || !most) return null;
  const at = (value) => 60 + (56 * value) / most;
  return drawing(
      'svg', {'class': `strip wide-strip ${verdictOf(row).state}`, 'viewBox': '0 0 120 8', 'aria-hidden': 'true'},
      drawing('line', {class: 'scale', x1: 4, x2: 116, y1: 4, y2: 4}),
      drawing('line', {class: 'zero', x1: 60, x2: 60, y1: 0, y2: 8}),
      drawing('line', {class: 'span', x1: at(row.low), x2: at(row.high), y1: 4, y2: 4}),
      drawing('circle', {cx: at(row.difference), cy: 4, r: 2.5}));
}

const probabilityOf = (row) => row.corrected_p ?? row.p;

function differenceColumns(answer) {
  const counts = [
    ['better', 'better', 'records for which the run is better than the baseline'],
    ['worse', 'worse', 'records for which it is worse'], ['same', 'same', 'records for which nothing changed'],
    ['differing', 'differ', 'units whose value differs between the two']
  ];
  const most = Math.max(
      0,
      ...answer.metrics.flatMap((row) => [Math.abs(row.low ?? 0), Math.abs(row.high ?? 0)])
          .filter((value) => value <= 1.5));
  const number = (name, title, words, means) =>
      ({name, title, number: true, means, cell: words, plain: (row) => valueOfSide(row[name])});
  return [
    {name: 'metric', cell: (row) => metricHeading(row.metric, row.direction), plain: (row) => row.metric},
    number('baseline', answer.baseline, (row) => digits(valueOfSide(row.baseline))),
    number('run', answer.run, (row) => digits(valueOfSide(row.run))),
    {
      name: 'difference',
      number: true,
      means: 'of the same records in both runs; its 95 % interval',
      plain: (row) => row.difference,
      cell: (row) => element(
          'span', {class: 'value'}, element('b', {}, row.difference === null ? '–' : signed(row.difference)),
          element('small', {}, row.low === null ? '' : `[${signed(row.low)}, ${signed(row.high)}]`))
    },
    {name: 'low', number: true, plain: (row) => row.low},
    {name: 'high', number: true, plain: (row) => row.high},
    {name: 'on one scale', plain: null, cell: (row) => differenceStrip(row, most) ?? ''},
    {name: 'p', number: true, plain: (row) => row.p},
    {
      ...number(
          'corrected_p', 'corrected p', (row) => probability(probabilityOf(row)),
          'how often chance alone gives such a difference; corrected for how many metrics were looked at'),
      plain: (row) => row.corrected_p
    },
    {
      name: 'says',
      plain: (row) => verdictOf(row).words,
      cell: (row) => {
        const {words, state, means} = verdictOf(row);
        return element('span', {class: `verdict verdict-${state}`, title: means}, words);
      }
    },
    ...counts.filter(([name]) => answer.metrics.some((row) => row[name] !== undefined))
        .map(
            ([name, title, means]) => number(
                name, title, (row) => (row[name] === null || row[name] === undefined ? '–' : counted(row[name])),
                means)),
    number('n', 'n', (row) => counted(row.n ?? 0), 'records with a value in both'),
    ...['failed_baseline', 'missing_baseline', 'failed', 'missing'].map(
        (name) => ({name, number: true, plain: (row) => row[name]})),
  ];
}

// What flipped. A record that failed, or could not be attacked, counts as found: such a flip is no success of a run.
function flipWords({baseline, run, flips}) {
  const count = (which) => flips.combinations.filter(which).reduce((sum, [, , times]) => sum + times, 0);
  const lost = (outcome) => outcome === 'failed' || outcome === 'missing';
  const words = (times, where) =>
      (times > 0 ? [`${counted(times)} failed or missing in ${where}, which counts as found`] : []);
  return [
    `${counted(count(([before, after]) => before === 'right' && !lost(after)))} found in ${baseline} and no longer`,
    `${counted(count(([before, after]) => after === 'right' && !lost(before)))} found only in ${run}`,
    ...words(count(([, after]) => lost(after)), run), ...words(count(([before]) => lost(before)), baseline)
  ].join(', ');
}

function summary(answer) {
  const sure = answer.metrics.filter((row) => ['better', 'worse', 'other'].includes(verdictOf(row).state)).length;
  const flips = answer.flips.total === 0
      ? 'No record flipped'
      : `${several(answer.flips.total, 'record')} flipped: ${flipWords(answer)}`;
  const claims = answer.became_leaked === undefined
      ? ''
      : ` ${several(answer.became_private, 'claim')} leaked before and no longer, ${
            counted(answer.became_leaked)} leak only now.`;
  return `${flips}.${claims} ${counted(sure)} of ${
      counted(answer.metrics.length)} metrics differ by more than chance (p below ${kAlpha}, and no zero in the interval).`;
}

function flipsTable(page, answer, all) {
  const {flips} = answer;
  const rows = all.open || flips.offset > 0 ? flips.rows : flips.rows.slice(0, kFirst);
  const table = tableOf({
    name: `flips-${answer.baseline}-${answer.run}`,
    caption: `Records whose attack ended otherwise in ${answer.run} than in ${answer.baseline}`,
    columns: columnsOf(flips.columns, {cells: {before: outcomeMark, after: outcomeMark, record: (record) => record}}),
    rows,
    taken: flips.rows,
    key: (row) => row[0],
    total: flips.total,
    href: ([record]) => page.link('/record', {record, run: answer.run}),
    sql: flips.sql,
    csv: apiAddress('compare', page.asked(['baseline', 'run', 'seeds'], {format: 'csv'})),
    empty: 'The attack ended the same way for every record.'
  });
  const words = `show ${flips.rows.length === flips.total ? 'all' : 'the first'} ${counted(flips.rows.length)}`;
  if (rows.length < flips.rows.length) {
    const more = button(words, () => {
      all.open = true;
      more.parentElement.replaceWith(flipsTable(page, answer, all));
    });
    return element('div', {}, table, more);
  }
  return element(
      'div', {}, table,
      pagesOf(
          {offset: flips.offset, shown: rows.length, total: flips.total, limit: kMostFlips},
          (offset) => page.here({offset})));
}

// The command that lists every claim that changed sides.
function flipsCommand({dataset, baseline, run, protocol, judge}) {
  return `residue compare ${shellWord(`${dataset}/${baseline}`)} ${shellWord(run)} --protocol ${shellWord(protocol)} --judge ${
      shellWord(judge)} --flips 0 --format json`;
}

// Claims that leak in one of the two runs only. The server lists the worst of each kind and counts all.
function claimsPart(page, answer, all) {
  const claims = answer.claims ?? [];
  if (claims.length === 0) return null;
  const rows = all.claims ? claims : claims.slice(0, kFirst);
  const total = there(answer.became_leaked) ? answer.became_leaked + answer.became_private : claims.length;
  const listed = (leaked) => counted(claims.filter((one) => one.leaked === leaked).length);
  const cut = total === claims.length ? null
      : element(
            'p', {class: 'note'}, `Only the worst of each kind are listed: ${listed(true)} of ${
                counted(answer.became_leaked)} that leak only in ${answer.run}, ${listed(false)} of ${
                counted(answer.became_private)} that leak only in ${answer.baseline}. All of them: `,
            element('code', {}, flipsCommand(answer)));
  const table = tableOf({
    name: `claims-${answer.baseline}-${answer.run}`,
    caption: 'Claims that leak in one of the two runs only',
    rows,
    taken: claims,
    total,
    sql: answer.claims_sql,
    key: (row) => `${row.record}#${row.n}`,
    href: (row) =>
        page.link('/record', {record: row.record, claim: row.n, run: row.leaked ? answer.run : answer.baseline}),
    columns: [
      {name: 'claim', cell: (row) => `${row.record} #${row.n}`}, {
        name: 'leaks',
        cell: (row) =>
            (row.leaked ? element('span', {class: 'verdict verdict-worse'}, `only in ${answer.run}`)
                        : element('span', {class: 'verdict verdict-better'}, `only in ${answer.baseline}`)),
        plain: (row) => (row.leaked ? answer.run : answer.baseline)
      },
      {name: 'rating', cell: (row) => ratingMark(row.rating), plain: (row) => row.rating},
      {name: 'about', cell: (row) => (row.category ?? []).join(', '), plain: (row) => row.category}
    ]
  });
  const more = rows.length < claims.length
      ? button(`show ${total === claims.length ? 'all' : 'the worst'} ${counted(claims.length)}`, () => {
          all.claims = true;
          more.parentElement.replaceWith(claimsPart(page, answer, all));
        })
      : null;
  return element('div', {}, table, cut, more);
}

export const compare = {
  path: '/compare',
  name: 'Compare',
  open(place, page) {
    const baseline = choice('baseline', (name) => page.set({baseline: name, offset: null}));
    const run = choice('run', (name) => page.set({run: name, offset: null}));
    const swap = button(
        'swap', () => page.set({baseline: run.list.value, run: baseline.list.value, offset: null}),
        {title: 'the run becomes the baseline'});
    const all = {open: false, claims: false}, seeds = seedsChoice(page);
    const result = region(
        (answer) =>
            [element('p', {class: 'summary'}, summary(answer)),
             ...(answer.notes ?? []).map((note) => element('p', {class: 'note'}, note)),
             element('h2', {}, 'What flipped'),
             element('div', {class: 'flips'}, flipsTable(page, answer, all), claimsPart(page, answer, all)),
             element('h2', {}, 'Is it more than chance?'), tableOf({
               name: `compare-${answer.baseline}-${answer.run}`,
               caption:
                   `${answer.run} against ${answer.baseline}: differences over the same records, with 95 % intervals`,
               columns: differenceColumns(answer),
               rows: answer.metrics,
               sql: answer.metrics_sql,
               key: (row) => row.metric,
               href: (row) => page.link('/records', {run: answer.run, metric: row.metric}),
               json: apiAddress('compare', page.asked(['baseline', 'run', 'seeds']))
             })]);
    place.append(
        element('h1', {}, 'Compare'), element('div', {class: 'controls-row'}, baseline.place, run.place, swap, seeds.place),
        result.place);
    return async () => {
      const {runs: list} = await page.ask('runs', page.asked([]));
      const real = list.filter((one) => !one.control);
      const first = page.query.baseline ?? (real.find((one) => one.run !== page.query.run) ?? list[0])?.run;
      const second = page.query.run && page.query.run !== first
          ? page.query.run
          : (real.find((one) => one.run !== first) ?? list.find((one) => one.run !== first))?.run;
      if (!first || !second) {
        result.place.replaceChildren(element(
            'p', {class: 'empty'},
            'There are no two runs to compare: residue sanitize or residue ingest run makes one.'));
        return;
      }
      if (first !== page.query.baseline || second !== page.query.run) page.settle({baseline: first, run: second});
      baseline.set(runChoices(list), first);
      run.set(runChoices(list), second);
      const answer =
          await page.ask('compare', page.asked(['baseline', 'run', 'seeds', 'offset'], {limit: kMostFlips}));
      seeds.set(answer);
      result.show(answer);
      page.title(`${second} against ${first}`);
    };
  },
};
