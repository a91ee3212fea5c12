// Texts of a record: what was changed in them, what stands as evidence in them, and what this level does not read.

import {element, longText, spelled} from './elements.js';

// A piece of a diff; the white space at its ends is nobody's.
function changed(tag, words) {
  const [, before, inner, after] = /^(\s*)([^]*?)(\s*)$/.exec(words);
  return [before, inner ? element(tag, {}, inner) : '', after];
}

// Which words a sanitizer took out (del) or put in (ins). parts: pieces that make the whole text, one behind the other;
// one that the original spells in another way has that as its third. side: 'gone' shows the original, 'new' the released
// text.
export function diffText(parts, side) {
  const shown = parts.filter(([state]) => state === 'same' || state === side)
                    .map(([state, words, original]) => [state, side === 'gone' ? original ?? words : words]);
  const whole = shown.map(([, words]) => words).join('');
  // Where a text is cut, its marks are cut as well.
  return longText(whole, (part) => {
    const nodes = [];
    let left = part.length;
    for (const [state, words] of shown) {
      if (left <= 0) break;
      const piece = words.slice(0, left);
      left -= words.length;
      nodes.push(...(state === 'same' ? [spelled(piece)] : changed(state === 'gone' ? 'del' : 'ins', piece)));
    }
    return nodes;
  });
}

// Where `evidence` stands in `text`: [begin, end], or null. White space may differ.
export function placeOf(evidence, text) {
  const words = evidence?.trim().split(/\s+/).filter(Boolean) ?? [];
  if (words.length === 0) return null;
  const exact = text.indexOf(evidence.trim());
  if (exact >= 0) return [exact, exact + evidence.trim().length];
  const pattern = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('\\s+');
  const found = words.length < 2000 ? new RegExp(pattern).exec(text) : null;
  return found ? [found.index, found.index + found[0].length] : null;
}

const kPlain = new Set(
    ('a an and are as at be been but by for from had has have he her him his i in is it its my of on or our she so that the their them ' +
     'they this to was we were which who will with you')
        .split(' '));
const kWord = /[\p{L}\p{N}]+/gu;

// The words of a claim that tell something, in small letters, cut to the begin that forms of one word share.
export function tellingWords(text) {
  return [...new Set((text.toLowerCase().match(kWord) ?? []).filter((word) => !kPlain.has(word)).map(stemOf))];
}

const stemOf = (word) => (/^\p{L}{5,}$/u.test(word) ? word.replace(/(ing|ed|es|s)$/u, '') : word);

// A piece of evidence: those of its words that the claims have are marked more.
function heardWords(words, telling) {
  const nodes = [];
  let last = 0;
  for (const found of words.matchAll(kWord)) {
    if (!telling.has(stemOf(found[0].toLowerCase()))) continue;
    nodes.push(words.slice(last, found.index), element('b', {class: 'heard'}, found[0]));
    last = found.index + found[0].length;
  }
  return [...nodes, words.slice(last)];
}

// A text with places marked: [{begin, end, key, rating, words}]. Where places overlap, a piece carries all their keys.
export function markedText(text, places) {
  return longText(text, (part) => {
    const ends = places.flatMap(({begin, end}) => [begin, end]);
    const cuts = [...new Set([0, part.length, ...ends])].filter((cut) => cut <= part.length).sort((a, b) => a - b);
    return cuts.slice(1).map((end, i) => {
      const begin = cuts[i], over = places.filter((place) => place.begin <= begin && place.end >= end);
      const words = part.slice(begin, end);
      if (over.length === 0) return spelled(words);
      return element(
          'mark', {
            'data-claims': over.map((place) => place.key).join(' '),
            'class': `heard-${Math.min(...over.map((place) => place.rating))}`,
            'title': `evidence of claim ${over.map((place) => `#${place.key}`).join(', ')}`
          },
          heardWords(words, new Set(over.flatMap((place) => place.words))));
    });
  });
}

const kLevelOf = {
  original: 'originals',
  diff: 'originals',
  error: 'originals',
  replies: 'originals'
};

// Stands where this server may not read the words, and says how it may.
export function hiddenWords(field) {
  const level = kLevelOf[field] ?? 'claims';
  return element(
      'p', {class: 'hidden'}, 'Not read at this level: ', element('code', {}, `residue serve --${level}`),
      ' shows it.');
}
