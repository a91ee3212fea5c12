// Why an attack on one record ended as it did: what the attacker knew, which text he found, where the right one stands,
// and the evidence that made the difference, in the linker's own measure. Computed on the present contents, whatever
// was evaluated.
//
//   record ── policy ──> known claims ── OneAttack ──> winner | truth ──> evidence side by side
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/explain/evidence.h"
#include "query/explain/search.h"
#include "query/inputs/protocol.h"
#include "storage/store.h"

namespace residue::query {

// A term of the query that the winner or the truth has: its shares of their scores, 0 where a text lacks it.
struct DecidingTerm {
  std::string run;  // of releases that are combined the one it is in; else empty
  std::string term;
  std::uint64_t documents = 0;  // of the run that have it
  double winner = 0, truth = 0;
};

struct LinkExplanation {
  enum class Outcome {
    kNotAttacked,  // the attacker knows nothing of the record
    kNotLinked,    // no text of the run has anything of what is known
    kRight,
    kWrong,
    kUnowned,  // a synthetic run: its texts are nobody's
    kControl,  // oracle or random: nothing below `outcome` but `state` is filled in
  };
  struct Side : Place {  // ties of bm25 and rouge-l are not counted beyond rank kMaxHits
    std::string key;
    Evidence evidence;
  };
  struct Elected {
    std::string key;
    std::uint32_t votes = 0;
  };
  enum class Stored { kNever, kStale, kCurrent };

  std::string dataset, run, record;
  ProtocolSpec protocol;  // with its claim set
  Outcome outcome = Outcome::kNotAttacked;
  std::string state;  // of the record's own text in the run: as VariantCard::state
  std::string error;  // where that is "failed"

  std::vector<std::uint32_t> known;  // n of the record's claims that the attacker knows, ascending
  std::size_t claims = 0;            // of the record, in the set
  std::vector<std::uint32_t> said;   // n of each claim that he says; given:SET: in that set
  std::string query;                 // what he knows, in his words
  std::size_t candidates = 0;        // texts of the run that could be found
  std::optional<Side> winner;
  std::optional<Side> truth;        // the record's own text, where the run has one
  std::vector<DecidingTerm> terms;  // bm25: largest difference first, then largest share, then by run and term
  std::vector<std::string> words;   // rouge-l: of the query, in order
  std::vector<Ballot> ballots;      // voting: by claim that is said
  std::vector<Elected> elected;     // voting: most votes first, at most kMaxHits
  Stored stored = Stored::kNever;   // whether this protocol's links of the run were evaluated, and are up to date
};

// The attacker to explain, with its claim set: `name`, or the last evaluated, or kDefaultProtocol. Throws Error{usage},
// Error{not found} for claim sets.
ProtocolSpec protocol_to_explain(storage::Db& db, const std::string& dataset, const std::string& name);

// The record that `text` names in the dataset: a key, or DATASET/KEY. Throws Error{not found} with the nearest keys.
std::string record_to_explain(storage::Db& db, const std::string& dataset, const std::string& text);

// Throws Error{not found}, and what open_attack() throws. Cost: as open_attack(); then two searches.
LinkExplanation explain_link(storage::Store& store, const std::string& dataset, const std::string& run,
                             const std::string& record, const ProtocolSpec& protocol, IndexUse use);

// The same in a run that is open, for protocols of bm25 with the terms that it was opened with (see require_bm25).
LinkExplanation explain_link(storage::Store& store, const OpenRun& run, const std::string& record,
                             const ProtocolSpec& protocol);

}  // namespace residue::query
