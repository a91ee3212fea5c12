// What an attacker learned from a run: its claims, the worst first, narrowed by what they are about.

import {apiAddress} from './ask.js';
import {element, longText, region} from './elements.js';
import {choice, facetsOf, firstEvaluated, runChoices} from './pickers.js';
import {columnsOf, pagesOf, tableOf} from './table.js';
import {hiddenWords} from './texts.js';
import {outcomeMark, ratingMark} from './words.js';

const kPage = 50;
const kNarrowed = ['run', 'category', 'outcome', 'rating', 'offset'];
const kRated = {
  1: '1 in full',
  2: '2 in part'
};

// Categories come as a list, or as the JSON of one.
export function categoriesOf(value) {
  if (typeof value !== 'string') return value ?? [];
  try {
    return [JSON.parse(value)].flat();
  } catch (error) {
    return [value];
  }
}

// Of a part of leak_by_category, as the list of leaks names it.
export const categoryOfPart = (part) => (part === 'no category' ? '' : part);

function tableOfLeaks(page, answer, query) {
  const recordAt = answer.columns.indexOf('record'), claimAt = answer.columns.indexOf('claim'),
        nAt = answer.columns.indexOf('n');
  const hidden = claimAt < 0 || (answer.rows.length > 0 && answer.rows.every((row) => row[claimAt] === null));
  const names = categoriesOf;
  const columns =
      columnsOf(answer.columns, {
        numbers: ['n'],
        hide: hidden ? ['claim'] : [],
        cells: {
          record: (record) => record,
          rating: ratingMark,
          outcome: outcomeMark,
          n: (n) => `#${n}`,
          category: (value) => element(
              'span', {},
              names(value).map(
                  (name) => element('a', {class: 'tag', href: page.here({category: name, offset: null})}, name))),
          claim: (claim) => (claim === null ? '–' : longText(claim))
        },
        words: {category: names}
      }).map((column) => (column.name === 'claim' ? {...column, kind: 'words'} : column));
  return element(
      'div', {}, hidden ? hiddenWords('claims') : null, tableOf({
        name: `leaks-${query.run}`,
        caption: `Claims that the attacker did not know and that the text he found gives away, in ${query.run}`,
        columns,
        rows: answer.rows,
        key: (row) => `${row[recordAt]}#${row[nAt]}`,
        href: (row) => page.link('/record', {record: row[recordAt], claim: row[nAt]}),
        total: answer.total,
        sql: answer.sql,
        csv: apiAddress('leaks', {...query, limit: null, offset: null, format: 'csv'}),
        json: apiAddress('leaks', query),
        empty: 'Nothing leaked that is like that.'
      }));
}

export const leaks = {
  path: '/leaks',
  name: 'Leaks',
  open(place, page) {
    const run = choice('run', (name) => page.set({run: name, offset: null}));
    const facets = region(
        (answer, query) => facetsOf(
                               answer.facets, query, (changes) => page.here(changes),
                               (name, value) =>
                                   (name === 'rating'         ? kRated[value] ?? value
                                        : name === 'category' ? categoriesOf(value).join(', ')
                                                              : value)) ??
            element('span'),
        {class: 'region aside'});
    const list = region(
        (answer, query) =>
            [tableOfLeaks(page, answer, query),
             pagesOf(
                 {offset: answer.offset, shown: answer.rows.length, total: answer.total, limit: kPage},
                 (offset) => page.here({offset}))]);
    place.append(
        element('h1', {}, 'Leaks'), element('div', {class: 'controls-row'}, run.place),
        element('p', {class: 'note'}, 'Records whose text failed count as leaked in full and have no claims here.'),
        element('div', {class: 'beside'}, facets.place, list.place));
    return async () => {
      const {runs: all} = await page.ask('runs', page.asked([]));
      const of = page.query.run ?? firstEvaluated(all)?.run;
      if (!of) return;
      page.settle({run: of});
      run.set(runChoices(all), of);
      const query = page.asked(kNarrowed, {limit: kPage});
      page.title(`Leaks of ${of}${query.category ? ` about ${query.category}` : ''}`);
      const show = (answer) => {
        if (answer.facets) facets.show({facets: answer.facets}, query);
        list.show(answer, query);
      };
      // All leaks are looked at to count them: what they are is seen before.
      const first = await page.ask('leaks', {...query, counts: 'later'});
      show(first);
      if (first.total === null) show(await page.ask('leaks', query));
    };
  },
};
