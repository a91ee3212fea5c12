// What was paid for and quotes what goes: ratings of its texts, and the answers of models that were asked about them.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string_view>
#include <unordered_set>

#include "base/digest.h"
#include "base/ids.h"
#include "storage/catalog/sqlite.h"
#include "storage/facts/address.h"

namespace residue::storage {

// Within a transaction for writing: the ratings in which a text of `going` is passage, or claim, or stood beside the
// claim in its request. Returns how many.
std::uint64_t drop_ratings(Db& db, const std::unordered_set<std::int64_t>& going);

// The votes that were about one of these texts.
std::set<VoteKey> votes_about(Db& db, const std::set<Address>& texts);

// The votes by which `sanitize` made the run and no other; without a run: any run of the dataset, and of no other one.
std::set<VoteKey> votes_of_runs(Db& db, DatasetId dataset, RunId run);

// What is there of what models were asked about: texts that somebody has, and words inside of others.
struct Present {
  std::function<bool(const Address&)> text, words;
};

// Votes with an answer whose subject is gone: one of its texts or words is, or an older residue noted none. One vote is
// excepted: its answers are usable, and it made a run that is still there. It counts only if none of its texts is left.
// `dataset`: one, or all ("").
std::set<VoteKey> votes_about_nothing(Db& db, std::string_view dataset, const Present& present);

// The same of one dataset, which has a name, and of all that are not there any more: a renamed one may be among them.
// What another dataset has paid for was about a text of its own.
std::set<VoteKey> votes_left_by(Db& db, std::string_view dataset, const Present& present);

// Notes votes whose answers gc erases from facts/; the ledger keeps its rows. Returns how many.
std::uint64_t erase_later(Db& db, const std::set<VoteKey>& votes);
std::set<VoteKey> votes_to_erase(Db& db);

// They are erased.
void forget_erased(Db& db, const std::set<VoteKey>& votes);

}  // namespace residue::storage
