// A table as something to take away: LaTeX, CSV, JSON, SQL.

import {button, element, spelled} from './elements.js';

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

// columns: [{name, number}], rows: arrays of values.
export function toLatex(columns, rows) {
  const line = (cells) => `${cells.map((cell) => latexWords(plainWords(cell))).join(' & ')} \\\\\n`;
  const shape = columns.map((column) => (column.number ? 'r' : 'l')).join('');
  return `\\begin{tabular}{${shape}}\n\\toprule\n${line(columns.map((column) => column.name))}\\midrule\n` +
      `${rows.map(line).join('')}\\bottomrule\n\\end{tabular}\n`;
}

// RFC 4180; words that a spreadsheet would run as a formula begin with '.
export function toCsv(columns, rows) {
  const cell = (value) => {
    const words = typeof value !== 'number' && /^[=+\-@\t\r]/.test(plainWords(value)) ? `'${plainWords(value)}`
                                                                                      : plainWords(value);
    return /[",\r\n]/.test(words) ? `"${words.replaceAll('"', '""')}"` : words;
  };
  return [columns.map((column) => column.name), ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

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

function saver(name, file, type, words) {
  return button(name, () => {
    const link = element('a', {download: file});
    link.href = URL.createObjectURL(new Blob([words()], {type}));
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }, {title: `save as ${file}`});
}

// The row of buttons of a table. sql: the statement that gives it, or null. csv, json: addresses that give all of it,
// or null: then what is on the page is taken.
export function copyButtons({name, columns, rows, sql = null, csv = null, json = null}) {
  const objects = () =>
      JSON.stringify(rows.map((row) => Object.fromEntries(columns.map((column, i) => [column.name, row[i]]))), null, 1);
  return element(
      'span', {class: 'copies'}, sql ? copier('SQL', () => sql, 'copy as SQL, for residue sql') : null,
      copier('LaTeX', () => toLatex(columns, rows), 'copy as LaTeX'),
      csv ? element('a', {href: csv, download: `${name}.csv`, title: 'save the whole table'}, 'CSV')
          : saver('CSV', `${name}.csv`, 'text/csv', () => toCsv(columns, rows)),
      json ? element('a', {href: json, download: `${name}.json`, title: 'save the answer of the server'}, 'JSON')
           : saver('JSON', `${name}.json`, 'application/json', objects));
}
