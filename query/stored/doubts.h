// What speaks against the numbers of an attack, whatever the release: claims that are not those of the texts, texts
// that stand under the ids of others. Such an attack finds nothing, and that is no merit of the sanitizer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "query/inputs/protocol.h"
#include "query/inputs/snapshot.h"
#include "storage/store.h"

namespace residue::query {

// How many records have claims that the judge does not find even in their own originals.
struct Unsupported {
  std::int64_t records = 0;      // whose claims were judged
  std::int64_t unsupported = 0;  // of these, with a distance of 0.9 and more

  // More than one in ten: a judge is not that bad.
  [[nodiscard]] bool many() const { return unsupported * 10 > records; }
  // Whether a gate that wants `coverage` of the records may look at the numbers: of one in five it may be the judge.
  [[nodiscard]] bool too_many(double coverage) const;
};

// By the control `none` under the linker `oracle`, or where that was not evaluated under the protocol itself. Nothing
// where neither was, and where the claims are from outside, which the texts need not say.
std::optional<Unsupported> unsupported_claims(storage::Db& db, DatasetId dataset, const std::string& dataset_name,
                                              const ProtocolSpec& protocol, std::uint64_t sample, JudgeId judge);

// "the claims of 90 of 90 records are not in their own texts ..."; empty where they are not many.
std::string unsupported_note(const std::optional<Unsupported>& counts);

// Where the links of an aligned run lead.
struct Scattered {
  std::int64_t linked = 0;
  std::int64_t right = 0;     // to the record itself, or one with the same original
  std::int64_t distinct = 0;  // different records found

  // Nearly every target finds a record that no other finds, and hardly ever its own: the texts stand under the ids of
  // others. An attacker who merely guesses finds 63 % different ones.
  [[nodiscard]] bool misplaced() const;
};

// Nothing for synthetic runs, for controls among linkers, and where somebody said that the texts are meant as they are.
std::optional<Scattered> scattered_links(storage::Db& db, RunId run, ProtocolId protocol, const ProtocolSpec& spec);

// "the attack on RUN finds 88 different records for 90, 0 of them right: do its texts stand under the ids of others?";
// empty where they do not seem to.
std::string misplaced_note(const std::string& run, const std::optional<Scattered>& links);

// An attack by what it is stored under.
struct StoredAttack {
  DatasetId dataset;
  std::string dataset_name;
  const ProtocolSpec& spec;
  ProtocolId protocol;
  std::uint64_t sample = 0;
  JudgeId judge;
};

// Both notes, those of all runs among `runs` that are no controls. None for controls among linkers.
std::vector<std::string> doubts(storage::Db& db, const StoredAttack& attack, std::span<const RunHead> runs);

}  // namespace residue::query
