// The ends of 95 % intervals, bit for bit as the program has them.

import { kReplicates, phantomShare } from './weights.js';

const kZ = 1.959963984540054; // 97.5th percentile of the normal distribution

// Linear between order statistics. Sorts `values`.
function atQuantile(values, quantile) {
  values.sort((a, b) => a - b);
  const position = quantile * (values.length - 1);
  const below = Math.floor(position);
  const fraction = position - below;
  if (below + 1 === values.length) return values[below];
  return values[below] + (values[below + 1] - values[below]) * fraction;
}

function phantomInterval(lows, highs, value) {
  return {
    low: Math.min(value, atQuantile(Float64Array.from(lows), 0.025)),
    high: Math.max(value, atQuantile(Float64Array.from(highs), 0.975)),
  };
}

// num, den: by replicate. total: the denominator, unweighted. least, greatest: what one of it can have in the
// numerator. All whole numbers, or all BigInts. one: what the ratio is divided by in the end.
export function ratioInterval({ num, den, total, units, least, greatest, one }, value) {
  const lows = [], highs = [];
  for (let b = 0; b < kReplicates; ++b) {
    const more = phantomShare(b, total, units);
    if (Number(den[b] + more) === 0) continue;
    const all = Number(den[b] + more);
    lows.push(Number(num[b] + more * least) / all / one);
    highs.push(Number(num[b] + more * greatest) / all / one);
  }
  return phantomInterval(lows, highs, value);
}

// As ratioInterval(), but that a replicate whose control has everything says nothing: it counts at both ends.
export function netInterval({ num, den, total, units, least, greatest }, value) {
  const lows = [], highs = [];
  let open = 0;
  for (let b = 0; b < kReplicates; ++b) {
    if (Number(den[b]) === 0) {
      ++open;
      continue;
    }
    const more = phantomShare(b, total, units);
    const all = Number(den[b] + more);
    lows.push(Number(num[b] + more * least) / all);
    highs.push(Number(num[b] + more * greatest) / all);
  }
  const smallest = Math.min(value, lows.length === 0 ? -1 : lows.reduce((a, b) => Math.min(a, b)));
  for (let i = 0; i < open; ++i) {
    lows.push(Math.min(smallest, -1));
    highs.push(1);
  }
  return phantomInterval(lows, highs, value);
}

// Wilson's score interval for successes of trials > 0.
export function wilsonInterval(successes, trials) {
  const n = Number(trials), p = Number(successes) / n, z2 = kZ * kZ;
  const centre = (p + z2 / (2 * n)) / (1 + z2 / n);
  const half = (kZ / (1 + z2 / n)) * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  return {
    low: p <= 0 ? 0 : Math.max(0, centre - half),
    high: p >= 1 ? 1 : Math.min(1, centre + half),
  };
}
