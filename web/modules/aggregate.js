// From what single records contribute to a number with its interval: the program's arithmetic again.
//
//   contributions, weights ── sums ── finish ──> {value, low, high, n, failed, missing, notApplicable, ifLeaked, ...}

import { kReplicates } from './weights.js';
import { WeightedSums } from './sums.js';
import { netInterval, ratioInterval, wilsonInterval } from './interval.js';

const kOne = 4294967296; // 1.0 of a mean
const kMostTogether = 2000; // different contributions that are weighed together: 8 kB each
const State = { value: 0, failed: 1, missing: 2, notApplicable: 3 };

const lost = (state) => state === State.failed || state === State.missing;
const pooled = (metric) => ['pooled', 'net', 'gain'].includes(metric.kind);
const inNumerator = (metric, bound) => BigInt(metric.kind === 'mean' ? Math.round(bound * kOne) : Math.round(bound));
const leakedOf = (metric) => inNumerator(metric, metric.higherIsPrivate ? metric.low : metric.high);
const keptOf = (metric) => inNumerator(metric, metric.higherIsPrivate ? metric.high : metric.low);
const ratio = (num, den, metric) =>
  den === 0n ? null : metric.kind === 'mean' ? Number(num) / Number(den) / kOne : Number(num) / Number(den);

// Of a lost record, the units of a pooled rate that are decided whatever the others are.
function decided(metric, c) {
  if (metric.kind !== 'pooled' || !lost(c.state)) return { num: 0, den: 0 };
  return { num: Math.min(c.num, c.best), den: c.den - Math.abs(c.num - c.best) };
}

// Up to 900,000 records: a weight is at most 2385.
function addTo(sums, weights) {
  for (let b = 0; b < sums.length; ++b) sums[b] += weights[b];
}

// metric: {kind: mean|share|pooled|net|gain, low, high, higherIsPrivate, parts}; contributions: {state, num, den, best} by
// record; units: by record the resampling unit, as any value; weightsOf(unit): its Uint16Array.
export class Aggregate {
  constructor(metric, contributions, units, weightsOf) {
    this.metric = metric;
    this.n = this.failed = this.missing = this.notApplicable = 0;
    this.unknown = 0n; // lost records whose units nobody knows
    this.sums = { num: 0n, den: 0n, lostNum: 0n, lostBest: 0n, lostDen: 0n };
    this.sampled = {};
    for (const name of ['num', 'den', 'lostNum', 'lostDen', 'unknown']) this.sampled[name] = new WeightedSums(kReplicates);
    this.clusters = { values: new Set(), all: new Set(), most: 0 };
    // Records that contribute the same are weighed together: most metrics know few different contributions.
    const together = new Map(new Set(contributions).size <= kMostTogether ? contributions.map((c) => [c, null]) : []);
    contributions.forEach((c, i) => {
      if (!this.#count(c, units[i])) return;
      const weights = weightsOf(units[i]);
      if (!together.has(c)) {
        this.#weigh(c, weights, 1);
        return;
      }
      const sum = together.get(c) ?? { weights: new Int32Array(kReplicates), records: 0 };
      together.set(c, sum);
      ++sum.records;
      addTo(sum.weights, weights);
    });
    for (const [c, sum] of together) if (sum) this.#weigh(c, sum.weights, sum.records);
  }

  // What needs no replicates; whether the contribution counts at all.
  #count(c, unit) {
    if (c.state === State.notApplicable) {
      ++this.notApplicable;
      return false;
    }
    const known = decided(this.metric, c);
    const { sums } = this;
    if (c.state === State.value) {
      ++this.n;
      sums.num += BigInt(c.num);
      sums.den += BigInt(c.den);
    } else {
      c.state === State.failed ? ++this.failed : ++this.missing;
      sums.num += BigInt(known.num);
      sums.den += BigInt(known.den);
      sums.lostNum += BigInt(c.num - known.num);
      sums.lostBest += BigInt(c.best - known.num);
      sums.lostDen += BigInt(c.den - known.den);
      if (c.den === 0) this.unknown += 1n;
    }
    if (c.den === 0 && !lost(c.state)) return true;
    this.clusters.all.add(unit);
    if (!lost(c.state) || known.den > 0) this.clusters.values.add(unit);
    this.clusters.most = Math.max(this.clusters.most, c.den);
    return true;
  }

