// Judgments as content-addressed facts: what is known about (judge, passage, claim) is read, the rest is rated and
// kept. Of a judge that is asked about several claims at once the request they stand in is part of the key.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "query/inputs/requests.h"
#include "query/judge/judge.h"
#include "storage/store.h"

namespace residue::query {

struct Pair {
  TextId passage;
  TextId claim;
  RequestId request = {};  // that the claim is asked about in; 0: alone
  friend bool operator==(const Pair&, const Pair&) = default;
  // Pairs of one passage stand together, and among them those of one request.
  friend auto operator<=>(const Pair& a, const Pair& b) {
    return std::tie(a.passage, a.request, a.claim) <=> std::tie(b.passage, b.request, b.claim);
  }
};

struct PairHash {
  std::size_t operator()(const Pair& pair) const noexcept {
    return static_cast<std::size_t>(
        mix_pair(static_cast<std::uint64_t>(pair.passage.value) ^ static_cast<std::uint64_t>(pair.request.value),
                 static_cast<std::uint64_t>(pair.claim.value)));
  }
  static std::uint64_t mix_pair(std::uint64_t a, std::uint64_t b) {
    return (a * 0x9e3779b97f4a7c15ULL) ^ ((b + 0x7f4a7c15U) * 0xbf58476d1ce4e5b9ULL);
  }
};

using RatingMap = std::unordered_map<Pair, std::uint8_t, PairHash>;

// Pairs as a judge is asked about them: pairs of one passage that stand alone are one Request, those of a request are
// one with all of its claims, whether there are pairs of them or not.
class PairRequests {
 public:
  // `pairs` are sorted, `requests` has theirs. The caller holds Store::hold_texts().
  PairRequests(const storage::Store& store, std::span<const Pair> pairs, const RequestClaims& requests);
  PairRequests(const PairRequests&) = delete;
  PairRequests& operator=(const PairRequests&) = delete;

  // Requests of one passage stand together.
  [[nodiscard]] std::span<const Request> list() const { return list_; }

  // By pair, in their order: which request, and which of its claims.
  struct Place {
    std::size_t request = 0, claim = 0;
  };
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }

 private:
  std::vector<std::string> passages_, claims_;
  std::vector<Request> list_;
  std::vector<Place> places_;
};

// The judge's row, added if it is new: identified by the SHA-256 of its spec. A name whose spec changed gets a new row,
// and the old one is renamed "NAME (superseded N)": its judgments stay what they were.
JudgeId register_judge(storage::Store& store, const Judge& judge);

// Of its judgments made elsewhere (judge.revision); 0: there never were any.
std::int64_t judge_revision(storage::Db& db, JudgeId judge);

// A judge as the store knows it.
struct StoredJudge {
  std::string name;
  std::string version;  // the first 8 hexadecimal digits of its digest
  bool embedded = false;
  bool imported = false;      // its judgments were made elsewhere
  std::uint64_t pairs = 0;    // judgments
  std::uint64_t samples = 0;  // answers from elsewhere that they are the modes of
};

// By name.
std::vector<StoredJudge> stored_judges(storage::Db& db);

// Which of `pairs` are known; ratings of those.
RatingMap known_ratings(storage::Db& db, JudgeId judge, const std::vector<Pair>& pairs);

// Ratings of all `pairs` (duplicates allowed): known ones read, the others rated and stored before they are used, with
// what the judge says of the other claims of their requests. A pair that cannot be rated is absent from the map.
// `rated` counts those that were rated now. `requests`: those of the pairs.
RatingMap rate_pairs(storage::Store& store, const Judge& judge, JudgeId id, const std::vector<Pair>& pairs,
                     std::uint64_t& rated, const RequestClaims& requests = {});

}  // namespace residue::query
