// Elements of a page. What comes from a store is only ever text: no function here takes markup.

const kSvg = 'http://www.w3.org/2000/svg';
const kLongest = 20000;  // characters of one text that are drawn unasked

const kSeen = ['title', 'aria-label', 'placeholder'];  // attributes that people read

// Characters that cannot be seen, or that reorder what stands around them.
const kUnseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u206f\ufff9-\ufffb]/g;

// The same text with those spelled, as the program spells them at a terminal.
export function spelled(text) {
  return String(text).replace(kUnseen, (c) => {
    const code = c.charCodeAt(0);
    return code < 0xa0 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on'))
      node.addEventListener(name.slice(2), value);
    else
      node.setAttribute(name, value === true ? '' : kSeen.includes(name) ? spelled(value) : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false)
      node.append(child instanceof Node ? child : spelled(child));
  }
  return node;
}

// element('a', {href: '/', onclick: f}, 'words', otherElement)
export const element = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);

export const drawing = (tag, attributes = {}, ...children) =>
    filled(document.createElementNS(kSvg, tag), attributes, children);

export const button = (words, onclick, attributes = {}) =>
    element('button', {type: 'button', onclick, ...attributes}, words);

// What stands where something would.
export const notThere = (words) => element('p', {class: 'empty'}, words);

// A long text is cut; a button shows the rest. draw(text) gives the nodes of what is shown.
export function longText(text, draw = (part) => [spelled(part)]) {
  const place = element('span', {dir: 'auto', class: 'text'});
  if (text.length <= kLongest) {
    place.append(...draw(text));
    return place;
  }
  const all = () => place.replaceChildren(...draw(text));
  place.append(
      ...draw(text.slice(0, kLongest)), '… ',
      button(`show all ${text.length.toLocaleString('en')} characters`, all, {class: 'more'}));
  return place;
}

// Draws again, and leaves the keyboard where it was: on the row or control of the same data-key.
function keepingFocus(place, draw) {
  const held = place.contains(document.activeElement) ? document.activeElement : null;
  const key = held?.closest('[data-key]')?.dataset.key;
  const words = held?.tagName === 'A' || held?.tagName === 'BUTTON' ? held.textContent : null;
  draw();
  if (!held || place.contains(held)) return;
  const near =
      key === undefined ? place : [...place.querySelectorAll('[data-key]')].find((row) => row.dataset.key === key);
  const same = words && near && [...near.querySelectorAll('a, button')].find((one) => one.textContent === words);
  (same ?? (near === place ? null : near))?.focus({preventScroll: true});
}

// A part of a page that is drawn only when what it shows is another: scroll, focus and open parts stay.
export function region(draw, attributes = {}) {
  const place = element('div', {class: 'region', ...attributes});
  let last;
  const show = (...what) => {
    const now = JSON.stringify(what);
    if (now === last) return;
    keepingFocus(place, () => place.replaceChildren(...[draw(...what)].flat().filter((node) => node instanceof Node)));
    last = now;
  };
  place.forget = () => {
    last = undefined;
    place.replaceChildren();
  };
  return {place, show};
}

// What no longer holds goes from every region of a page: its controls stay.
export function forgetRegions(place) {
  for (const one of place.querySelectorAll('.region')) one.forget?.();
}

// Notes of the server, a line each; of many the first, and the others behind how many they are.
const kNotes = 4;
const noteOf = (note) => element('p', {class: 'note'}, note);
export const notesRegion = () => region(
    (notes) => notes.length <= kNotes ? notes.map(noteOf) : [
      ...notes.slice(0, kNotes - 1).map(noteOf),
      element(
          'details', {class: 'note'}, element('summary', {}, `${notes.length - kNotes + 1} more notes on these numbers`),
          notes.slice(kNotes - 1).map(noteOf))
    ],
    {class: 'region notes'});
