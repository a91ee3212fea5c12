// What the store holds, what is current, and what is being evaluated at this moment.

import {apiAddress} from './ask.js';
import {element, region} from './elements.js';
import {tableOf} from './table.js';
import {counted, lackingPart, percent, several, shellWord} from './words.js';

const stateOfRun = (run) =>
    (run.running                        ? 'running'
         : run.evaluations.length === 0 ? 'not computed'
         : run.current                  ? 'current'
                                        : 'stale');
const kMeans = {
  running: 'an evaluation writes at this moment',
  current: 'all numbers are of the texts as they are',
  stale: 'its texts changed since: residue eval brings the numbers up to date',
  'not computed': 'residue eval has not looked at it'
};

const badge = (state) =>
    element('span', {class: `badge badge-${state.replace(' ', '-')}`, title: kMeans[state]}, state);

const kSilent = 10;  // seconds; a long step says nothing meanwhile

const nameOfRun = (one) => (one.run ? `${one.dataset}/${one.run}` : one.stage);

// "clinic/masked 63 %"
export const shortProgress = (one) => `${nameOfRun(one)}${one.done === null ? '' : ` ${percent(one.done)}`}`;

// "1,240 of 5,000 records, 38 a second"
function paceWords(pace, unit) {
  const of = pace.total === null ? '' : ` of ${counted(pace.total)}`;
  const rate = pace.per_second === null ? ''
      : `, ${pace.per_second < 10 ? pace.per_second.toFixed(1) : counted(Math.round(pace.per_second))} a second`;
  return `${counted(pace.done)}${of} ${unit}${rate}`;
}

const stageWords = ({stage, records, run}) =>
    (records.total === null ? stage : `${stage}: ${paceWords(records, run ? 'records' : 'done')}`);

