// One record: what it was, what was released of it, what the attacker found, and which words leaked.

import {apiAddress} from './ask.js';
import {element, longText, notThere, region} from './elements.js';
import {metricHeading} from './runs.js';
import {tableOf} from './table.js';
import {diffText, hiddenWords, markedText, placeOf, tellingWords} from './texts.js';
import {drawVotes, votesLink} from './votes.js';
import {digits, outcomeMark, ratingMark, several, stateMark} from './words.js';

const isHidden = (answer, field) => answer.hidden?.includes(field) ?? false;

function panel(title, under, ...body) {
  return element(
      'section', {class: 'panel'}, element('h3', {}, title), under ? element('p', {class: 'soft under'}, under) : null,
      ...body);
}

// A text of its own height, which is scrolled where it is longer.
const prose = (whose, words) =>
    element('div', {'class': 'prose', 'tabindex': '0', 'role': 'group', 'aria-label': whose}, words);

const isNot = (flag) => flag === false || flag === 0;

function originalPanel(answer) {
  const body = isHidden(answer, 'original') ? hiddenWords('original')
      : answer.original === null            ? notThere('There is no original.')
      : answer.diff                         ? prose('the original', diffText(answer.diff, 'gone'))
                                            : prose('the original', longText(answer.original));
  return panel('Original', answer.diff ? 'struck words are not in the released text' : null, body);
}

function releasedPanel(answer) {
  const body = answer.released === null || answer.released === undefined
      ? notThere(isHidden(answer, 'released') ? 'Not read at this level.' : 'There is no released text.')
      : answer.diff ? prose('the released text', diffText(answer.diff, 'new'))
                    : prose('the released text', longText(answer.released));
  return panel(
      `Released by ${answer.run}`,
      answer.error ? `failed: ${answer.error}`
          : answer.diff ? 'underlined words are new'
                        : null,
      body);
}

// Evidence of the claims that leaked, and of those alone; with the words of the claim that stand there.
function evidencePlaces(answer) {
  return (answer.claims ?? []).filter((claim) => claim.rating === 1 || claim.rating === 2).flatMap((claim) => {
    const place = claim.evidence ? placeOf(claim.evidence, answer.found.text) : null;
    return place
        ? [{begin: place[0], end: place[1], key: claim.n, rating: claim.rating, words: tellingWords(claim.claim ?? '')}]
        : [];
  });
}

// How it stands with the attack on the record: failed; done; changed: its text or facts are others since; missing: there
// was nothing to attack it with; outside: of a sample; or not computed.
function standingOf(answer) {
  if (answer.error) return 'failed';
  const stateOf = (name) => (answer.scores ?? []).find((row) => row.metric === name)?.state;
  const linked = [answer.outcome, answer.tied].some((value) => value !== null && value !== undefined);
  if (!linked)
    return [stateOf('leak_rate'), stateOf('linkage_rate')].includes('missing') ? 'missing'
        : answer.sample > 0                                                    ? 'outside'
                                                                               : 'not computed';
  const unrated = answer.claims?.length > 0 && answer.claims.every((claim) => (claim.known ?? null) === null);
  return unrated && stateOf('leak_rate') === 'value' ? 'changed' : 'done';
}

const notAttacked = (answer) => ['missing', 'outside', 'not computed'].includes(standingOf(answer));

const kNotFound = {
  'missing': 'There was nothing to attack it with: too few claims. It counts as if everything had leaked.',
  'outside': 'It is not in the sample that was attacked.',
  'not computed': 'Not computed: no attack on this text was evaluated.'
};

function foundPanel(answer) {
  if (notAttacked(answer)) return panel('Found by the attacker', null, notThere(kNotFound[standingOf(answer)]));
  if (!answer.found) return panel('Found by the attacker', null, notThere('The attacker found nothing.'));
  const itself = answer.found.record === answer.record;
  const made = answer.runs.some((one) => one.run === answer.run && one.state === 'synthetic');
  const body = answer.found.text === null
      ? isHidden(answer, 'found') ? hiddenWords('found') : notThere('There is no text.')
      : prose('the text that was found', markedText(answer.found.text, evidencePlaces(answer)));
  return panel(
      'Found by the attacker',
      itself ? 'the text of this very record; marked: words of claims that leaked, where the judge saw them'
             : `the ${made ? 'synthetic text' : 'text of'} ${answer.found.record}${
                   made ? '' : ', another record'}; marked: what it gives away all the same`,
      body);
}

