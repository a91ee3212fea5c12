// Searching: which released texts, claims or originals match some words.

import {apiAddress} from './ask.js';
import {element, longText, region} from './elements.js';
import {categoriesOf} from './leaks.js';
import {box, choice, runChoices} from './pickers.js';
import {columnsOf, tableOf} from './table.js';
import {digits} from './words.js';

const kOrder = ['released', 'claims', 'originals'];

// The texts that a server of this level can search.
const readable = (level) =>
    kOrder.slice(0, kOrder.indexOf(level) + 1)
        .map((name) => [name, {released: 'released texts', claims: 'claims', originals: 'originals'}[name]]);

// Words of the question that stand in the text are marked.
function foundText(text, question) {
  const words = question.split(/[^\p{L}\p{N}]+/u).filter((word) => word.length > 2);
  if (words.length === 0) return longText(text);
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'giu');
  return longText(text, (part) => part.split(pattern).map((piece, i) => element(i % 2 ? 'mark' : 'span', {}, piece)));
}

function tableOfHits(page, answer, query) {
  const recordAt = answer.columns.indexOf('record');
  const columns =
      columnsOf(answer.columns, {
        numbers: ['rank', 'score'],
        cells: {
          score: (score) => digits(score),
          category: (value) => categoriesOf(value).join(', '),
          text: (text) => (text === null ? '–' : foundText(text, query.q))
        },
        words: {category: categoriesOf}
      }).map((column) => (column.name === 'text' ? {...column, kind: 'words'} : column));
  // The heading of a row is its record.
  columns.unshift(...columns.splice(recordAt, 1));
  return tableOf({
    name: 'search',
    caption: `What matches “${query.q}” best`,
    columns,
    rows: answer.rows,
    key: (row) => `${row[recordAt]} ${row[0]}`,
    href: (row) => page.link('/record', {record: row[recordAt]}),
    total: answer.total,
    sql: answer.sql,
    csv: apiAddress('search', {...query, format: 'csv'}),
    json: apiAddress('search', query),
    empty: 'Nothing matches.'
  });
}

export const search = {
  path: '/search',
  name: 'Search',
  open(place, page) {
    const words =
        box('for', (q) => page.set({q: q || null}),
            {'data-search': true, 'class': 'long', 'placeholder': 'words of a text', 'type': 'search'});
    const among = choice('in', (name) => page.set({in : name}));
    const run = choice('run', (name) => page.set({run: name}));
    const list = region(
        (answer, query) =>
            (answer ? tableOfHits(page, answer, query)
                    : element('p', {class: 'empty'}, 'Type some words and press Enter.')));
    const note = region(
        (dataset) => (dataset ? [element(
                                    'p', {class: 'note'},
                                    `Released texts can be searched when residue eval ${dataset} has looked at them.`)]
                              : []));
    place.append(
        element('h1', {}, 'Search'), element('div', {class: 'controls-row'}, words.place, among.place, run.place),
        note.place, list.place);
    return async () => {
      const all = await page.runs();
      const real = all.filter((one) => !one.control);
      // The index of released texts is what an evaluation makes.
      const kinds = readable(page.store.level).filter(([name]) => name !== 'released' || page.lenses.length > 0);
      const kind = page.lenses.length > 0 ? page.query.in ?? 'released'
                                          : (kinds.find(([name]) => name === page.query.in) ?? kinds[0])?.[0];
      note.show(page.lenses.length > 0 ? null : page.query.dataset);
      const of = page.query.run ?? real[0]?.run;
      if (kind === 'released' && of) page.settle({run: of});  // a hit leads to its record in this run
      words.set(page.query.q);
      among.set(kinds, kind);
      run.set(runChoices(kind === 'released' ? real : all), of);
      run.place.hidden = kind !== 'released';
      const query = page.asked(['q'], {in : kind, run: kind === 'released' ? of : null, protocol: null, judge: null});
      list.show(page.query.q && kind ? await page.ask('search', query) : null, query);
      page.title(page.query.q ? `“${page.query.q}” in ${kind === 'released' ? of : kind}` : 'Search');
    };
  },
};
