// What the pages share on which people answer: who somebody is, how long they look, their keys, and what was refused.

import { button, element } from './elements.js';

const kKeptAs = 'residue.annotator';
const kMostBytes = 100; // of a name
const kDay = 86400;

let name = null; // Where the browser keeps nothing for this tab.

export function annotator() {
  try {
    return sessionStorage.getItem(kKeptAs) ?? name;
  } catch (error) {
    return name;
  }
}

export function setAnnotator(words) {
  name = words;
  try {
    if (words === null) sessionStorage.removeItem(kKeptAs);
    else sessionStorage.setItem(kKeptAs, words);
  } catch (error) {
    // It is known until the page is closed.
  }
}

// Why this is no name, in words; null: it is one.
export function nameTrouble(words) {
  if (words === '') return 'Type a name first.';
  if (new TextEncoder().encode(words).length > kMostBytes) return `A name has at most ${kMostBytes} bytes.`;
  return /\p{Cc}/u.test(words) ? 'A name has no control characters.' : null;
}

// Asks who somebody is, before anything else is asked.
export function nameForm(why, done) {
  const input = element('input', { 'id': 'annotator', 'type': 'text', 'autocomplete': 'off', 'spellcheck': 'false', 'aria-describedby': 'annotator-why' });
  const trouble = element('p', { class: 'lost', role: 'alert' });
  const submit = (event) => {
    event.preventDefault();
    trouble.textContent = nameTrouble(input.value.trim()) ?? '';
    if (trouble.textContent) input.focus();
    else done(input.value.trim());
  };
  return element('form', { class: 'who', onsubmit: submit }, element('label', { for: 'annotator' }, 'Your name'),
    element('span', {}, input, ' ', element('button', { type: 'submit', class: 'primary' }, 'Begin')), trouble,
    element('p', { class: 'soft', id: 'annotator-why' }, why));
}

const running = new Set();

// Seconds that somebody looked: it stands still while the tab is hidden, and while it is stopped.
export class Stopwatch {
  #spent = 0;
  #since = null;

  start() {
    running.add(this);
    this.look();
  }

  stop() {
    running.delete(this);
    this.look();
  }

  look() {
    const runs = running.has(this) && document.visibilityState === 'visible';
    if (runs === (this.#since !== null)) return;
    if (!runs) this.#spent += performance.now() - this.#since;
    this.#since = runs ? performance.now() : null;
  }

  // At most a day, to a hundredth.
  get seconds() {
    const all = this.#spent + (this.#since === null ? 0 : performance.now() - this.#since);
    return Math.min(kDay, Math.round(all / 10) / 100);
  }
}

document.addEventListener('visibilitychange', () => running.forEach((one) => one.look()));

// "0:09", "12:40"
export const clockWords = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

// Calls each second while `root` is on the page, and once when it has left it.
export function eachSecond(root, tick, left) {
  const timer = setInterval(() => {
    if (root.isConnected) return tick();
    clearInterval(timer);
    return left();
  }, 1000);
}

// Keys of one view, before those of all views. take(event, typing): whether it took the key.
export function takeKeys(root, take) {
  const listen = (event) => {
    if (!root.isConnected) {
      removeEventListener('keydown', listen, true);
      return;
    }
    if (event.isComposing || event.altKey || event.metaKey || document.getElementById('keys').open) return;
    if (!take(event, Boolean(event.target.matches?.('input:not([type=checkbox]):not([type=range]), textarea, select')))) return;
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('keydown', listen, true);
}

// Whether Enter would press what has the focus.
export const pressable = (at) => Boolean(at.matches?.('a, button, summary, input:not([type=checkbox]), select, textarea'));

// What the server refused, and what to do about it. kept: what of the person's is still there. again: asks once more.
export function refusalPart(error, kept, again) {
  const lead = error.status === 503 ? 'The texts, or what is known of them, changed while you looked. ' : '';
  return element('div', { class: 'problem', role: 'alert' }, element('p', { class: 'problem-words' }, lead, error.message),
    element('p', { class: 'soft' }, error.hint ? `${error.hint}. ` : null, kept), again ? button('try again', again) : null);
}

// What stands in place of the page where the server reads no claims; null: it reads them.
export function levelPart(level) {
  if (level !== 'released') return null;
  return element('div', { class: 'problem' }, element('p', { class: 'problem-words' }, 'This server was started to show released texts only, and here people read claims, too.'),
    element('p', {}, 'Stop it (Ctrl+C in its terminal), start ', element('code', {}, 'residue serve --claims'), ' and open the address that it prints.'));
}

// Who somebody is, and a way to be somebody else.
export const whoPart = (who, change) => element('span', { class: 'field' }, element('span', { class: 'soft' }, 'annotator'), element('b', { class: 'annotator', dir: 'auto' }, who), button('change', change, { class: 'link' }));

export const keyWords = (keys) => element('p', { class: 'soft key-words' }, keys.map(([key, means]) => element('span', {}, element('kbd', {}, key), ` ${means}`)));
