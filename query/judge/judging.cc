#include "query/judge/judging.h"

#include <oneapi/tbb/blocked_range.h>

#include <algorithm>
#include <optional>

#include "base/digest.h"
#include "base/error.h"
#include "base/parallel_ranges.h"
#include "query/inputs/sort_unique.h"
#include "query/inputs/texts.h"
#include "storage/catalog/answers/judge.h"
#include "storage/catalog/answers/judgment.h"
#include "storage/disk/fault.h"

namespace residue::query {
namespace {

constexpr std::size_t kPairsAtOnce = 65'536;
constexpr std::size_t kPairsAskedAtOnce = 4'096;  // judgments of a model are kept as they come
constexpr std::size_t kPassagesPerTask = 32;
constexpr std::size_t kRowsAtOnce = 4'096;  // written: other writers wait for some milliseconds

// One passage with the claims to rate against it: positions in the list of pairs, which is sorted by passage.
struct Group {
  std::size_t begin = 0, end = 0;
};

std::vector<Group> by_passage(const std::vector<Pair>& pairs) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i == 0 || pairs[i].passage != pairs[i - 1].passage) groups.push_back({i, i});
    groups.back().end = i + 1;
  }
  return groups;
}

// A judge that asks elsewhere has all the pairs at once, and goes about them in its own way.
std::vector<std::optional<Rating>> ask(const storage::Store& store, const Judge& judge, const std::vector<Pair>& pairs,
                                       const RequestClaims& requests) {
  const PairRequests asked(store, pairs, requests);
  const auto said = judge.rate(asked.list());
  std::vector<std::optional<Rating>> ratings;
  ratings.reserve(pairs.size());
  for (const PairRequests::Place& place : asked.places()) ratings.push_back(said[place.request][place.claim]);
  return ratings;
}

// With the other claims of their requests. Pairs of one request are not parted.
std::vector<Pair> chunk_of(const std::vector<Pair>& pairs, std::size_t begin, std::size_t& end,
                           const RequestClaims& requests) {
  const auto same = [](const Pair& a, const Pair& b) { return a.passage == b.passage && a.request == b.request; };
  while (pairs[end - 1].request.value != 0 && end < pairs.size() && same(pairs[end - 1], pairs[end])) ++end;
  std::vector<Pair> chunk;
  for (std::size_t i = begin; i < end; ++i) {
    const Pair& pair = pairs[i];
    if (pair.request.value == 0) {
      chunk.push_back(pair);
    } else if (i == begin || !same(pairs[i - 1], pair)) {
      for (const TextId claim : requests.at(pair.request)) chunk.push_back({pair.passage, claim, pair.request});
    }
  }
  if (!requests.empty()) sort_unique(chunk);
  return chunk;
}

std::vector<std::optional<Rating>> rate(const storage::Store& store, const Judge& judge, const std::vector<Pair>& pairs,
                                        const RequestClaims& requests) {
  if (!judge.embedded()) return ask(store, judge, pairs, requests);
  std::vector<std::optional<Rating>> ratings(pairs.size());
  const std::vector<Group> groups = by_passage(pairs);
  parallel_ranges(groups.size(), kPassagesPerTask, [&](const auto& range) {
    const auto reader = store.facts().read();
    for (std::size_t g = range.begin(); g < range.end(); ++g) {
      const std::string passage = reader->text(pairs[groups[g].begin].passage);
      std::vector<std::string> claims;
      for (std::size_t i = groups[g].begin; i < groups[g].end; ++i) claims.push_back(reader->text(pairs[i].claim));
      const Request request{passage, {claims.begin(), claims.end()}};
      const auto result = judge.rate(std::span(&request, 1));
      std::copy(result[0].begin(), result[0].end(), ratings.begin() + static_cast<std::ptrdiff_t>(groups[g].begin));
    }
  });
  return ratings;
}

}  // namespace

