// A table as something to take away: LaTeX, CSV, JSON, SQL.

import {button, element, spelled} from './elements.js';
import {stateOfValue} from './words.js';

const kLatex = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '↑': '$\\uparrow$',
  '↓': '$\\downarrow$',
  '±': '$\\pm$',
  '−': '$-$',
  '–': '--',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '≥': '$\\geq$',
  '≤': '$\\leq$'
};

export function latexWords(words) {
  return spelled(words).replace(
      /[\\~^↑↓±−–<>≥≤]|[&%$#_{}]|\s+/g,
      (found) => kLatex[found] ?? (/^\s/.test(found) ? ' ' : `\\${found}`));
}

const plainWords = (value) =>
    (value === null || value === undefined ? ''
         : Array.isArray(value)            ? value.join(', ')
                                           : String(value));

// columns: [{name, number}], rows: arrays of values. cut: that there are more rows, in words.
export function toLatex(columns, rows, cut = null) {
  const line = (cells) => `${cells.map((cell) => latexWords(plainWords(cell))).join(' & ')} \\\\\n`;
  const shape = columns.map((column) => (column.number ? 'r' : 'l')).join('');
  const note = cut ? `% ${cut}\n` : '', head = line(columns.map((column) => column.name));
  return `${note}\\begin{tabular}{${shape}}\n\\toprule\n${head}\\midrule\n` +
      `${rows.map(line).join('')}\\bottomrule\n\\end{tabular}\n`;
}

// Numbers that no number of JavaScript is: the server sends them as words.
export const isNumeric = (value) => typeof value === 'number' || /^-?(inf|\d{16,19})$/.test(value ?? '');

// RFC 4180; words that a spreadsheet would run as a formula begin with '.
export function toCsv(columns, rows) {
  const cell = (value) => {
    const words = !isNumeric(value) && /^[=+\-@\t\r]/.test(plainWords(value)) ? `'${plainWords(value)}`
                                                                              : plainWords(value);
    return /[",\r\n]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
  };
  return [columns.map((column) => column.name), ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

const kBehindValue = ['low', 'high', 'n', 'failed', 'missing'];

// Columns as files have them: numbers as the server gave them, those of a measured value beside each other.
function filedColumns(columns) {
  return columns.flatMap((column) => {
    const {name, measured, behind = kBehindValue} = column;
    if (!measured) return column.plain === null ? [] : [{name, of: column.plain ?? column.cell}];
    return [
      {name, of: (row) => measured(row)?.value},
      ...behind.map((part) => ({name: `${name} ${part}`, of: (row) => measured(row)?.[part]})), {
        name: `${name} state`,
        of: (row) => {
          const state = stateOfValue(measured(row));
          return state === 'value' && measured(row).stale ? 'stale' : state;
        }
      }
    ];
  });
}

// Columns as documents have them: the words of the page, in short.
const writtenColumns = (columns) => columns.map(({name, number, words, plain, cell}) => ({
  name,
  number,
  of: words === undefined ? (plain === undefined ? cell : plain) : words
})).filter((column) => column.of !== null);

const rowsOfCells = (columns, rows) => rows.map((row) => columns.map((column) => column.of(row)));

async function toClipboard(words) {
  try {
    await navigator.clipboard.writeText(words);
  } catch (error) {
    const area = element('textarea', {class: 'aside'});
    area.value = words;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

// Copies, and says so for a moment.
function copier(name, words, means) {
  const place = button(name, async () => {
    await toClipboard(words());
    place.textContent = 'copied';
    setTimeout(() => {
      place.textContent = name;
    }, 1200);
  }, {title: means});
  return place;
}

export function saveAs(file, blob) {
  const link = element('a', {download: file});
  link.href = URL.createObjectURL(blob);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

const saver = (name, file, type, words) =>
    button(name, () => saveAs(file, new Blob([words()], {type})), {title: `save as ${file}`});

// The row of buttons of a table: columns and rows as in table.js. sql: the statement that gives it, or null. csv, json:
// addresses that give all of it, or null: then `rows` are taken, of `total`, where there are more.
export function copyButtons({name, columns, rows, total = null, sql = null, csv = null, json = null}) {
  const filed = filedColumns(columns), written = writtenColumns(columns);
  const cut = total === null ? null : `${rows.length} rows of ${total}`;
  const file = cut ? `${name}-${cut.replaceAll(' ', '-')}` : name;
  const objectOf = (row) => Object.fromEntries(filed.map(({name: of}, i) => [of, row[i] ?? null]));
  const objects = () => JSON.stringify(rowsOfCells(filed, rows).map(objectOf), null, 1);
  return element(
      'span', {class: 'copies'}, sql ? copier('SQL', () => sql, 'copy as SQL, for residue sql') : null,
      copier(
          'LaTeX', () => toLatex(written, rowsOfCells(written, rows), cut), `copy as LaTeX${cut ? `: ${cut}` : ''}`),
      csv ? element('a', {href: csv, download: `${name}.csv`, title: 'save the whole table'}, 'CSV')
          : saver('CSV', `${file}.csv`, 'text/csv', () => toCsv(filed, rowsOfCells(filed, rows))),
      json ? element('a', {href: json, download: `${name}.json`, title: 'save the answer of the server'}, 'JSON')
           : saver('JSON', `${file}.json`, 'application/json', objects));
}
