// Computes the numbers of a page again, from what single records contribute, and compares to the last bit.
//
//   data.proof ── Aggregate ──> numbers ── compare ── cells of the table ──> agrees, or where not

import { Aggregate } from './aggregate.js';
import { drawWeights } from './weights.js';

const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

function unitsOf(base64) {
  const bytes = bytesOf(base64);
  const view = new DataView(bytes.buffer);
  return Array.from({ length: bytes.length / 8 }, (_, i) => view.getBigUint64(8 * i, true));
}

function contributionsOf({ table, wide, at }) {
  const bytes = bytesOf(at);
  const view = new DataView(bytes.buffer);
  const rows = table.map(([state, num, den, best]) => ({ state, num, den, best }));
  return Array.from({ length: bytes.length / (wide ? 4 : 1) }, (_, i) => rows[wide ? view.getUint32(4 * i, true) : bytes[i]]);
}

// Yields {run, metric, numbers}, as many as there are, one after the other: a page stays quick meanwhile.
export function* recomputed(proof) {
  const units = proof.units.map(unitsOf);
  const drawn = new Map();
  const weightsOf = (unit) => {
    if (!drawn.has(unit)) drawn.set(unit, drawWeights(unit));
    return drawn.get(unit);
  };
  for (const run of proof.runs) {
    const done = new Map();
    for (const tier of run.tiers) {
      for (const one of tier.metrics) {
        const metric = proof.metrics[one.metric];
        done.set(one.metric, new Aggregate(metric, contributionsOf(one), units[tier.units], weightsOf));
      }
    }
    for (const [name, aggregate] of done) {
      const whole = aggregate.metric.whole ? done.get(aggregate.metric.whole) : null;
      yield { run: run.run, metric: name, numbers: aggregate.finish(proof.independent, proof.drop, whole) };
    }
  }
}

const kColumns = ['value', 'low', 'high', 'n', 'failed', 'missing', 'ifLeaked', 'ifPrivate'];

// Whether the words of a cell are the rounded value: three digits, or two of a very small number; a count is exact.
export function saysSo(words, value, whole) {
  if (value === null) return words === '–';
  const shown = Number(words.replaceAll(' ', ''));
  if (words.trim() === '') return false;
  if (whole) return shown === value || (!Number.isInteger(value) && Math.abs(shown - value) <= 0.051);
  if (value !== 0 && Math.abs(value) < 0.0005) return Math.abs(shown - value) <= 0.06 * Math.abs(value);
  return Math.abs(shown - value) <= (Math.abs(value) >= 1000 ? 0.5 : 0.0005000001);
}

// What of `cells`, numbers or null in the order of the table, is not what `numbers` has.
export function differences(numbers, cells) {
  return kColumns.filter((name, i) => !Object.is(numbers[name], cells[i]));
}
