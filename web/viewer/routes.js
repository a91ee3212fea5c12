// Where one is: the path names the view, the query holds its state. Every state has an address of its own.

import {queryOf} from './ask.js';

// What stays when one goes to another view.
const kCarried = ['dataset', 'protocol', 'judge', 'sample', 'seeds', 'run', 'baseline'];

export const routeNow = () =>
    ({path: location.pathname, query: Object.fromEntries(new URLSearchParams(location.search))});

export function addressOf(path, query) {
  const words = queryOf(query);
  return words ? `${path}?${words}` : path;
}

// The address of another view from here.
export function addressFrom(query, path, changes = {}) {
  const carried = Object.fromEntries(kCarried.filter((name) => query[name]).map((name) => [name, query[name]]));
  return addressOf(path, {...carried, ...changes});
}

let follow = () => {};

// Calls show({back}) whenever the address changes; back: the scroll position to return to, or null.
export function onRoute(show) {
  follow = show;
  history.scrollRestoration = 'manual';
  addEventListener('popstate', () => show({back: history.state?.scroll ?? 0}));
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[href]');
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey ||
        event.altKey)
      return;
    const to = new URL(link.href);
    if (to.origin !== location.origin || link.hasAttribute('download') || link.target ||
        /^\/(api|web)\//.test(to.pathname))
      return;
    if (to.hash && to.pathname === location.pathname && to.search === location.search) return;
    event.preventDefault();
    go(to.pathname + to.search);
  });
}

export function go(address, {replace = false} = {}) {
  if (address === location.pathname + location.search) replace = true;
  if (!replace) history.replaceState({...history.state, scroll: scrollY}, '');
  const depth = (history.state?.depth ?? 0) + (replace ? 0 : 1);
  history[replace ? 'replaceState' : 'pushState']({depth}, '', address);
  follow({back: replace ? scrollY : null});
}

// To the view before, if it was one of ours.
export function goBack() {
  if (history.state?.depth > 0) history.back();
}
