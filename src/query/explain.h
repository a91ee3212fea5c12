// Why an attack on one record ended as it did: what the attacker knew, which text he found, where the right one stands,
// and the terms that made the difference. Computed on the present contents, whatever was evaluated.
//
//   record ── policy ──> known claims ── joined ──> query ── linker ──> winner | truth ──> terms side by side
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/protocol.h"
#include "query/search.h"
#include "storage/store.h"

namespace residue::query {

// A term of the query that the winner or the truth has: its shares of their scores, 0 where a text lacks it.
struct DecidingTerm {
  std::string term;
  std::uint64_t documents = 0;  // of the run that have it
  double winner = 0, truth = 0;
};

struct LinkExplanation {
  enum class Outcome {
    kNotAttacked,  // the attacker knows nothing of the record
    kNotLinked,    // no term of the query occurs in the run
    kRight,
    kWrong,
    kUnowned,  // a synthetic run: its texts are nobody's
    kControl,  // oracle or random: nothing below `outcome` but `state` is filled in
  };
  struct Side {
    std::string key;
    TextId text;                        // 0: the empty text
    double score = 0;                   // 0: shares no term
    std::optional<std::size_t> rank;    // among all, from 1; nothing: shares no term
    std::optional<std::uint32_t> tied;  // other candidates of this score; nothing: not counted beyond rank kMaxHits
  };
  enum class Stored { kNever, kStale, kCurrent };

  std::string dataset, run, record;
  ProtocolSpec protocol;  // with its claim set
  Outcome outcome = Outcome::kNotAttacked;
  std::string state;  // of the record's own text in the run: as VariantCard::state
  std::string error;  // where that is "failed"

  std::vector<std::uint32_t> known;  // n of the record's claims that the attacker knows, ascending
  std::size_t claims = 0;            // of the record, in the set
  std::string query;                 // what he knows, in his words
  std::size_t candidates = 0;        // texts of the run that could be found
  std::optional<Side> winner;
  std::optional<Side> truth;        // the record's own text, where the run has one
  std::vector<DecidingTerm> terms;  // largest difference first, then largest share, then by term
  Stored stored = Stored::kNever;   // whether this protocol's links of the run were evaluated, and are up to date
};

// The attacker to explain, with its claim set: `name`, or the last evaluated, or kDefaultProtocol. Throws Error{usage},
// Error{not found} for claim sets.
ProtocolSpec protocol_to_explain(storage::Db& db, const std::string& dataset, const std::string& name);

// The record that `text` names in the dataset: a key, or DATASET/KEY. Throws Error{not found} with the nearest keys.
std::string record_to_explain(storage::Db& db, const std::string& dataset, const std::string& text);

// Throws Error{not found}; Error{usage} for a linker whose links have no terms to show. Sums of a side's shares in byte
// order of the terms are its score, to the last bit. Cost: open_run; then two searches.
LinkExplanation explain_link(storage::Store& store, const std::string& dataset, const std::string& run,
                             const std::string& record, const ProtocolSpec& protocol, IndexUse use);

// The same in a run that is open, for protocols of bm25 with the terms that it was opened with.
LinkExplanation explain_link(storage::Store& store, const OpenRun& run, const std::string& record,
                             const ProtocolSpec& protocol);

}  // namespace residue::query
