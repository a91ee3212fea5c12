#include "query/compare/flips.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace residue::query {
namespace {

struct Record {
  const ScoredRecord* a = nullptr;
  const ScoredRecord* b = nullptr;
  std::int64_t leaked_a = 0, leaked_b = 0;
};

bool rated(const ScoredRecord* side) { return side != nullptr && side->state == State::kValue; }
bool lost(const ScoredRecord* side) {
  return side != nullptr && (side->state == State::kFailed || side->state == State::kMissing);
}

std::uint64_t rest(const ScoredRecord& side, std::int64_t leaked) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, side.den - leaked));
}

}  // namespace

Flips find_flips(const FlipInput& input, std::size_t limit) {
  std::unordered_map<std::string, Record> records;
  for (const ScoredRecord& one : input.rates_a) records[input.keys.at(one.record)].a = &one;
  for (const ScoredRecord& one : input.rates_b) records[input.keys.at(one.record)].b = &one;
  std::map<std::pair<std::string, std::uint32_t>, std::pair<const Leak*, const Leak*>> claims;
  for (const Leak& leak : input.a) {
    claims[{leak.record, leak.n}].first = &leak;
    ++records[leak.record].leaked_a;
  }
  for (const Leak& leak : input.b) {
    claims[{leak.record, leak.n}].second = &leak;
    ++records[leak.record].leaked_b;
  }
  Flips result;
  for (const auto& [key, record] : records) {
    if (rated(record.a) && lost(record.b)) result.lost += rest(*record.a, record.leaked_a);
    if (lost(record.a) && rated(record.b)) result.gained += rest(*record.b, record.leaked_b);
  }
  for (const auto& [claim, leaks] : claims) {
    const Record& record = records.at(claim.first);
    if (!rated(record.a) || !rated(record.b)) continue;
    const auto& [before, after] = leaks;
    if (before != nullptr && after != nullptr) {
      ++result.leaked_in_both;
      continue;
    }
    const Leak& leak = before != nullptr ? *before : *after;
    ++(before == nullptr ? result.became_leaked : result.became_private);
    result.flips.push_back({claim.first, claim.second, before == nullptr, leak.rating, leak.categories});
  }
  std::sort(result.flips.begin(), result.flips.end(), [](const Flip& x, const Flip& y) {
    return std::tie(y.leaked, x.rating, x.record, x.n) < std::tie(x.leaked, y.rating, y.record, y.n);
  });
  if (limit == 0) return result;
  std::size_t kept_leaked = 0;
  std::size_t kept_private = 0;
  std::erase_if(result.flips, [&](const Flip& flip) { return ++(flip.leaked ? kept_leaked : kept_private) > limit; });
  return result;
}

}  // namespace residue::query
