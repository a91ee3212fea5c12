#include "storage/check_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "storage/catalog/answers/attempt.h"
#include "storage/catalog/answers/vote_text.h"
#include "storage/catalog/repair/text_owners.h"
#include "storage/disk/lock.h"
#include "storage/facts/address.h"
#include "storage/facts/answer_check.h"
#include "storage/facts/forgetting.h"

namespace residue::storage {
namespace {

constexpr int kLockWaitMs = 5'000;
constexpr std::size_t kShownBytes = 4;  // of a vote key
constexpr std::size_t kMostOwners = 3;
constexpr std::string_view kCost = "after residue check --repair it is asked for again, and paid for again";

// Words about answers that are damaged, as far as the catalog can be read.
class Askers {
 public:
  Askers(Store& store, const std::vector<AnswerCheck::Place>& places)
      : store_(store), asked_(store.db().prepare(sql::kAttemptAskedOf)) {
    tolerate([&] { find_owners(places); });
  }

  std::string words(const AnswerCheck::Place& place) {
    std::string who = "of a model";
    tolerate([&] {
      if (asked_.bind(Statement::Blob{place.vote.bytes()}, std::int64_t{place.attempt}).step()) {
        who = fmt::format("of model {}{}, asked on {} UTC{}", asked_.text(0),
                          asked_.integer(2) != 0 ? " as a judge" : "", asked_.text(3),
                          asked_.text(1).empty() ? std::string() : fmt::format(", dataset {}", asked_.text(1)));
      } else {
        who = "of a request that the ledger does not know";
      }
    });
    asked_.reset();
    const auto about = owners_.find(place.vote);
    return fmt::format("{}{} (vote {}, attempt {})", who,
                       about == owners_.end() ? std::string() : ", about " + about->second,
                       to_hex(place.vote.bytes().substr(0, kShownBytes)), place.attempt);
  }

 private:
  template <class Part>
  static void tolerate(const Part& part) {
    try {
      part();
    } catch (const Error& error) {
      if (error.code() != Code::kCorrupt) throw;
    }
  }

  void find_owners(const std::vector<AnswerCheck::Place>& places) {
    std::map<VoteKey, std::set<std::int64_t>> texts;
    std::set<std::int64_t> all;
    Statement of_vote = store_.db().prepare(sql::kVoteTextsOfVote);
    for (const AnswerCheck::Place& place : places) {
      of_vote.bind(Statement::Blob{place.vote.bytes()});
      while (of_vote.step()) {
        Address address{};
        of_vote.text(0).copy(address.data(), address.size());
        if (const auto id = Forgetting::find(store_.facts(), address)) {
          texts[place.vote].insert(id->value);
          all.insert(id->value);
        }
      }
      of_vote.reset();
    }
    if (all.empty()) return;
    const auto owners = owners_of_texts(store_.db(), all);
    for (const auto& [vote, ids] : texts) {
      std::set<std::string> names;
      for (const std::int64_t id : ids) {
        if (const auto found = owners.find(id); found != owners.end())
          names.insert(found->second.begin(), found->second.end());
      }
      if (names.empty()) continue;
      const std::size_t more = names.size() - std::min(names.size(), kMostOwners);
      names.erase(std::next(names.begin(), static_cast<std::ptrdiff_t>(names.size() - more)), names.end());
      owners_[vote] =
          fmt::format("{}{}", fmt::join(names, ", "), more > 0 ? fmt::format(" and {} more", more) : std::string());
    }
  }

  Store& store_;
  Statement asked_;
  std::map<VoteKey, std::string> owners_;
};

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

void check_answers(Store& store, CheckResult& result, std::size_t most) {
  const AnswerCheck::Found found = AnswerCheck::look(store.facts());
  result.answers = found.read;
  const auto note = [&](std::vector<std::string>& lines, std::string line) {
    if (lines.size() < most) lines.push_back(std::move(line));
  };
  if (!found.damaged.empty()) {
    Askers askers(store, found.damaged);
    for (const AnswerCheck::Place& place : found.damaged)
      note(result.problems, fmt::format("facts: an answer {} is lost: {}", askers.words(place), kCost));
  }
  if (found.nameless > 0) {
    note(result.problems, fmt::format("facts: {} lost, and nothing says which: {}",
                                      counted(found.nameless, "answer of a model is", "answers of models are"), kCost));
  }
  const bool known = !found.damaged.empty() || found.nameless > 0;
  if (found.strays > 0 && !known) {
    note(result.derived_problems,
         fmt::format("facts: {} among the answers of models: repair removes what no answer can be read from",
                     counted(found.strays, "entry is damaged", "entries are damaged")));
  }
  if (found.mended > 0) {
    note(result.derived_problems,
         fmt::format("facts: {} by its key, or has no place in the order in which they came: repair mends that",
                     counted(found.mended, "sound answer of a model is not found",
                             "sound answers of models are there, each of which is not found")));
  }
}

void take_out_answers(Store& store, std::vector<std::string>& lines) {
  const auto writer = Lock::take(store.dir() / "writer.lock", LockMode::kExclusive, kLockWaitMs);
  if (!writer) throw Error(Code::kBusy, "another process is writing to this store", "try again later");
  const AnswerCheck::Found found = AnswerCheck::look(store.facts());
  if (found.sound()) return;
  AnswerCheck::repair(store.facts());
  const std::uint64_t lost = found.damaged.size() + found.nameless;
  if (lost > 0) {
    lines.push_back(
        fmt::format("{} removed: the commands that need them ask for them again, and they are paid for again",
                    counted(lost, "answer of a model was", "answers of models were")));
  }
  if (found.mended > 0) lines.push_back("the order in which answers of models came was mended");
}

}  // namespace residue::storage
