// Controls that say what a view is about: datasets, attackers, runs, metrics; and what a list can be narrowed to, each
// with how many rows are left by the others (facets).

import {element} from './elements.js';
import {counted, outcomeWords} from './words.js';

let fields = 0;

// A label with a select that keeps its choice in the address. set(options: [[value, words]], chosen)
export function choice(label, change, attributes = {}) {
  const id = `choice-${++fields}`;
  const list = element('select', {id, onchange: () => change(list.value), ...attributes});
  const place = element('span', {class: 'field'}, element('label', { for: id
                        }, label), list);
  let last = '';
  const set = (options, chosen) => {
    const all = options.some(([value]) => value === chosen) || chosen === undefined || chosen === ''
        ? options
        : [...options, [chosen, chosen]];
    const now = JSON.stringify(all);
    if (now !== last) list.replaceChildren(...all.map(([value, words]) => element('option', {value}, words)));
    last = now;
    list.value = chosen ?? '';
    place.hidden = all.length === 0;
  };
  return {place, set, list};
}

// A label with a box to type into; commit(words) on Enter or when it is left. What is being typed stays.
export function box(label, commit, attributes = {}) {
  const id = `choice-${++fields}`;
  const input = element('input', {id, type: 'text', autocomplete: 'off', spellcheck: 'false', ...attributes});
  let last = null;
  const done = () => {
    if (input.value !== last) commit(last = input.value);
  };
  input.addEventListener('change', done);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') done();
  });
  const place = element('span', {class: 'field'}, element('label', { for: id
                        }, label), input);
  const set = (words) => {
    if (document.activeElement !== input || input.value === last) input.value = words ?? '';
    last = words ?? '';
  };
  set('');
  return {place, set, input};
}

// Over how many seeds numbers are means, where there are several: as they were evaluated last, unless somebody chooses.
export function seedsChoice(page) {
  const list = choice('seeds', (count) => page.set({seeds: count}));
  const words = (seeds) => (seeds.length === 1 ? `${seeds[0]} alone` : `${seeds[0]} to ${seeds.at(-1)}, their mean`);
  return {
    place: list.place,
    set(answer) {
      const seeds = page.seeds;
      list.set(
          seeds.length > 1 ? seeds.map((seed, i) => [String(i + 1), words(seeds.slice(0, i + 1))]) : [],
          seeds.length > 1 ? String(answer.seeds) : '');
      if (seeds.length > 1) page.settle({seeds: String(answer.seeds)});
    }
  };
}

// Runs of a dataset, the controls at the end.
export const runChoices = (runs) => [...runs.filter((run) => !run.control), ...runs.filter((run) => run.control)].map(
    (run) => [run.run, run.control ? `${run.run} (control)` : run.run]);

// The run that a page is of where nobody chose one: the first that has numbers, rather no control.
export function firstEvaluated(runs) {
  const done = (run) => run.evaluated !== false, real = (run) => !run.control;
  return runs.find((run) => done(run) && real(run)) ?? runs.find(real) ?? runs[0];
}

export const metricChoices = (metrics) => [...metrics.keys()].map((name) => [name, name]);

// What is not there has an empty name in addresses.
const nameOfFacet = (value) => (value === null ? '' : String(value));

// facets: {name: [[value, count], ...]}; chosen: what of each is chosen now; addressFor(changes): where a choice leads.
// words(name, value): how the value is called; outcomes of the attack are called as everywhere.
export function facetsOf(facets, chosen, addressFor, words = (name, value) => String(value)) {
  const groups =
      Object.entries(facets ?? {}).filter(([name, values]) => values.length > 1 || chosen[name] !== undefined);
  if (groups.length === 0) return null;
  return element('nav', {'class': 'facets', 'aria-label': 'Narrow the list'}, groups.map(([name, values]) => {
    const there = chosen[name] === undefined || values.some(([value]) => nameOfFacet(value) === chosen[name])
        ? values
        : [...values, [chosen[name], 0]];
    return element('div', {class: 'facet'}, element('h3', {}, name), element('ul', {}, there.map(([value, count]) => {
                     const on = nameOfFacet(value) === chosen[name];
                     return element(
                         'li', {},
                         element(
                             'a', {
                               'href': addressFor({[name]: on ? null : nameOfFacet(value), offset: null}),
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
