// Votes on a claim: what each judge said of it beside the text that was found, and what models replied.

import {apiAddress} from './ask.js';
import {element, longText, notThere} from './elements.js';
import {tableOf} from './table.js';
import {hiddenWords} from './texts.js';
import {ratingMark} from './words.js';

// Leads to the votes on a claim, and from there back: they are asked for where somebody wants to see them.
export function votesLink(page, n) {
  const open = page.query.votes === String(n);
  return element(
      'a', {
        'class': 'votes-link',
        'href': page.here({votes: open ? null : n}),
        'aria-label': `votes on claim #${n}`,
        'aria-expanded': open ? 'true' : 'false'
      },
      'votes');
}

const voteWords = (vote) => (vote.rating === null ? '–' : String(vote.rating));

const kHasNoVotes = {
  embedded: 'computed here: it has no votes, and nobody replied',
  unknown: 'of an earlier version: its replies cannot be found',
};

const scrolled = (tag, label, words) =>
    element(tag, {'class': 'reply', 'tabindex': '0', 'role': 'group', 'aria-label': label}, longText(words));

// What came back to one vote. The words of the model stand first, all that its server sent behind them.
function replyPart(reply) {
  const about = [
    `reply ${reply.attempt}`, reply.at ? new Date(reply.at).toISOString().slice(0, 16).replace('T', ' ') : null,
    reply.status === 200 ? null : `HTTP ${reply.status}`, reply.problem
  ];
  return [
    element('p', {class: reply.problem ? 'lost' : 'soft'}, about.filter(Boolean).join(', ')),
    reply.content ? scrolled('blockquote', 'the words of the model', reply.content) : null,
    element(
        'details', {}, element('summary', {class: 'soft'}, 'as its server sent it'),
        scrolled('pre', 'the reply of the server', reply.raw))
  ];
}

function repliesPart(answer) {
  if (answer.judges.every((one) => one.kind !== 'model')) return null;
  if (answer.hidden?.includes('replies')) return hiddenWords('replies');
  const partOf = (judge, vote) => [
    element(
        'h3', {}, `${judge}, vote ${vote.sample + 1}: `,
        vote.rating === null ? 'no rating' : ratingMark(vote.rating)),
    vote.replies.length === 0 ? notThere('There is no reply.') : vote.replies.map(replyPart)
  ];
  return answer.judges.filter((one) => one.kind === 'model')
      .map((one) => element('section', {}, one.votes.map((vote) => partOf(one.judge, vote))));
}

export function drawVotes(page, answer) {
  if (!answer) return [];
  const table = tableOf({
    name: `votes-${answer.record}-${answer.n}`,
    caption: `What each judge said of claim #${answer.n} beside the text that was found`,
    rows: answer.judges,
    key: () => String(answer.n),
    columns: [
      {name: 'judge', cell: (one) => one.judge},
      {name: 'rating', plain: (one) => one.rating, cell: (one) => ratingMark(one.rating)}, {
        name: 'votes',
        plain: (one) => one.votes.map(voteWords),
        cell: (one) => kHasNoVotes[one.kind] ?? one.votes.map(voteWords).join(' ')
      },
      {
        name: 'asked',
        plain: (one) => one.asks,
        cell: (one) => (one.kind === 'elsewhere' ? 'elsewhere: its ratings were brought in'
                            : one.together > 1   ? `${one.asks}, ${one.together} claims at once`
                                                 : one.asks ?? '–')
      }
    ],
    sql: answer.sql,
    csv: apiAddress('votes', {...page.asked(['record', 'run']), n: answer.n, format: 'csv'}),
    json: apiAddress('votes', {...page.asked(['record', 'run']), n: answer.n}),
    empty: 'Nobody rated this claim beside the text that was found.'
  });
  return [element('h2', {}, `Votes on claim #${answer.n}`), table, repliesPart(answer)].flat();
}
