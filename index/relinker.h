// Linking again after documents came, went or changed: what the last search found decides most queries.
//
//   Standing of each query, DocumentChange ──> Relinker::decide ──> hits, or "search again"
//
// A decided query's hits are those of a search, bit for bit; index/relink_bound.h says why they can be known.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "base/ids.h"
#include "index/linker.h"

namespace residue::index {

// What is kept of a query's answer. It is about the documents of its time.
struct Standing {
  std::vector<CandidateId> best;                          // some of the best, in order
  double rest = std::numeric_limits<double>::infinity();  // no other candidate scored more; infinity: nothing is known

  friend bool operator==(const Standing&, const Standing&) = default;
};

// From the documents that the standings are about to the present ones.
struct DocumentChange {
  std::vector<CandidateId> now;     // candidates that are new or have another text
  std::vector<std::string> before;  // the texts of those that are gone or have another text
};

struct Decision {
  enum class Open { kNothing, kLink, kRank };  // what a search must tell: the best candidate; where `own` stands

  Open open = Open::kLink;
  std::vector<Hit> hits;  // nothing open: the first of the best k; `own` is among them, or not among the best k
  Standing standing;      // likewise; about the present documents. With a rest of 0 `hits` are all there are
};

class Relinker {
 public:
  virtual ~Relinker() = default;

  // `standings` in the order of `queries`, whose texts are those that the standings are of. Parallel over the queries.
  virtual std::vector<Decision> decide(std::span<const Query> queries, std::span<const Standing> standings,
                                       std::size_t k) const = 0;
};

// How many candidates are kept of a query that has found its own, or has none: each costs an exact score later, and
// makes the rest's bound lower. Of others the best k are kept: they tell where the own candidate stands.
inline constexpr std::size_t kKeptIfRight = 3;

// What to keep of a search for the best k.
Standing standing_of(std::span<const Hit> hits, CandidateId own, std::size_t k);

}  // namespace residue::index