function claimRating(claim) {
  if (claim.known)
    return element('span', {class: 'state', title: 'the attacker had it: it does not count'}, 'known to him');
  if (claim.known === null || claim.known === undefined) return stateMark('not computed');
  if (isNot(claim.counts))
    return element(
        'span', {}, ratingMark(claim.rating), ' ',
        element(
            'span', {class: 'state', title: "the record's own text failed: everything counts as leaked"},
            'does not count'));
  return ratingMark(claim.rating);
}

function claimsTable(page, answer) {
  const hidden = isHidden(answer, 'claims');
  const columns = [
    {name: 'claim', number: true, cell: (claim) => `#${claim.n}`, plain: (claim) => claim.n},
    {name: 'rating', cell: claimRating, plain: (claim) => (claim.known ? 'known' : claim.rating)},
    ...(hidden ? [] : [{
      name: 'words',
      kind: 'words',
      plain: (claim) => claim.claim,
      cell: (claim) => element(
          'span', {}, claim.claim === null ? '–' : longText(claim.claim),
          claim.why ? element('small', {class: 'why'}, longText(claim.why)) : null)
    }]),
    {
      name: 'about',
      plain: (claim) => claim.category,
      cell: (claim) => element(
          'span', {},
          (claim.category ??
           []).map((name) => element('a', {class: 'tag', href: page.link('/leaks', {category: name})}, name)))
    },
    ...(hidden || !answer.found ? [] : [{
      name: 'votes',
      plain: null,
      means: 'what each judge said of it, vote by vote',
      cell: (claim) => votesLink(page, claim.n)
    }]),
  ];
  const order = (claim) => (claim.known ? 9 : claim.rating ?? 8);
  const rows = [...(answer.claims ?? [])].sort((a, b) => order(a) - order(b) || a.n - b.n);
  return element('div', {}, hidden ? hiddenWords('claims') : null, tableOf({
                   name: `claims-${answer.record}`,
                   caption: 'Each claim of the record against the text that was found; what leaked first',
                   columns,
                   rows,
                   key: (claim) => String(claim.n),
                   mark: (claim) =>
                       (String(claim.n) === page.query.claim    ? 'pinned'
                            : claim.known || claim.rating === 3 ? 'quiet'
                                                                : null),
                   sql: answer.claims_sql,
                   json: apiAddress('record', page.asked(['record', 'run'])),
                   empty: 'Nobody rated claims of this record: residue atomize and residue eval do it.'
                 }));
}

const staleMark = () =>
    element('small', {class: 'lost', title: 'of the text or the facts before they changed'}, 'stale');

// What the same attack finds and learns in a release without this person: chance, beside which the attack stands.
function absentPart({absent}) {
  if (!absent?.record) return null;
  const rated = Object.entries(absent.ratings ?? {});
  return element(
      'details', {class: 'absent'},
      element(
          'summary', {class: 'soft'}, `the text of ${absent.record} that it finds without this person, and what is learned there`),
      absent.text ? prose('the text found without this person', longText(absent.text)) : hiddenWords('found'),
      rated.length === 0 ? notThere('No claims were rated beside it.') : element(
          'dl', {class: 'facts-list'},
          rated.map(([n, rating]) => [element('dt', {}, `claim #${n}`), element('dd', {}, ratingMark(rating))])));
}

function attackPart(answer, terms) {
  const facts = [
    [
      'outcome',
      notAttacked(answer)                     ? stateMark(standingOf(answer))
          : standingOf(answer) === 'changed' ? element('span', {}, outcomeMark(answer.outcome), ' ', staleMark())
                                              : outcomeMark(answer.outcome)
    ],
    [
      'rank of its own text',
      notAttacked(answer) ? '–'
          : answer.rank === null || answer.rank === undefined ? 'not among the best' : `${answer.rank}`
    ],
    ['tied with the best', answer.tied === null || answer.tied === undefined ? '–' : String(answer.tied)]
  ];
  if (answer.absent)
    facts.push([
      'without this person',
      element(
          'span', {}, outcomeMark(answer.absent.outcome), answer.absent.record ? ` ${answer.absent.record}` : '',
          element('small', {class: 'soft'}, ' the same attack on a release without the record'))
    ]);
  return element(
      'div', {},
      element('dl', {class: 'facts-list'}, facts.map(([name,
                                                       value]) => [element('dt', {}, name), element('dd', {}, value)])),
      element('h3', {}, 'What the attacker knew'),
      isHidden(answer, 'query') ? hiddenWords('query')
                                : element('blockquote', {}, answer.query ? longText(answer.query) : '–'),
      terms, absentPart(answer));
}

