// The targets of an intruder test on one run, in the order in which they are drawn, and what can be found for each.
//
//   run, protocol ── attacked records with a text, by a hash of (seed, key) ──> targets, some of them absent
//                                     └─ in rounds, one of each stratum ─┘  where they are stratified
//
// A person who is asked to find somebody who is there learns to always name somebody. So some targets are absent: what
// the absent attack leaves out (query/absent/absence.h: the record, those of the same person, those with the same or
// nearly the same original) is not found, as if it had never been released, and "none" is right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/keyed_hash.h"
#include "query/absent/absence.h"
#include "query/explain/search.h"
#include "query/inputs/auxiliary.h"
#include "query/inputs/snapshot.h"
#include "query/link/linked_persons.h"
#include "query/link/linking.h"
#include "query/people/intruder_about.h"
#include "query/report/report.h"
#include "storage/store.h"

namespace residue::query {

inline constexpr std::uint32_t kAbsentPercent = 25;      // of the targets, where nobody says otherwise
inline constexpr std::uint32_t kMostAbsentPercent = 90;  // more leave too few to be found

// What the targets are drawn from in turn (intruder_strata.h). kNothing: from all of them alike.
enum class StrataBy : std::uint8_t { kNothing, kMachine, kLabel };
inline constexpr std::string_view kStrataNames[] = {"none", "machine", "label"};

// What a test is of, read in one go. Immutable but for what is computed when it is first needed; for any number of
// threads.
struct IntruderTest {
  Lens lens;
  std::string protocol;  // canonical: intruder_attempt.protocol
  std::uint64_t seed = 42;
  std::uint32_t absent_percent = kAbsentPercent;
  OpenRun release;              // its view of the dataset has the claims; without a linker where nobody searches
  AuxiliaryView known;          // what the attacker knows
  std::vector<LinkView> links;  // of the machine, by record, as evaluated last
  bool stale = false;           // they are of other contents
  std::string content;          // of all that is above

  struct Target {
    std::size_t record = 0;  // place in the view
    bool absent = false;
    std::string stratum = {};  // empty: drawn from all targets
  };
  std::vector<Target> targets;  // in the order of the draw
  std::uint64_t failed = 0;     // attacked records whose text failed: nobody is asked to find them
  StrataBy by = StrataBy::kNothing;
  std::vector<std::string> strata;  // by record; empty: by nothing
  bool mixed = false;               // the stored attempts were drawn by strata of several kinds

  [[nodiscard]] const DatasetView& dataset() const { return release.dataset; }
  [[nodiscard]] const RecordView& record(std::size_t place) const { return release.dataset.records[place]; }

  // Codes stand for keys: nobody can tell from one whose it is. Nothing for a code that there is not.
  [[nodiscard]] std::string target_code(std::size_t record) const;
  [[nodiscard]] std::optional<std::size_t> target_of(std::string_view code) const;

  // A released text has another code for each target: what was found for one says nothing of the next.
  [[nodiscard]] std::string text_code(std::size_t target, CandidateId candidate) const;
  [[nodiscard]] std::optional<CandidateId> text_of(std::size_t target, std::string_view code) const;

  // Whose texts cannot be found for an absent target, ascending. Cost: as equal_originals() when it is first asked for.
  [[nodiscard]] std::vector<CandidateId> left_out(std::size_t target) const;

  // As link/linked_persons.h has them. Cost: the first time a read of all originals; the caller holds
  // Store::hold_texts() then.
  [[nodiscard]] const std::vector<std::size_t>& equal_originals() const;

  // Of what a person is given: another one, another task.
  [[nodiscard]] std::int64_t drawn_hash(std::size_t target) const;
  // As intruder_about.h has them. A choice is a place in the view; nothing: nobody was named.
  [[nodiscard]] std::uint64_t given(std::size_t target) const;
  [[nodiscard]] NamedText named(std::optional<std::size_t> choice) const;
  // Whether an answer named a record that is gone since: none is stored, but `about` tells. false: it is outdated.
  [[nodiscard]] bool names_gone(std::size_t target, bool chosen, std::optional<std::int64_t> about) const;
  // Nothing: it failed.
  [[nodiscard]] std::optional<TextId> released_text(std::size_t place) const;

  explicit IntruderTest(const storage::Store& store);
  IntruderTest(const IntruderTest&) = delete;
  IntruderTest& operator=(const IntruderTest&) = delete;

 private:
  const storage::Store& store_;
  KeyedHash codes_;
  mutable std::once_flag equal_known_, absence_known_;
  mutable std::vector<std::size_t> equal_;
  mutable std::unique_ptr<Absence> absence_;
};

struct IntruderTestOptions {
  std::string dataset, run, protocol = {};
  std::uint64_t seed = 42;
  std::uint32_t absent_percent = kAbsentPercent;
  bool search = true;  // false: no index is opened
  IndexUse index = IndexUse::kBuild;
  std::optional<StrataBy> strata = {};       // nothing: as the stored attempts were drawn
  std::optional<std::uint64_t> sample = {};  // as find_lens has it
};

// The caller holds Store::hold_texts(). Cost: with strata of the machine, also a read of all originals. Throws as
// verbs::open_intruder. `store` outlives it.
std::unique_ptr<IntruderTest> make_intruder_test(storage::Store& store, const IntruderTestOptions& options);

}  // namespace residue::query
