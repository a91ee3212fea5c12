#!/usr/bin/env python3
"""The intervals of docs/intervals.md in another language: prints the test vectors of interval_vectors.json.

    tests/numbers/stats/interval_vectors.py > tests/numbers/stats/interval_vectors.json
"""
import json
from fractions import Fraction
from math import log

MASK = (1 << 64) - 1
REPLICATES = 1000


def mix(x):
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def exponential_table():
    part = lambda k: k * log(4096 / k) if k else 0.0
    return [int(256 * (1 + part(k + 1) - part(k)) + 0.5) for k in range(4096)]


TABLE = exponential_table()


def weights(unit):
    drawn = []
    for i in range(REPLICATES // 4):
        bits = mix((unit + i * 0x9E3779B97F4A7C15) & MASK)
        drawn += [TABLE[(bits >> (16 * j)) & 4095] for j in range(4)]
    return drawn


def quantile(values, share):
    values = sorted(values)
    position = share * (len(values) - 1)
    below = int(position)
    above = values[min(below + 1, len(values) - 1)]
    return values[below] + (above - values[below]) * (position - below)


def phantom_shares(phantom, total, units):
    return [(2 * w * total + units) // (2 * units) for w in phantom]


def ends(lows, highs, value):
    return min(value, quantile(lows, 0.025)), max(value, quantile(highs, 0.975))


def ratio(records, phantom, least, greatest, one):
    """records: (unit, num, den). A mean has den 1 and num in units of 1 / one."""
    total = sum(den for _, _, den in records)
    shares = phantom_shares(phantom, total, len({unit for unit, _, _ in records}))
    nums, dens = [0] * REPLICATES, [0] * REPLICATES
    for unit, num, den in records:
        for b, w in enumerate(weights(unit)):
            nums[b] += w * num
            dens[b] += w * den
    at = lambda end: [(n + s * end) / (d + s) / one for n, d, s in zip(nums, dens, shares) if d + s]
    value = sum(num for _, num, _ in records) / total / one
    return value, *ends(at(least), at(greatest), value)


def worst(records, phantom, parts, one):
    """The mean of the worst 1 / parts of the records, low = bad, in [0, 1]."""
    shares = phantom_shares(phantom, len(records), len({unit for unit, _, _ in records}))
    ranked = sorted((num, weights(unit)) for unit, num, _ in records)

    def mean(pairs, wanted):
        left, total = wanted, 0
        for num, weight in pairs:
            taken = min(left, parts * weight)
            total += taken * num
            left -= taken
        return total / wanted / one

    value = mean([(num, 1) for num, _ in ranked], len(ranked))
    lows, highs = [], []
    for b in range(REPLICATES):
        mine = [(num, w[b]) for num, w in ranked]
        wanted = sum(w for _, w in mine) + shares[b]
        lows.append(mean([(0, shares[b])] + mine, wanted))
        highs.append(mean(mine + [(one, shares[b])], wanted))
    return value, *ends(lows, highs, value)


def main():
    phantom_unit = 0x7068616E746F6D
    phantom = weights(phantom_unit)
    one = 1 << 32
    fixed = lambda share: int(share * one + Fraction(1, 2))
    units = lambda count, persons: [mix(i % persons) for i in range(count)]
    cases = []

    def add(kind, records, *parameters, **named):
        value, low, high = {"ratio": ratio, "worst": worst}[kind](records, phantom, *parameters)
        cases.append({"kind": kind, **named, "one": parameters[-1],
                      "records": [[str(unit), num, den] for unit, num, den in records],
                      "value": value, "low": low, "high": high})

    for count, persons in ((1, 1), (2, 2), (20, 20), (30, 7)):
        far = [(u, fixed(Fraction(i * 5 % 8, 7)), 1) for i, u in enumerate(units(count, persons))]
        far = [(u, min(num, one), den) for u, num, den in far]
        add("ratio", far, 0, one, one, least=0, greatest=one)
        add("ratio", [(u, one, 1) for u, _, _ in far], 0, one, one, least=0, greatest=one)
        add("ratio", [(u, i % (2 + i % 3), 1 + i % 3) for i, (u, _, _) in enumerate(far)], 0, 1, 1, least=0, greatest=1)
        add("worst", far, 10, one, parts=10)
        add("worst", far, 20, one, parts=20)
    print(json.dumps({
        "table": {"first": TABLE[:4], "middle": TABLE[2047:2050], "last": TABLE[-2:], "sum": sum(TABLE)},
        "phantom": str(phantom_unit),
        "weights": {"unit": str(mix(3)), "first": weights(mix(3))[:8], "last": weights(mix(3))[-4:]},
        "cases": cases}, indent=None, separators=(",", ":")).replace('{"kind"', '\n{"kind"'))


if __name__ == "__main__":
    main()