function drawTerms(page, answer) {
  if (!answer) return [];
  if (isHidden(answer, 'terms')) return [hiddenWords('terms')];
  if (answer.missing) return [element('p', {class: 'soft'}, `Its terms cannot be shown: ${answer.missing}`)];
  if (!answer.terms?.length) return [];
  return [tableOf({
    name: `terms-${answer.record}`,
    caption: 'The attack by term: what each adds to the score of the text found, and of its own text',
    columns: [
      {name: 'term', cell: (row) => row.term}, {
        name: 'documents',
        title: 'in texts',
        number: true,
        means: 'how many released texts have it: the fewer, the more it tells',
        cell: (row) => String(row.documents)
      },
      {
        name: 'winner',
        title: 'found text',
        number: true,
        cell: (row) => digits(row.winner),
        plain: (row) => row.winner
      },
      {name: 'truth', title: 'own text', number: true, cell: (row) => digits(row.truth), plain: (row) => row.truth}
    ],
    rows: answer.terms,
    key: (row) => row.term,
    sql: answer.sql,
    json: apiAddress('terms', page.asked(['record', 'run']))
  })];
}

function scoresTable(page, answer) {
  const all = answer.scores ?? [];
  const changed = standingOf(answer) === 'changed';
  const old = (row) => row.state === 'value' && (changed || row.stale);
  const modelsDiffer = new Set(all.map((row) => row.model).filter(Boolean)).size > 1;
  const table = (rows) => tableOf({
    name: `scores-${answer.record}`,
    caption: changed ? 'What the record added to each metric before it changed' : 'What the record adds to each metric',
    rows,
    taken: all,
    sql: answer.scores_sql,
    key: (row) => `${row.metric} ${row.model ?? ''}`,
    columns: [
      {
        name: 'metric',
        plain: (row) => row.metric,
        cell: (row) => element(
            'span', {},
            element(
                'a', {href: page.link('/records', {metric: row.metric, model: row.model})},
                metricHeading(row.metric, page.metrics.get(row.metric)?.direction)),
            modelsDiffer && row.model ? element('small', {class: 'soft'}, ` ${row.model}`) : null)
      },
      {
        name: 'value',
        number: true,
        plain: (row) => row.value,
        cell: (row) => element(
            'span', {}, row.state === 'value' ? digits(row.value) : stateMark(row.state), old(row) ? [' ', staleMark()] : null)
      },
      {name: 'state', plain: (row) => (old(row) ? 'stale' : row.state), cell: null},
      {name: 'model', plain: (row) => row.model, cell: null}
    ]
  });
  const none = all.filter((row) => row.state === 'not applicable');
  return element(
      'div', {}, table(all.filter((row) => row.state !== 'not applicable')),
      none.length > 0
          ? element(
                'details', {}, element('summary', {class: 'soft'}, `${several(none.length, 'metric')} not applicable`),
                element('p', {class: 'soft'}, none.map((row) => row.metric).join(', ')))
          : null);
}

function runsStrip(page, answer) {
  return element(
      'nav', {'class': 'runs-strip', 'aria-label': 'The record in each run'},
      answer.runs.map(
          (one) => element(
              'a', {'href': page.here({run: one.run}), 'aria-current': one.run === answer.run ? 'page' : null},
              element('b', {}, one.run),
              one.state === 'ok' ? outcomeMark(one.outcome) : stateMark(one.state))));
}

const kLeads = {
  'changed': ({run, dataset}) => `What leaks in ${
      run} is not computed for the text as it is: it changed since it was attacked. residue eval ${
      dataset} attacks it again.`,
  'missing': ({run}) => `What leaks in ${
      run} is missing: too few claims to attack the record with. It counts as if everything had leaked.`,
  'outside': ({run, sample}) => `What leaks in ${
      run} is not computed: the record is not in the sample of ${sample} that was attacked.`,
  'not computed': ({run, dataset}) => `What leaks in ${run} is not computed: residue eval ${dataset} attacks it.`
};

