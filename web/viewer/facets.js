// Facets: what a list can be narrowed to, each with how many rows are left by the others.

import {element} from './elements.js';
import {counted, outcomeWords} from './words.js';

// What is not there has an empty name in addresses.
const nameOf = (value) => (value === null ? '' : String(value));

// facets: {name: [[value, count], ...]}; chosen: what of each is chosen now; addressFor(changes): where a choice leads.
// words(name, value): how the value is called; outcomes of the attack are called as everywhere.
export function facetsOf(facets, chosen, addressFor, words = (name, value) => String(value)) {
  const groups =
      Object.entries(facets ?? {}).filter(([name, values]) => values.length > 1 || chosen[name] !== undefined);
  if (groups.length === 0) return null;
  return element('nav', {'class': 'facets', 'aria-label': 'Narrow the list'}, groups.map(([name, values]) => {
    const there = chosen[name] === undefined || values.some(([value]) => nameOf(value) === chosen[name])
        ? values
        : [...values, [chosen[name], 0]];
    return element('div', {class: 'facet'}, element('h3', {}, name), element('ul', {}, there.map(([value, count]) => {
                     const on = nameOf(value) === chosen[name];
                     return element(
                         'li', {},
                         element(
                             'a', {
                               'href': addressFor({[name]: on ? null : nameOf(value), offset: null}),
                               'aria-current': on ? 'true' : null,
                               'title': on ? 'show all again' : null
                             },
                             element(
                                 'span', {},
                                 name === 'outcome'                   ? outcomeWords(value)
                                     : value === null || value === '' ? 'none'
                                                                      : words(name, value)),
                             element('span', {class: 'count'}, counted(count))));
                   })));
  }));
}
