// The keyboard: walking tables, opening rows, the box to search in, and what the keys are.

import {button, element} from './elements.js';
import {goBack} from './routes.js';

const kKeys = [
  ['/', 'to the box to search or filter in'], ['j, k', 'next row, row before; arrows too, when a row is chosen'],
  ['Enter', 'open the row'], ['Escape', 'leave the box; then back to the view before'],
  ['Ctrl+Enter', 'run the statement of the SQL view'], ['?', 'this list']
];

const typing = (at) => at.matches?.('input, textarea, select');

const rowsNear = (at) =>
    [...(at.closest?.('table') ?? document.querySelector('#view table:has(tr[data-key])'))
         ?.querySelectorAll('tr[data-key]') ??
     []];

function walk(by) {
  const rows = rowsNear(document.activeElement);
  if (rows.length === 0) return;
  const at = rows.indexOf(document.activeElement.closest('tr[data-key]'));
  const row = rows[Math.min(rows.length - 1, Math.max(0, at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by))];
  row.focus();
  row.scrollIntoView({block: 'nearest'});
}

export function showKeys() {
  const dialog = document.getElementById('keys');
  dialog.replaceChildren(
      element('h2', {id: 'keys-title'}, 'Keys'),
      element('dl', {}, kKeys.map(([key,
                                    means]) => [element('dt', {}, element('kbd', {}, key)), element('dd', {}, means)])),
      button('close', () => dialog.close()));
  if (!dialog.open) dialog.showModal();
}

// open(address): goes to the address of a row.
export function listenToKeys(open) {
  document.addEventListener('keydown', (event) => {
    const at = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById('keys').open) return;
    if (event.key === 'Escape') {
      if (typing(at))
        at.blur();
      else
        goBack();
      return;
    }
    if (typing(at)) return;
    const row = at.matches?.('tr[data-key]') ? at : null;
    const steps = {'j': 1, 'k': -1, ...(row ? {'ArrowDown': 1, 'ArrowUp': -1} : {})};
    if (event.key in steps)
      walk(steps[event.key]);
    else if (event.key === 'Enter' && row?.dataset.href)
      open(row.dataset.href);
    else if (event.key === 'Enter' && row)
      row.querySelector('a, button')?.click();
    else if (event.key === '/') {
      const box = document.querySelector('#view [data-search], #view input[type=text], #view textarea');
      box?.focus();
      if (box?.matches('input')) box.select();  // what is typed takes the place of the old words
    } else if (event.key === '?')
      showKeys();
    else
      return;
    event.preventDefault();
  });
}