const duration = (seconds) => (seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`);

// What evaluations do at this moment, and how far they are: as their processes say it, which end when these end.
function drawProgress(evaluations) {
  return evaluations.map((one) => element(
      'section', {'class': 'panel', 'aria-label': `The evaluation of ${nameOfRun(one)}`},
      element('h2', {}, `${nameOfRun(one)} is being evaluated`),
      one.done === null ? null : element('progress', {
        'class': 'progress',
        'max': '1',
        'value': String(one.done),
        'aria-label': 'done of all that the evaluation has to do'
      }),
      element('dl', {class: 'facts-list'}, [
        ['whole', one.done === null ? '–' : percent(one.done)],
        ['stage', stageWords(one)],
        one.asking ? ['requests', paceWords(one.asking, 'answered')] : null,
        ['attacker', one.protocol ?? 'none is needed'], ['judge', one.judge ?? '–'],
        ['for', duration(one.seconds)],
        one.silent > kSilent ? ['last word', `${duration(one.silent)} ago`] : null
      ].filter(Boolean).map(([name, words]) => [element('dt', {}, name), element('dd', {}, words)]))));
}

// Of an answer with runs: which are up to date. old: numbers that are compared are of earlier texts.
export const statesFrom = (runs) => runs.map((run) => ({
                                               run: run.run,
                                               stale: run.stale === true,
                                               evaluated: run.evaluated,
                                               old: ['linkage_rate', 'leak_rate', 'rougeL_f'].some(
                                                   (name) => run.metrics[name]?.stale === true)
                                             }));

const kNamed = 5;

// Above every view: what is stale, and that no evaluation has come to its end.
export function drawState(page, about) {
  if (!about) return [];
  const {dataset, ended, stale, protocol, judge, sample} = about;
  const words = ['residue', 'eval', dataset, ...(protocol ? ['--protocol', protocol, '--judge', judge ?? ''] : []),
    ...(Number(sample) > 0 ? ['--sample', sample] : [])];
  const command = element('code', {}, words.map(shellWord).join(' '));
  const more = stale.length > kNamed ? ` and ${counted(stale.length - kNamed)} more` : '';
  return [
    ended ? null : element(
        'p', {class: 'stale-note', role: 'status'},
        `unfinished: the first evaluation of ${dataset} has not come to its end; numbers are of the runs that are done: `,
        command.cloneNode(true), ' finishes it. ', element('a', {href: page.link('/status')}, 'Status')),
    stale.length === 0 ? null : element(
        'p', {class: 'stale-note', role: 'status'},
        `stale: ${stale.slice(0, kNamed).join(', ')}${more} changed since ${stale.length === 1 ? 'it was' : 'they were'
        } evaluated, or the evaluation was interrupted: numbers, leaks and what was found are not of the texts as they are; `,
        command)
  ];
}

// It stands where a view needs an attack and none was evaluated yet.
export const unevaluated = {
  open(place, page, wanted) {
    const body = region((dataset, records, runs, evaluations) => [
      element('p', {class: 'summary'}, `No evaluation of ${dataset} has come to an end yet: there are no numbers to show.`),
      element('p', {}, `${several(records, 'record')}, ${several(runs.length, 'run')}. `, evaluations.length > 0
        ? 'An evaluation is running; numbers appear as it writes them.'
        : ['Nothing is being evaluated: ', element('code', {}, `residue eval ${dataset}`), ' does it, and goes on where one was interrupted.']),
      ...drawProgress(evaluations),
      element('p', {}, element('a', {href: page.link('/status')}, 'Status'), ' says how far it is. ',
        element('a', {href: page.link('/records')}, 'Records'), ', ', element('a', {href: page.link('/search')}, 'Search'),
        ' and ', element('a', {href: page.link('/sql')}, 'SQL'), ' need no evaluation.')
    ]);
    place.append(element('h1', {}, wanted.name), body.place);
    let runs = [];
    const update = async () => {
      const {dataset} = page.query;
      runs = (await page.ask('status', {dataset})).runs.filter((run) => !run.control);
      update.heard();
      page.title(wanted.name);
    };
    update.heard = () => {
      const {dataset} = page.query;
      body.show(
          dataset, page.store.datasets.find((one) => one.dataset === dataset)?.records ?? 0,
          runs.map((run) => run.run), page.running.filter((one) => one.dataset === null || one.dataset === dataset));
    };
    return update;
  },
};

function evaluationsCell(run) {
  if (run.evaluations.length === 0) return element('span', {class: 'soft'}, 'none');
  const old = run.evaluations.filter((one) => !one.current);
  return element(
      'details', {},
      element(
          'summary', {},
          `${counted(run.evaluations.length)} by attacker and judge${
              old.length > 0 ? `, ${counted(old.length)} old` : ''}`),
      element(
          'ul', {class: 'plain'},
          run.evaluations.map(
              (one) => element(
                  'li', {}, element('code', {}, one.protocol ?? 'no attack'), ' ', one.judge ?? 'no judge',
                  one.sample ? ` sample ${counted(one.sample)}` : '', one.current ? '' : [' ', badge('stale')]))));
}

function drawStatus(page, answer) {
  const columns = [
    {name: 'run', cell: (run) => `${run.dataset}/${run.run}`},
    {name: 'state', cell: (run) => badge(stateOfRun(run)), plain: stateOfRun},
    {name: 'texts', number: true, cell: (run) => counted(run.variants ?? 0), plain: (run) => run.variants},
    {
      name: 'failed',
      number: true,
      means: 'of these texts; and records of which the run has no text: attacks count both as failed',
      cell: (run) => element(
          'span', {class: 'value'}, run.failed ? element('span', {class: 'lost'}, counted(run.failed)) : '0',
          lackingPart(run)),
      plain: (run) => run.failed
    },
    {name: 'evaluations', cell: evaluationsCell, plain: (run) => run.evaluations.length},
  ];
  const running = answer.runs.filter((run) => run.running);
  const lead = running.length > 0
      ? `${
            running.map((run) => `${run.dataset}/${run.run}`)
                .join(', ')}: an evaluation is running; numbers appear here as it writes them.`
      : 'No run is being evaluated.';
  const unfinished =
      (answer.incomplete ??
       []).map((one) => (typeof one === 'string' ? one : `${one.target} (${several(one.lines ?? 0, 'line')})`));
  return [
    element('p', {class: 'summary'}, lead), ...(answer.notes ?? []).map((note) => element('p', {class: 'note'}, note)),
    unfinished.length > 0 ? element('p', {class: 'note'}, `Incomplete: ${unfinished.join('; ')}`) : null, tableOf({
      name: 'status',
      caption: 'Every run of the store',
      columns,
      rows: answer.runs,
      key: (run) => `${run.dataset}/${run.run}`,
      href: (run) => page.link('/records', {dataset: run.dataset, run: run.run, protocol: null, judge: null}),
      sql: answer.sql,
      json: apiAddress('status'),
      empty: 'There are no runs: residue sanitize or residue ingest run makes one.'
    })
  ];
}

export const status = {
  path: '/status',
  name: 'Status',
  open(place, page) {
    const store = region(
        (version, level, datasets) => element(
            'p', {class: 'soft'}, `residue ${version}; this server reads ${{
              released: 'released texts only',
              claims: 'released texts and claims',
              originals: 'everything, originals too'
            }[level] ?? level}. `,
            datasets
                .map(
                    (one) => `${one.dataset}: ${counted(one.records)} records${
                        one.control_of ? `, a control of ${one.control_of}` : ''}`)
                .join('; ')));
    const body = region((answer) => drawStatus(page, answer));
    const progress = region((evaluations) => drawProgress(evaluations));
    place.append(element('h1', {}, 'Status'), store.place, progress.place, body.place);
    const update = async () => {
      update.heard();
      store.show(page.store.version, page.store.level, page.store.datasets);
      body.show(await page.ask('status', {}));
      page.title('Status');
    };
    update.heard = () => progress.show(page.running);
    return update;
  },
};