PairRequests::PairRequests(const storage::Store& store, std::span<const Pair> pairs, const RequestClaims& requests) {
  struct Part {
    std::size_t passage = 0, begin = 0, end = 0;  // [begin, end) of the claims
  };
  std::vector<Part> parts;
  std::vector<TextId> passage_ids, claim_ids;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Pair& pair = pairs[i];
    const bool other_passage = i == 0 || pair.passage != pairs[i - 1].passage;
    if (other_passage) passage_ids.push_back(pair.passage);
    if (other_passage || pair.request != pairs[i - 1].request) {
      parts.push_back({passage_ids.size() - 1, claim_ids.size(), claim_ids.size()});
      if (pair.request.value != 0) {
        const std::vector<TextId>& whole = requests.at(pair.request);
        claim_ids.insert(claim_ids.end(), whole.begin(), whole.end());
      }
    }
    Part& part = parts.back();
    std::size_t place = claim_ids.size() - part.begin;
    if (pair.request.value == 0) {
      claim_ids.push_back(pair.claim);
    } else {
      const std::span<const TextId> whole = std::span(claim_ids).subspan(part.begin);
      place = static_cast<std::size_t>(std::find(whole.begin(), whole.end(), pair.claim) - whole.begin());
      if (place == whole.size()) throw Error(Code::kInternal, "a claim is not in its request");
    }
    part.end = claim_ids.size();
    places_.push_back({parts.size() - 1, place});
  }
  passages_ = load_texts(store, passage_ids);
  claims_ = load_texts(store, claim_ids);
  for (const Part& part : parts) {
    list_.push_back({passages_[part.passage],
                     {claims_.begin() + static_cast<std::ptrdiff_t>(part.begin),
                      claims_.begin() + static_cast<std::ptrdiff_t>(part.end)}});
  }
}

JudgeId register_judge(storage::Store& store, const Judge& judge) {
  const std::string digest = sha256(judge.spec());
  const auto find = [&](storage::Db& db) -> std::optional<JudgeId> {
    storage::Statement row = db.prepare(storage::sql::kJudgeIdByDigestAndName);
    row.bind(storage::Statement::Blob{digest}, judge.name());
    if (!row.step()) return std::nullopt;
    return row.id<JudgeId>(0);
  };
  if (const auto known = find(store.db())) return *known;
  const auto batch = store.write();
  storage::Db& db = batch->db();
  if (const auto known = find(db)) return *known;  // Another process was faster.
  db.prepare(storage::sql::kUpdateJudgeNameSuperseded).run(judge.name());
  db.prepare(storage::sql::kUpdateJudgeNameByDigest).run(storage::Statement::Blob{digest}, judge.name());
  if (const auto returned = find(db)) {  // An older version is in use again.
    batch->commit();
    return *returned;
  }
  db.prepare(storage::sql::kInsertJudge)
      .run(judge.name(), judge.embedded(), judge.spec(), storage::Statement::Blob{digest},
           static_cast<std::int64_t>(judge.claims_per_request()));
  const JudgeId id{db.last_insert_id()};
  batch->commit();
  return id;
}

std::int64_t judge_revision(storage::Db& db, JudgeId judge) {
  storage::Statement find = db.prepare(storage::sql::kJudgeRevision);
  return find.bind(judge).step() ? find.integer(0) : 0;
}

std::vector<StoredJudge> stored_judges(storage::Db& db) {
  storage::Statement find = db.prepare(storage::sql::kJudgesWithCounts);
  std::vector<StoredJudge> judges;
  while (find.step()) {
    judges.push_back({std::string(find.text(0)), to_hex(find.text(1).substr(0, 4)), find.integer(2) != 0,
                      find.integer(3) != 0, static_cast<std::uint64_t>(find.integer(4)),
                      static_cast<std::uint64_t>(find.integer(5))});
  }
  return judges;
}

namespace {

// Rows of one passage that are read for each pair that is looked for; beyond, pairs are looked up one by one: a passage
// may be judged with the claims of many records.
constexpr std::size_t kRowsForPair = 4;

// Ratings of the pairs of one passage, by claim and request.
class KnownRatings {
 public:
  KnownRatings(storage::Db& db, JudgeId judge)
      : judge_(judge),
        all_(db.prepare(storage::sql::kJudgmentsOfPassage)),
        one_(db.prepare(storage::sql::kJudgmentRating)) {}