function drawn(page, answer, votes, terms) {
  const leaked =
      (answer.claims ??
       []).filter((claim) => !claim.known && !isNot(claim.counts) && (claim.rating === 1 || claim.rating === 2));
  const asked = (answer.claims ?? []).filter((claim) => !claim.known && !isNot(claim.counts) && claim.rating !== null);
  const parts = [runsStrip(page, answer)];
  if (!answer.run)
    return [
      ...parts, element('div', {class: 'panels'}, originalPanel({...answer, diff: null})),
      element('p', {class: 'empty'}, 'Choose a run to see what it made of the record.')
    ];
  const lead = answer.error ? `The text of this record failed in ${answer.run}: it counts as if everything had leaked.`
      : kLeads[standingOf(answer)] ? kLeads[standingOf(answer)](answer)
                            : `${leaked.length} of ${asked.length} claims that the attacker did not know leaked: ${
                                  leaked.filter((claim) => claim.rating === 1).length} in full, ${
                                  leaked.filter((claim) => claim.rating === 2).length} in part.`;
  return [
    ...parts, element('p', {class: 'summary'}, lead),
    element('div', {class: 'panels'}, originalPanel(answer), foundPanel(answer), releasedPanel(answer)),
    element('h2', {}, 'Claims'), claimsTable(page, answer), votes,
    element(
        'div', {class: 'halves'}, element('section', {}, element('h2', {}, 'The attack'), attackPart(answer, terms)),
        element('section', {}, element('h2', {}, 'Numbers'), scoresTable(page, answer)))
  ];
}

// A claim under the pointer or the keyboard shows its evidence.
function followClaims(place) {
  const show = (event) => {
    const n = event.target.closest?.('tr[data-key]')?.dataset.key;
    for (const mark of place.querySelectorAll('mark[data-claims]'))
      mark.classList.toggle('heard-now', n !== undefined && mark.dataset.claims.split(' ').includes(n));
  };
  for (const name of ['mouseover', 'focusin']) place.addEventListener(name, show);
}

export const record = {
  path: '/record',
  name: null,
  open(place, page) {
    const title = element('h1', {}, 'Record');
    const whose = element('p', {class: 'soft under'});
    const votes = region((answer) => drawVotes(page, answer), {'class': 'region votes', 'aria-live': 'polite'});
    const terms = region((answer) => drawTerms(page, answer), {class: 'region terms'});
    const body = region((answer) => drawn(page, answer, votes.place, terms.place), {class: 'region record'});
    let opened = null;
    followClaims(body.place);
    place.append(element('nav', {'class': 'crumbs', 'aria-label': 'Where this is'}), title, whose, body.place);
    return async () => {
      const answer = await page.ask('record', page.asked(['record', 'run'])).catch((error) => {
        if (error.status !== 404) throw error;
        title.textContent = 'Record'; // nothing stays of one that is gone
        whose.textContent = '';
        page.title('Record');
        throw error;
      });
      place.querySelector('.crumbs').replaceChildren(element(
          'a', {href: page.link('/records', {metric: page.query.metric})},
          answer.run ? `records of ${answer.run}` : 'records'));
      title.textContent = '';
      title.append(element('span', {}, answer.record));
      whose.textContent = '';
      whose.append(element(
          'span', {},
          answer.person ? `a record of ${answer.person}, dataset ${answer.dataset}` : `dataset ${answer.dataset}`));
      const there = answer.found && !isHidden(answer, 'claims') &&
          answer.claims?.some((claim) => String(claim.n) === page.query.votes);
      const n = there ? page.query.votes : null;
      body.show(answer, page.query.claim, n);
      votes.show(n ? await page.ask('votes', page.asked(['record', 'run'], {n})) : null);
      if (n && n !== opened) votes.place.scrollIntoView({block: 'nearest'});
      opened = n;
      page.title(`${answer.record}${answer.run ? ` in ${answer.run}` : ''}`);
      terms.show(answer.protocol?.startsWith('bm25/') ? await page.ask('terms', page.asked(['record', 'run'])) : null);
    };
  },
};
