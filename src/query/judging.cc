#include "query/judging.h"

#include <oneapi/tbb/blocked_range.h>

#include <algorithm>

#include "base/parallel_ranges.h"
#include "query/texts.h"
#include "storage/fault.h"
#include "storage/files.h"

namespace residue::query {
namespace {

constexpr std::size_t kPairsAtOnce = 65'536;
constexpr std::size_t kPairsAskedAtOnce = 4'096;  // judgments of a model are kept as they come
constexpr std::size_t kPassagesPerTask = 32;

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
std::vector<std::optional<Rating>> ask(const storage::Store& store, const Judge& judge,
                                       const std::vector<Pair>& pairs) {
  const std::vector<Group> groups = by_passage(pairs);
  std::vector<std::string> passages, claims;
  {
    const auto reader = store.facts().read();
    for (const Group& group : groups) passages.push_back(reader->text(pairs[group.begin].passage));
    for (const Pair& pair : pairs) claims.push_back(reader->text(pair.claim));
  }
  std::vector<Request> requests;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    requests.push_back({passages[g],
                        {claims.begin() + static_cast<std::ptrdiff_t>(groups[g].begin),
                         claims.begin() + static_cast<std::ptrdiff_t>(groups[g].end)}});
  }
  std::vector<std::optional<Rating>> ratings;
  for (const auto& result : judge.rate(requests)) ratings.insert(ratings.end(), result.begin(), result.end());
  return ratings;
}

std::vector<std::optional<Rating>> rate(const storage::Store& store, const Judge& judge,
                                        const std::vector<Pair>& pairs) {
  if (!judge.embedded()) return ask(store, judge, pairs);
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

void sort_unique(std::vector<Pair>& pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

JudgeId register_judge(storage::Store& store, const Judge& judge) {
  const std::string digest = storage::sha256(judge.spec());
  const auto find = [&](storage::Db& db) -> std::optional<JudgeId> {
    storage::Statement row = db.prepare("SELECT id FROM judge WHERE digest = ?1 AND name = ?2");
    row.bind(storage::Statement::Blob{digest}, judge.name());
    if (!row.step()) return std::nullopt;
    return row.id<JudgeId>(0);
  };
  if (const auto known = find(store.db())) return *known;
  const auto batch = store.write();
  storage::Db& db = batch->db();
  if (const auto known = find(db)) return *known;  // Another process was faster.
  db.prepare("UPDATE judge SET name = name || ' (superseded ' || id || ')' WHERE name = ?1").run(judge.name());
  db.prepare("UPDATE judge SET name = ?2 WHERE digest = ?1").run(storage::Statement::Blob{digest}, judge.name());
  if (const auto returned = find(db)) {  // An older version is in use again.
    batch->commit();
    return *returned;
  }
  db.prepare("INSERT INTO judge (name, embedded, spec, digest) VALUES (?1, ?2, ?3, ?4)")
      .run(judge.name(), judge.embedded(), judge.spec(), storage::Statement::Blob{digest});
  const JudgeId id{db.last_insert_id()};
  batch->commit();
  return id;
}

std::vector<StoredJudge> stored_judges(storage::Db& db) {
  storage::Statement find = db.prepare(
      "SELECT name, digest, embedded, json_extract(spec, '$.imported') IS NOT NULL,"
      " (SELECT count(*) FROM judgment m WHERE m.judge_id = j.id),"
      " (SELECT count(*) FROM judgment_sample s WHERE s.judge_id = j.id) FROM judge j ORDER BY name");
  std::vector<StoredJudge> judges;
  while (find.step()) {
    judges.push_back({std::string(find.text(0)), storage::to_hex(find.text(1).substr(0, 4)), find.integer(2) != 0,
                      find.integer(3) != 0, static_cast<std::uint64_t>(find.integer(4)),
                      static_cast<std::uint64_t>(find.integer(5))});
  }
  return judges;
}

RatingMap known_ratings(storage::Db& db, JudgeId judge, const std::vector<Pair>& pairs) {
  RatingMap known;
  known.reserve(pairs.size());
  storage::Statement find =
      db.prepare("SELECT rating FROM judgment WHERE judge_id = ?1 AND passage_id = ?2 AND claim_id = ?3");
  for (const Pair& pair : pairs) {
    if (known.count(pair) != 0) continue;
    find.bind(judge, pair.passage, pair.claim);
    if (find.step()) known.emplace(pair, static_cast<std::uint8_t>(find.integer(0)));
  }
  return known;
}

RatingMap rate_pairs(storage::Store& store, const Judge& judge, JudgeId id, const std::vector<Pair>& pairs,
                     std::uint64_t& rated) {
  RatingMap ratings = known_ratings(store.db(), id, pairs);
  std::vector<Pair> needed;
  for (const Pair& pair : pairs) {
    if (ratings.count(pair) == 0) needed.push_back(pair);
  }
  sort_unique(needed);
  const std::size_t at_once = judge.embedded() ? kPairsAtOnce : kPairsAskedAtOnce;
  for (std::size_t begin = 0; begin < needed.size(); begin += at_once) {
    const std::vector<Pair> chunk(
        needed.begin() + static_cast<std::ptrdiff_t>(begin),
        needed.begin() + static_cast<std::ptrdiff_t>(std::min(begin + at_once, needed.size())));
    const auto result = rate(store, judge, chunk);
    const auto batch = store.write();
    storage::Statement put = batch->db().prepare("INSERT OR IGNORE INTO judgment VALUES (?1, ?2, ?3, ?4)");
    for (std::size_t i = 0; i < chunk.size(); ++i) {
      if (!result[i]) continue;
      put.run(id, chunk[i].passage, chunk[i].claim, static_cast<int>(result[i]->rating));
      ratings.emplace(chunk[i], result[i]->rating);
      ++rated;
    }
    storage::fault_point("judge.before_commit");
    batch->commit();
  }
  return ratings;
}

}  // namespace residue::query
