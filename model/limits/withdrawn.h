// What was made of saved answers, and falls with them when it turns out that their prompts were not read whole.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>

#include "base/digest.h"
#include "storage/store.h"

namespace residue::model {

struct Withdrawn {
  std::uint64_t judgments = 0;  // of pairs, by all judges that they were votes of
  std::uint64_t checks = 0;     // of passages, whether they speak to their judge
  std::uint64_t answers = 0;    // to tasks about texts
  std::uint64_t claims = 0;     // texts whose claims a model made

  Withdrawn& operator+=(const Withdrawn& other) {
    judgments += other.judgments;
    checks += other.checks;
    answers += other.answers;
    claims += other.claims;
    return *this;
  }
};

using VoteSet = std::unordered_set<VoteKey>;

// Takes away, inside the batch that takes back the answers to these votes, what was made of them: asking itself knows
// only answers. Does the same where it is called twice.
using Withdraw = std::function<Withdrawn(storage::Store& store, storage::WriteBatch& batch, const VoteSet& votes)>;

// "3 judgments, the checks of 2 passages, 2 answers about texts, the claims of 1 text"; empty: nothing.
std::string words(const Withdrawn& withdrawn);

}  // namespace residue::model