  // `pairs` of one passage, ascending by claim, then request. Pairs without a rating go to `unknown`.
  void find(std::span<const Pair> pairs, RatingMap& known, std::vector<Pair>& unknown) {
    const auto place = [](const auto& pair) { return std::pair(pair.claim, pair.request); };
    auto next = pairs.begin();
    all_.bind(judge_, pairs.front().passage);
    bool more = pairs.size() > 1;
    for (std::size_t left = kRowsForPair * pairs.size(); more && left > 0 && next != pairs.end(); --left) {
      more = all_.step();
      if (!more) break;
      const std::pair row(all_.id<TextId>(0), all_.id<RequestId>(1));
      while (next != pairs.end() && place(*next) < row) unknown.push_back(*next++);
      if (next != pairs.end() && place(*next) == row) {
        known.emplace(*next++, static_cast<std::uint8_t>(all_.integer(2)));
      }
    }
    all_.reset();
    if (!more && pairs.size() > 1) {
      unknown.insert(unknown.end(), next, pairs.end());
      return;
    }
    for (; next != pairs.end(); ++next) {
      one_.bind(judge_, next->passage, next->claim, next->request);
      if (one_.step()) {
        known.emplace(*next, static_cast<std::uint8_t>(one_.integer(0)));
      } else {
        unknown.push_back(*next);
      }
      one_.reset();
    }
  }

 private:
  JudgeId judge_;
  storage::Statement all_, one_;
};

// `pairs` are sorted, each once; so are those that come back: the ones without a rating.
std::vector<Pair> look_up(storage::Db& db, JudgeId judge, const std::vector<Pair>& pairs, RatingMap& known) {
  const storage::ReadTransaction snapshot(db);  // else every look-up locks the catalog
  KnownRatings ratings(db, judge);
  known.reserve(pairs.size());
  std::vector<Pair> unknown, group;
  for (const Group& passage : by_passage(pairs)) {
    group.assign(pairs.begin() + static_cast<std::ptrdiff_t>(passage.begin),
                 pairs.begin() + static_cast<std::ptrdiff_t>(passage.end));
    std::sort(group.begin(), group.end(),
              [](const Pair& a, const Pair& b) { return std::tie(a.claim, a.request) < std::tie(b.claim, b.request); });
    ratings.find(group, known, unknown);
  }
  std::sort(unknown.begin(), unknown.end());
  return unknown;
}

}  // namespace

RatingMap known_ratings(storage::Db& db, JudgeId judge, const std::vector<Pair>& pairs) {
  std::vector<Pair> wanted = pairs;
  sort_unique(wanted);
  RatingMap known;
  look_up(db, judge, wanted, known);
  return known;
}

RatingMap rate_pairs(storage::Store& store, const Judge& judge, JudgeId id, const std::vector<Pair>& pairs,
                     std::uint64_t& rated, const RequestClaims& requests) {
  std::vector<Pair> wanted = pairs;
  sort_unique(wanted);
  RatingMap ratings;
  const std::vector<Pair> needed = look_up(store.db(), id, wanted, ratings);
  const std::size_t at_once = judge.embedded() ? kPairsAtOnce : kPairsAskedAtOnce;
  for (std::size_t begin = 0, end = 0; begin < needed.size(); begin = end) {
    end = std::min(begin + at_once, needed.size());
    const std::vector<Pair> chunk = chunk_of(needed, begin, end, requests);
    const auto result = rate(store, judge, chunk, requests);
    auto next = needed.begin() + static_cast<std::ptrdiff_t>(begin);
    for (std::size_t from = 0; from < chunk.size(); from += kRowsAtOnce) {
      const auto batch = store.write();
      storage::Statement put = batch->db().prepare(storage::sql::kInsertJudgment);
      for (std::size_t i = from; i < std::min(from + kRowsAtOnce, chunk.size()); ++i) {
        const bool asked_for = next != needed.end() && *next == chunk[i];
        if (asked_for) ++next;
        if (!result[i]) continue;
        put.run(id, chunk[i].passage, chunk[i].claim, static_cast<int>(result[i]->rating), chunk[i].request);
        if (!asked_for) continue;
        ratings.emplace(chunk[i], result[i]->rating);
        ++rated;
      }
      storage::fault_point("judge.before_commit");
      batch->commit();
    }
  }
  if (judge.embedded() || needed.empty()) return ratings;
  // Asking may have shown that answers cannot be believed, and withdrawn what was read or rated before.
  ratings.clear();
  look_up(store.db(), id, wanted, ratings);
  return ratings;
}

}  // namespace residue::query
