// The bootstrap's weights: in replicate b a person weighs exponential(1), drawn from a hash of person and b.

export const kReplicates = 1000;
const kExponentials = 4096;
const kPhantom = 0x7068616e746f6dn;

// ln(4096 / j) * 2^48, from whole numbers alone: the same on every machine.
function logarithm(j) {
  const bits = 48n;
  const one = 1n << bits;
  let whole = 0n;
  while (j >> (whole + 1n) !== 0n) ++whole;
  let x = (j << bits) >> whole;
  let fraction = 0n;
  for (let bit = bits - 1n; bit >= 0n; --bit) {
    x = (x * x) >> bits;
    if (x < 2n * one) continue;
    x >>= 1n;
    fraction |= 1n << bit;
  }
  const base2 = 12n * one - (whole * one + fraction);
  return (base2 * 195103586505167n) >> bits;
}

// Entry k: the mean of exponential(1) over the k-th of 4,096 equally probable ranges, in units of 1/256.
function exponentials() {
  const table = new Uint16Array(kExponentials);
  const one = 1n << 48n;
  let above = 0n;
  for (let k = 0; k < kExponentials; ++k) {
    const next = BigInt(k + 1) * logarithm(BigInt(k + 1));
    const mean = one + next - above;
    table[k] = Number((mean + (1n << 39n)) >> 40n);
    above = next;
  }
  return table;
}

const table = exponentials();

// 64-bit numbers as two halves: BigInt would take ten times as long.
function multiply(highA, lowA, highB, lowB) {
  const a0 = lowA & 0xffff, a1 = lowA >>> 16, b0 = lowB & 0xffff, b1 = lowB >>> 16;
  let carry = a0 * b0;
  const r0 = carry & 0xffff;
  carry = Math.floor(carry / 65536) + a1 * b0;
  const middle = carry & 0xffff;
  let top = Math.floor(carry / 65536);
  carry = middle + a0 * b1;
  const r1 = carry & 0xffff;
  top += Math.floor(carry / 65536) + a1 * b1;
  const high = (top + Math.imul(highA, lowB) + Math.imul(lowA, highB)) | 0;
  return [high >>> 0, ((r1 << 16) | r0) >>> 0];
}

function add(highA, lowA, highB, lowB) {
  const low = (lowA >>> 0) + (lowB >>> 0);
  return [(highA + highB + (low > 0xffffffff ? 1 : 0)) >>> 0, low >>> 0];
}

// x ^ (x >> shift), shift < 32
const fold = (high, low, shift) =>
  [(high ^ (high >>> shift)) >>> 0, (low ^ ((low >>> shift) | (high << (32 - shift)))) >>> 0];

// The finalizer of SplitMix64.
function mix(high, low) {
  [high, low] = add(high, low, 0x9e3779b9, 0x7f4a7c15);
  [high, low] = fold(high, low, 30);
  [high, low] = multiply(high, low, 0xbf58476d, 0x1ce4e5b9);
  [high, low] = fold(high, low, 27);
  [high, low] = multiply(high, low, 0x94d049bb, 0x133111eb);
  return fold(high, low, 31);
}

// unit: a BigInt below 2^64.
export function drawWeights(unit) {
  const weights = new Uint16Array(kReplicates);
  let high = Number(unit >> 32n), low = Number(unit & 0xffffffffn);
  for (let i = 0; i < kReplicates; i += 4) {
    const [up, down] = mix(high, low);
    weights[i] = table[down % kExponentials];
    weights[i + 1] = table[(down >>> 16) % kExponentials];
    weights[i + 2] = table[up % kExponentials];
    weights[i + 3] = table[(up >>> 16) % kExponentials];
    [high, low] = add(high, low, 0x9e3779b9, 0x7f4a7c15);
  }
  return weights;
}

const phantom = drawWeights(kPhantom);

// The phantom's share of a total that so many units have together, halves up. All numbers, or all BigInts. With numbers
// below 2^53 the quotient cannot be rounded up to the next whole one.
export function phantomShare(b, total, units) {
  if (typeof total === 'bigint') return (2n * BigInt(phantom[b]) * total + units) / (2n * units);
  return Math.floor((2 * phantom[b] * total + units) / (2 * units));
}
