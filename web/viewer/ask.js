// How the pages speak with their server: the session, questions, and whether something in the store changed.

// What the server said instead of an answer. `place`: the byte of a statement that is wrong, or null.
export class Refusal extends Error {
  constructor(status, {error = 'the server gave no answer', hint = null, place = null}) {
    super(error);
    Object.assign(this, {status, hint, place});
  }
}

// A query string that a person can read: '/', ':', '@' and ',' need no escape there. What is null is left out; ''
// stays: it is the name of what is not there.
export function queryOf(values) {
  const pairs = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
  const written = (word) => encodeURIComponent(word).replace(/%(2F|3A|40|2C)/g, (code) => decodeURIComponent(code));
  return pairs.map(([name, value]) => `${written(name)}=${written(value)}`).join('&');
}

// Where the server lets this browser ask: a path that it gave this origin, and that no other port's server knows.
const kPathKey = 'residue-path';
const givenPath = () => localStorage.getItem(kPathKey) ?? '';

export const apiAddress = (name, values = {}) => `${givenPath()}/api/${name}${queryOf(values) ? `?${queryOf(values)}` : ''}`;

async function responded(promise) {
  let response;
  try {
    response = await promise;
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Refusal(0, {error: 'the server does not answer', hint: 'is residue serve still running?'});
  }
  if (response.status === 403) {
    throw new Refusal(403, {
      error: 'this page has no session',
      hint: 'open the address that residue serve printed, with what stands behind #'
    });
  }
  if (!response.ok) throw new Refusal(response.status, await response.json().catch(() => ({})));
  return response;
}

async function answered(promise) {
  const response = await responded(promise);
  return response.status === 204 ? null : response.json().catch(() => ({}));
}

export const ask = (name, values, signal) =>
    answered(fetch(apiAddress(name, values), {signal, headers: {Accept: 'application/json'}}));

export const post = (name, body, values = {}, signal = undefined) =>
    answered(fetch(apiAddress(name, values), {method: 'POST', body, signal, headers: {'Content-Type': 'text/plain'}}));

// What is answered to a statement as a file.
export const postForFile = async (name, body, values) => (await responded(
    fetch(apiAddress(name, values), {method: 'POST', body, headers: {'Content-Type': 'text/plain'}}))).blob();

// The token in the address becomes a cookie that scripts cannot read, and leaves the address.
export async function openSession() {
  const token = location.hash.slice(1);
  if (!/^[A-Za-z0-9_-]{4,}$/.test(token) || document.getElementById(token)) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  localStorage.removeItem(kPathKey);
  const given = await post('session', token);
  if (given?.path) localStorage.setItem(kPathKey, given.path);
}

// Asks once a second, while somebody looks, whether the store changed, and how far evaluations are: hear(evaluations).
// tell(null): it did not answer.
export function watchChanges(first, tell, hear) {
  let last = first, silent = false;
  const look = async () => {
    if (document.visibilityState === 'visible') {
      try {
        const {change, evaluations} = await ask('change');
        hear(evaluations ?? []);
        if ((last !== undefined && change !== last) || silent) tell(change);
        [last, silent] = [change, false];
      } catch (error) {
        if (!silent) tell(null, error);
        silent = true;
      }
    }
    setTimeout(look, 1000);
  };
  setTimeout(look, 1000);
}
