// Linking: given what an attacker knows, which sanitized record is it about?
//
//   auxiliary claims ── query text ──> Linker::top ── best hit ──> links
//
// FSP section 2, "Linking method". Nothing here looks at whether a hit is right: `own` decides a hit for the
// control `oracle` only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/ids.h"

namespace residue::index {

// One attack on one record. The views must live as long as the call they are passed to.
struct Query {
  std::string_view text;        // what the attacker knows, already joined
  std::string_view record_key;  // read by the control `random` only
  // 0: the record has no candidate of its own. The control `oracle` returns it; to any other linker it may only say
  // where to look first: hits are the same without it.
  CandidateId own = {};
};

// One candidate, best first. `score` is comparable only within one query of one linker.
struct Hit {
  CandidateId candidate;
  double score = 0;
  std::uint32_t tied = 0;  // other candidates, of all there are, with exactly this score; ties go to the smallest key

  friend bool operator==(const Hit&, const Hit&) = default;
};

// Where a candidate stands among all of one query. Those that are no hits stand level, after all hits.
struct Place {
  std::uint32_t ahead = 0;  // candidates that score more
  std::uint32_t level = 0;  // others that score as much

  friend bool operator==(const Place&, const Place&) = default;
};

// From a ranking of all hits. `candidates`: how many there are, hits or not; `own` is one of them.
Place place_in(std::span<const Hit> hits, CandidateId own, std::size_t candidates);

// Finds the candidates of one run that a text most likely describes. Implementations are immutable once built and may
// be used from several threads.
class Linker {
 public:
  virtual ~Linker() = default;

  // The best `k` hits for each query, in query order; fewer where fewer share a term, none is an empty list.
  // Order: score descending, then key in byte order. Deterministic: independent of threads, of the other queries and of
  // how the index is cut into segments. Throws Error{corrupt|io} if an index is damaged.
  virtual std::vector<std::vector<Hit>> top(std::span<const Query> queries, std::size_t k) const = 0;

  // Where each query's own candidate stands, exactly; nothing where it has none. `candidates`: how many there are, hits
  // or not. Unless a linker knows a shorter way, full rankings are made, some queries at a time.
  virtual std::vector<std::optional<Place>> places(std::span<const Query> queries, std::size_t candidates) const;
};

// Hits that are held at once where rankings are deep: 48 MB.
inline constexpr std::size_t kHitsAtOnce = std::size_t{1} << 21U;

}  // namespace residue::index
