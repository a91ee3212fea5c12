// Tables: sorted by their headings, walked by keyboard, taken away as SQL, LaTeX, CSV or JSON.

import {copyButtons} from './copying.js';
import {button, element} from './elements.js';
import {counted, several} from './words.js';

// A column: {name, title?: words or node of the heading, means?, number?, sort?: its name for `onSort`,
//   cell(row): node or words; without, it is only copied; plain?(row): what is copied; null: it is only drawn;
//   words?(row): what LaTeX has instead; null: files alone have the column;
//   measured?(row): the value with its interval that is shown; files have its numbers, each in a column;
//   behind?: which ones stand behind the value, where not all are there}.
// The first column is the heading of its row.
// A part: {title?, rows, control?}: rows that belong together.
function headingOf(column, sorted, onSort) {
  const words = column.title ?? column.name;
  if (!column.sort || !onSort)
    return element('th', {scope: 'col', class: column.number ? 'number' : null, title: column.means}, words);
  const here = sorted?.by === column.sort;
  return element(
      'th', {
        'scope': 'col',
        'class': column.number ? 'number' : null,
        'title': column.means,
        'aria-sort': here ? (sorted.desc ? 'descending' : 'ascending') : null
      },
      button(
          [words, element('span', {'class': 'order', 'aria-hidden': 'true'}, here ? (sorted.desc ? ' ▼' : ' ▲') : '')],
          () => onSort(column.sort, here ? !sorted.desc : Boolean(column.number))));
}

function rowOf(row, columns, key, {href, mark}) {
  const to = href?.(row);
  return element(
      'tr', {'data-key': key(row), 'data-href': to, 'tabindex': '-1', 'class': mark?.(row)},
      columns.map((column, i) => {
        const cell = column.cell(row);
        const inside = i === 0 && to && !(cell instanceof Node) ? element('a', {href: to}, cell) : cell;
        return element(
            i === 0 ? 'th' : 'td', {
              scope: i === 0 ? 'row' : null,
              class: [column.number ? 'number' : '', column.kind ?? ''].join(' ').trim() || null
            },
            inside);
      }));
}

// "20 shown of 1,312"; a total of null is being counted.
function shownOf(shown, total) {
  if (total === null) return `${counted(shown)} shown, all are being counted`;
  return total === undefined || total === shown ? several(shown, 'row') : `${counted(shown)} shown of ${counted(total)}`;
}

// taken: the rows that are copied, where more are there than are drawn. more: of `taken` there are more, uncounted.
export function tableOf({
  name,
  caption,
  columns,
  rows,
  parts = [{rows}],
  key = (row) => columns[0].plain?.(row) ?? columns[0].cell(row),
  total,
  taken = parts.flatMap((part) => part.rows),
  more = false,
  href,
  mark,
  sorted,
  onSort,
  sql,
  csv,
  json,
  empty = 'There is nothing to show here.',
  extra = null
}) {
  const drawn = columns.filter((column) => column.cell);
  const all = parts.flatMap((part) => part.rows);
  const bodies = parts.filter((part) => part.rows.length > 0)
                     .map(
                         (part) => element(
                             'tbody', {class: part.control ? 'controls' : null},
                             part.title ? element(
                                              'tr', {class: 'part'},
                                              element('th', {scope: 'rowgroup', colspan: drawn.length}, part.title))
                                        : null,
                             part.rows.map((row) => rowOf(row, drawn, key, {href, mark}))));
  return element(
      'section', {class: 'table'},
      element(
          'div', {class: 'tools'}, element('span', {class: 'shown'}, shownOf(all.length, total)), extra, copyButtons({
            name,
            columns,
            rows: taken,
            total: more ? 'more' : total > taken.length ? total : null,
            sql,
            csv,
            json
          })),
      all.length === 0
          ? element('p', {class: 'empty'}, empty)
          : element(
                'div', {class: 'wide', tabindex: '0', role: 'region', 'aria-label': caption},
                element(
                    'table', {}, element('caption', {}, caption),
                    element('thead', {}, element('tr', {}, drawn.map((column) => headingOf(column, sorted, onSort)))),
                    bodies)));
}

// The rows of a statement of the server that stand first in its order.
export const firstRows = (sql, limit) => `${sql.replace(/;$/, '')} LIMIT ${limit};`;

// Rows made of those of a statement of the server.
export const rowsFrom = (sql, select, behind) => `SELECT ${select} FROM (${sql.replace(/;$/, '')}) ${behind};`;

// The rows of several statements of the server.
export const unionOf = (all) => `${[...all].map((sql) => `SELECT * FROM (${sql.replace(/;$/, '')})`).join(' UNION ALL ')};`;

// A name as a word of SQL.
export const sqlWord = (name) => `'${String(name).replaceAll("'", "''")}'`;

// Earlier and later rows of a table of which the server gives `limit` at a time.
export function pagesOf({offset, shown, total, limit}, addressAt) {
  const all = total ?? offset + shown + (shown === limit ? 1 : 0);  // not counted yet: perhaps there are more
  if (offset === 0 && shown >= all) return null;
  const link = (words, to, there) =>
      (there ? element('a', {href: addressAt(to), rel: words}, words) : element('span', {class: 'soft'}, words));
  const of = total === null ? '' : ` of ${counted(total)}`;
  const last = Math.max(0, Math.ceil((total ?? offset) / limit) - 1);
  return element(
      'nav', {'class': 'pages', 'aria-label': 'Pages of the table'},
      link('previous', Math.max(0, shown === 0 ? last * limit : offset - limit), offset > 0),
      element(
          'span', {},
          shown === 0 ? `none${of} from ${counted(offset + 1)} on`
                      : `${counted(offset + 1)}–${counted(offset + shown)}${of}`),
      link('next', offset + limit, offset + shown < all));
}

// Columns of a TABLE of the server as they are; cells: {name: (value, row) => node}; words: {name: (value) => words}.
export function columnsOf(names, {cells = {}, words = {}, numbers = [], hide = []} = {}) {
  return names
      .map((name, i) => ({
             name,
             number: numbers.includes(name),
             cell: (row) => (cells[name] ? cells[name](row[i], row) : row[i] ?? '–'),
             plain: (row) => row[i],
             words: words[name] ? (row) => words[name](row[i]) : undefined
           }))
      .filter((column) => !hide.includes(column.name));
}
