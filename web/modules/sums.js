// Whole numbers as the program adds them: exact, whatever their order.

const kGreatestWeight = 2385;
const kHalf = 65536; // a value is high * kHalf + low: a weight times either part stays exact, and so does the sum

// Sums of weight times value in many replicates.
export class WeightedSums {
  constructor(replicates) {
    this.high = new Float64Array(replicates);
    this.low = new Float64Array(replicates);
    this.most = 0; // no sum is further from 0
  }

  // weights: whole numbers, of so many records; value: a whole number below 2^53.
  add(weights, value, records) {
    if (value === 0) return;
    const high = Math.floor(value / kHalf);
    const low = value - high * kHalf;
    const { high: highs, low: lows } = this;
    this.most += kGreatestWeight * records * Math.abs(value);
    if (high !== 0) for (let b = 0; b < weights.length; ++b) highs[b] += weights[b] * high;
    if (low !== 0) for (let b = 0; b < weights.length; ++b) lows[b] += weights[b] * low;
  }

  // The sum in replicate b: a BigInt, or where `small` a number, which is as exact below 2^53.
  at(b, small) {
    if (small) return this.high[b] * kHalf + this.low[b];
    return BigInt(this.high[b]) * BigInt(kHalf) + BigInt(this.low[b]);
  }
}