  // weights: of so many records together.
  #weigh(c, weights, records) {
    const { sampled } = this;
    if (c.state === State.value) {
      sampled.num.add(weights, c.num, records);
      sampled.den.add(weights, c.den, records);
      return;
    }
    const known = decided(this.metric, c);
    sampled.num.add(weights, known.num, records);
    sampled.den.add(weights, known.den, records);
    sampled.lostNum.add(weights, c.num - known.num, records);
    sampled.lostDen.add(weights, c.den - known.den, records);
    if (c.den === 0) sampled.unknown.add(weights, 1, records);
  }

  // independent: each record is a unit of its own. drop: what is lost is left out of value and interval. whole: the
  // rate whose unknown records are this metric's, or null.
  finish(independent, drop, whole = null) {
    const unknown = this.#unknownOf(whole ?? this, whole !== null);
    const shown = new Reading(this, unknown, !drop);
    const interval = shown.interval(independent);
    return {
      value: shown.value(),
      low: interval ? interval.low : null,
      high: interval ? interval.high : null,
      n: this.n,
      failed: this.failed,
      missing: this.missing,
      notApplicable: this.notApplicable,
      ...new Reading(this, unknown, true).bounds(BigInt((whole ?? this).clusters.most)),
    };
  }

  // Records whose units nobody knows, and the mean number of units of the others: units / records.
  #unknownOf(from, ofClaims) {
    const unknown = { count: 0n, weights: null, units: 1n, records: 1n };
    if (!pooled(this.metric) || from.unknown === 0n) return unknown;
    const counted = ofClaims ? from : this;
    unknown.count = from.unknown;
    unknown.weights = from.sampled.unknown;
    unknown.units = counted.sums.den + counted.sums.lostDen;
    unknown.records = BigInt(from.n + from.failed + from.missing) - from.unknown;
    if (unknown.units === 0n || unknown.records === 0n) {
      unknown.units = BigInt(Math.round(this.metric.parts));
      unknown.records = 1n;
    }
    return unknown;
  }
}

// One reading of a metric: what is lost counted as if it had leaked, or left out.
class Reading {
  constructor(aggregate, unknown, withLost) {
    Object.assign(this, { aggregate, unknown, withLost, metric: aggregate.metric, sums: aggregate.sums });
  }

  value() {
    const { sums, unknown, metric } = this;
    if (metric.kind === 'net' && sums.den === 0n) return null;
    if (!this.withLost) return ratio(sums.num, sums.den, metric);
    const num = sums.num + sums.lostNum, den = sums.den + sums.lostDen;
    if (unknown.count === 0n) return ratio(num, den, metric);
    const more = unknown.count * unknown.units;
    return ratio(num * unknown.records + more * leakedOf(metric), den * unknown.records + more, metric);
  }

  den() {
    return this.sums.den + (this.withLost ? this.sums.lostDen + this.#unknownUnits(this.unknown.count) : 0n);
  }

  // round(weight * mean), halves up.
  #unknownUnits(weight) {
    const { units, records } = this.unknown;
    return (2n * weight * units + records) / (2n * records);
  }

  // Whether all that the interval is made of stays below 2^53, where numbers are exact and much quicker than BigInts.
  #isSmall(total) {
    if (this.unknown.count > 0n) return false;
    const { num, den, lostNum, lostDen } = this.aggregate.sampled;
    const one = this.metric.kind === 'mean' ? kOne : 1;
    const phantom = 2 * 2385 * (Number(total) + 1) * one;
    return num.most + den.most + lostNum.most + lostDen.most + phantom < 2 ** 52;
  }

  #clusterCount(independent) {
    const { n, failed, missing, clusters } = this.aggregate;
    if (independent && !pooled(this.metric)) return BigInt(n + (this.withLost ? failed + missing : 0));
    return BigInt((this.withLost ? clusters.all : clusters.values).size);
  }

  interval(independent) {
    const value = this.value();
    const { metric, sums, withLost } = this;
    if (value === null || !Number.isFinite(metric.low) || !Number.isFinite(metric.high)) return null;
    if (metric.kind === 'share' && independent) {
      return wilsonInterval(sums.num + (withLost ? sums.lostNum : 0n), this.den());
    }
    const { sampled } = this.aggregate;
    const total = this.den();
    const small = this.#isSmall(total);
    const whole = small ? Number : BigInt;
    const leaked = leakedOf(metric), num = [], den = [];
    for (let b = 0; b < kReplicates; ++b) {
      let above = sampled.num.at(b, small), below = sampled.den.at(b, small);
      if (withLost) {
        above += sampled.lostNum.at(b, small);
        below += sampled.lostDen.at(b, small);
        if (this.unknown.count > 0n) {
          const more = this.#unknownUnits(this.unknown.weights.at(b, false));
          above += more * leaked;
          below += more;
        }
      }
      num.push(above);
      den.push(below);
    }
    const units = this.#clusterCount(independent);
    const of = {
      num,
      den,
      total: whole(total),
      units: whole(units > 0n ? units : 1n),
      least: whole(inNumerator(metric, metric.low)),
      greatest: whole(inNumerator(metric, metric.high)),
      one: metric.kind === 'mean' ? kOne : 1,
    };
    return metric.kind === 'net' ? netInterval(of, value) : ratioInterval(of, value);
  }

  // If everything missing leaked, and if nothing did. most: the most units that a record is known to have.
  bounds(most) {
    const { sums, metric, unknown } = this;
    if (metric.kind === 'net' && sums.den === 0n) return { ifLeaked: null, ifPrivate: null };
    let more = 0n;
    if (unknown.count > 0n) {
      const mean = (unknown.units + unknown.records - 1n) / unknown.records;
      more = unknown.count * (most > mean ? most : mean);
    }
    const den = sums.den + sums.lostDen + more;
    const least = sums.den + sums.lostNum + more;
    const above = metric.kind === 'gain' && least > 0n ? least : den;
    const below = metric.kind === 'net' ? sums.den : den;
    return {
      ifLeaked: ratio(sums.num + sums.lostNum + more * leakedOf(metric), above, metric),
      ifPrivate: ratio(sums.num + sums.lostBest + more * keptOf(metric), below, metric),
    };
  }
}
