#include "storage/erase/paid.h"

#include <array>
#include <map>
#include <vector>

#include "storage/catalog/answers/erased_vote.h"
#include "storage/catalog/answers/judgment.h"
#include "storage/catalog/answers/judgment_sample.h"
#include "storage/catalog/answers/request.h"
#include "storage/catalog/answers/vote_text.h"
#include "storage/catalog/sources/run_vote.h"

namespace residue::storage {
namespace {

using Texts = std::unordered_set<std::int64_t>;

// Requests with a claim that goes.
Texts requests_with(Db& db, const Texts& going) {
  Texts requests;
  Statement claims = db.prepare(sql::kRequestClaimTextsOfAll);
  while (claims.step()) {
    if (going.count(claims.integer(1)) != 0) requests.insert(claims.integer(0));
  }
  return requests;
}

Address address_in(std::string_view stored) {
  Address address{};
  stored.copy(address.data(), address.size());
  return address;
}

std::set<VoteKey> votes(Statement& statement) {
  std::set<VoteKey> found;
  while (statement.step()) found.insert(VoteKey(statement.text(0)));
  return found;
}

// What the rows of one vote say of what it was about.
struct About {
  bool some_text = false, all = true, unusable = false, made_run = false;

  void add(const Statement& row, const Present& present) {
    unusable = unusable || row.integer(2) != 0;
    made_run = row.integer(3) != 0;
    const bool noted = !row.is_null(1);
    const bool text = noted && present.text(address_in(row.text(1)));
    some_text = some_text || text;
    all = all && (text || (noted && present.words(address_in(row.text(1)))));
  }
  // A sanitizer also asks about its own words, which stand in no text. So a vote that made a run needs only one text.
  [[nodiscard]] bool nothing() const { return !all && !(some_text && made_run && !unusable); }
};

std::set<VoteKey> about_nothing(Db& db, std::string_view dataset, bool of_gone, const Present& present) {
  Statement find = db.prepare(sql::kVoteTextsOfAnswered);
  find.bind(dataset, std::int64_t{of_gone});
  std::map<VoteKey, About> votes;
  while (find.step()) votes[VoteKey(find.text(0))].add(find, present);
  std::set<VoteKey> found;
  for (const auto& [vote, about] : votes) {
    if (about.nothing()) found.insert(vote);
  }
  return found;
}

}  // namespace

std::uint64_t drop_ratings(Db& db, const Texts& going) {
  const Texts requests = requests_with(db, going);
  std::vector<std::array<std::int64_t, 4>> gone;
  Statement all = db.prepare(sql::kJudgmentPairsOfAllWithRequest);
  while (all.step()) {
    if (going.count(all.integer(1)) + going.count(all.integer(2)) + requests.count(all.integer(3)) == 0) continue;
    gone.push_back({all.integer(0), all.integer(1), all.integer(2), all.integer(3)});
  }
  Statement erase = db.prepare(sql::kDeleteJudgment);
  for (const auto& row : gone) erase.run(row[0], row[1], row[2], row[3]);
  std::vector<std::array<std::int64_t, 3>> samples;
  Statement sampled = db.prepare(sql::kJudgmentSamplePairsOfAll);
  while (sampled.step()) {
    if (going.count(sampled.integer(1)) + going.count(sampled.integer(2)) == 0) continue;
    samples.push_back({sampled.integer(0), sampled.integer(1), sampled.integer(2)});
  }
  Statement erase_samples = db.prepare(sql::kDeleteJudgmentSamplesOfPair);
  for (const auto& row : samples) erase_samples.run(row[0], row[1], row[2]);
  return gone.size();
}

std::set<VoteKey> votes_about(Db& db, const std::set<Address>& texts) {
  std::set<VoteKey> found;
  Statement rows = db.prepare(sql::kVoteTextsOfAll);
  while (rows.step()) {
    if (texts.count(address_in(rows.text(1))) != 0) found.insert(VoteKey(rows.text(0)));
  }
  return found;
}

std::set<VoteKey> votes_of_runs(Db& db, DatasetId dataset, RunId run) {
  Statement find = db.prepare(sql::kRunVotesOfItsOwn);
  find.bind(run, dataset);
  return votes(find);
}

std::set<VoteKey> votes_about_nothing(Db& db, std::string_view dataset, const Present& present) {
  return about_nothing(db, dataset, false, present);
}

std::set<VoteKey> votes_left_by(Db& db, std::string_view dataset, const Present& present) {
  return about_nothing(db, dataset, true, present);
}

std::uint64_t erase_later(Db& db, const std::set<VoteKey>& votes) {
  Statement put = db.prepare(sql::kInsertErasedVote);
  for (const VoteKey& vote : votes) put.run(Statement::Blob{vote.bytes()});
  return votes.size();
}

std::set<VoteKey> votes_to_erase(Db& db) {
  Statement find = db.prepare(sql::kErasedVotes);
  return votes(find);
}

void forget_erased(Db& db, const std::set<VoteKey>& votes) {
  Statement forget = db.prepare(sql::kDeleteVoteTextsOfVote);
  for (const VoteKey& vote : votes) forget.run(Statement::Blob{vote.bytes()});
  db.prepare(sql::kDeleteErasedVotes).run();
}

}  // namespace residue::storage
