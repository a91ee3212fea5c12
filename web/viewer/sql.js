// Questions in SQL: a statement, its rows, and where it is wrong; the documented questions to begin with.

import {post, postForFile} from './ask.js';
import {isNumeric, saveAs} from './copying.js';
import {button, element, longText, region} from './elements.js';
import {tableOf} from './table.js';

const asked = new Map();  // What this page was told, by statement: going back shows it again.

// Where byte `place` of a UTF-8 text lies: {line, column, at}, counted in characters, and the words of the line.
export function lineAt(text, place) {
  let bytes = 0, at = 0;
  for (const c of text) {
    if (bytes >= place) break;
    bytes += c.codePointAt(0) < 0x80 ? 1 : c.codePointAt(0) < 0x800 ? 2 : c.codePointAt(0) < 0x10000 ? 3 : 4;
    at += c.length;
  }
  const begin = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at);
  return {at, line: text.slice(0, begin).split('\n').length, column: at - begin, words: text.slice(begin, end)};
}

function errorPart(error, statement, area) {
  const parts = [element('p', {class: 'problem-words'}, error.message)];
  if (Number.isInteger(error.place)) {
    const where = lineAt(statement, error.place);
    parts.push(element('pre', {class: 'caret'}, `${where.words.replaceAll('\t', ' ')}\n${' '.repeat(where.column)}^`));
    if (document.activeElement === area) area.setSelectionRange(where.at, where.at);
  }
  if (error.hint) parts.push(element('p', {class: 'soft'}, error.hint));
  return element('div', {class: 'problem', role: 'alert'}, parts);
}

function cellOfSql(value) {
  if (value === null) return element('span', {class: 'state'}, 'NULL');
  if (isNumeric(value)) return String(value);  // as it is: what was asked for may be its last digit
  return longText(typeof value === 'object' ? JSON.stringify(value) : value);
}

function rowsPart(answer, statement, saveWhole) {
  const numeric = answer.columns.map(
      (name, i) => answer.rows.some((row) => row[i] !== null) &&
          answer.rows.every((row) => row[i] === null || isNumeric(row[i])));
  const columns = answer.columns.map(
      (name, i) => ({name, number: numeric[i], cell: (row) => cellOfSql(row[i]), plain: (row) => row[i]}));
  const numbered = answer.rows.map((row, i) => Object.assign([...row], {at: i}));
  const note = [`${answer.ms} ms`, answer.more ? 'there are more rows than are shown' : ''].filter(Boolean).join('; ');
  if (columns.length === 0) return element('p', {class: 'empty'}, 'The statement gives no rows.');
  return tableOf({
    name: 'sql',
    caption: 'What the statement gives',
    columns,
    rows: numbered,
    key: (row) => String(row.at),
    sql: statement,
    more: answer.more,
    empty: 'No rows.',
    extra: element('span', {class: 'soft'}, note, answer.more ? button('save all rows as CSV', saveWhole) : null)
  });
}

const saveAll = async (statement) => saveAs('sql.csv', await postForFile('sql', statement, {format: 'csv'}));

// The questions, about what this page is open at.
function questionsPart({about, questions}, use) {
  const of = about ? [`${about.dataset}/${about.run}`, about.protocol, about.judge].filter(Boolean).join(' · ') : null;
  return [
    element('h2', {}, 'Questions'), of ? element('p', {class: 'soft'}, `about ${of}, record ${about.record}`) : null,
    element(
        'ol', {class: 'questions'},
        questions.map((one) => element('li', {}, button(one.what, () => use(one.sql), {class: 'link'}))))
  ];
}

function viewsPart(views) {
  return [
    element('h2', {}, 'Views'),
    views.map(
        (view) => element(
            'details', {}, element('summary', {title: view.about}, element('code', {}, view.view)),
            element(
                'dl', {class: 'view-columns'},
                view.columns.map(
                    (column) =>
                        [element('dt', {}, element('code', {}, column.name)),
                         element('dd', {}, column.means ?? '')]))))
  ].flat();
}

export const sql = {
  path: '/sql',
  name: 'SQL',
  open(place, page) {
    const area = element('textarea', {
      'id': 'statement',
      'rows': 8,
      'spellcheck': 'false',
      'autocomplete': 'off',
      'aria-label': 'SQL statement',
      'data-search': true,
      'placeholder': "SELECT run, metric, value, low, high FROM metrics WHERE slice = '';"
    });
    const result = element('div', {'class': 'region', 'aria-live': 'polite'});
    const help = region((answer) => questionsPart(answer, use)), views = region(viewsPart);
    const show = (statement) => {
      const was = asked.get(statement);
      if (was && was.change !== page.store.change) {
        asked.delete(statement);
        return result.replaceChildren(
            element('p', {class: 'empty'}, 'The store changed since this was asked: run it again.'));
      }
      const save = () => saveAll(statement).catch((error) => {
        result.querySelector('.problem')?.remove();
        result.prepend(errorPart(error, statement, area));
      });
      result.replaceChildren(
          ...(was ? [was.error ? errorPart(was.error, statement, area) : rowsPart(was.answer, statement, save)] : []));
    };
    const run = async () => {
      const statement = area.value.trim();
      if (!statement) return;
      result.replaceChildren(element('p', {class: 'soft'}, 'running …'));
      const {change} = page.store;
      try {
        asked.set(statement, {change, answer: await post('sql', statement)});
      } catch (error) {
        asked.set(statement, {change, error});
      }
      if (page.query.q === statement)
        show(statement);
      else
        page.set({q: statement});
    };
    area.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      run();
    });
    const use = (statement) => {
      area.value = statement;
      area.focus();
      run();
    };
    place.append(
        element('h1', {}, 'SQL'),
        element(
            'div', {class: 'beside sql'},
            element('div', {class: 'aside'}, element('div', {class: 'sql-help'}, help.place, views.place)),
            element(
                'div', {}, area,
                element(
                    'div', {class: 'controls-row'}, button('Run', run, {class: 'primary', title: 'Ctrl+Enter'}),
                    element('span', {class: 'soft'}, 'Ctrl+Enter runs it. It can read the store and nothing else.')),
                result)));
    let last, seen;
    return async () => {
      // What stands in an address is shown, and run only when somebody says so.
      if (page.query.q !== last && page.query.q !== undefined) {
        if (document.activeElement !== area || !area.value) area.value = page.query.q;
        show(page.query.q);
      } else if (seen !== page.store.change && last !== undefined) {
        show(last);
      }
      [last, seen] = [page.query.q, page.store.change];
      page.title('SQL');
      const {about, questions, views: all} = await page.ask('questions', page.asked(['run', 'record']));
      help.show({about, questions});
      views.show(all);
    };
  },
};
