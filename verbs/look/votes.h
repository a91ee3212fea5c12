// The votes of every judge on one claim, held against the text that the attacker found; and the replies of models.
//
//   record, n ── link ──> passage ── each judge ──> rating, its votes, their replies as they were kept
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/judge/model_judge.h"
#include "query/report/report.h"
#include "storage/store.h"

namespace residue::verbs {

struct JudgeVotes {
  enum class Kind : std::uint8_t {
    kEmbedded,   // computed here: one rating, no votes, no replies
    kModel,      // asked; a cascade asks where its embedded judge is not sure
    kElsewhere,  // its judgments were brought in, one for each sample
    kUnknown,    // of an earlier version: its answers cannot be found
  };
  std::string judge = {};
  Kind kind = Kind::kEmbedded;
  std::string asks = {};                    // kModel: the model whose votes these are; of a cascade another name
  std::optional<std::uint8_t> rating = {};  // 1 same, 2 similar, 3 unsupported; nothing: it has none of this claim
  std::size_t together = 1;                 // kModel: claims that are put to it at once, this one among them
  std::vector<query::KeptVote> votes = {};  // kModel, kElsewhere
};

struct ClaimVotes {
  std::string found = {};               // whose text it was held against; empty: the attacker found nobody
  bool known = false;                   // to the attacker: it does not count
  std::vector<JudgeVotes> judges = {};  // by name: those with a rating or a reply, and that of the lens
};

// `replies`: also what models replied; else votes have their ratings alone. Holds the texts meanwhile. Throws
// Error{not found} for what there is not, or what was not evaluated; as query::require_one_release.
ClaimVotes claim_votes(storage::Store& store, const query::Lens& lens, const std::string& run,
                       const std::string& record, std::uint32_t n, bool replies);

}  // namespace residue::verbs
