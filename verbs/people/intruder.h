// The intruder test: a person reads what an attacker knows of somebody and looks for that record in the release.
//
//   DATASET/RUN ── open_intruder ──> query::IntruderTest
//     next_target ──> facts ── search_release, read_release ──> answer_target ──> (tell_outcome) ... intruder_report
//                                                       bring_attempts (attempts made elsewhere) ──┘
//
// A target and the texts of the release have codes in place of keys: in an aligned run a text has the key of its
// record. Some targets are absent: their text, and whatever else the absent attack leaves out, is not found, so that
// "none" can be right. Nobody is told which. What is right is not said before tell_outcome() is called, or somebody
// asks intruder_report() for outcomes, and that is stored: what an annotator answers then is not blind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "query/explain/search.h"
#include "query/explain/snippet.h"
#include "query/people/intruder_report.h"
#include "query/people/intruder_test.h"
#include "query/sql/levels/readable.h"
#include "storage/store.h"
#include "verbs/people/kept.h"

namespace residue::verbs {

struct IntruderOptions {
  std::string dataset, run;
  std::string protocol;     // whose auxiliary claims are the facts; empty: the last evaluated
  std::uint64_t seed = 42;  // of the order of the targets, and of who is absent
  std::uint32_t absent_percent = query::kAbsentPercent;  // how many of the targets are; 0 to 90
  query::ReadLevel level = query::ReadLevel::kReleased;
  query::IndexUse index = query::IndexUse::kBuild;
  std::optional<query::StrataBy> strata = {};  // what targets are drawn from; nothing: as this test's were so far
  std::optional<std::uint64_t> sample = {};    // of several samples that were attacked: as query::find_lens has it
};

// May be kept and shared by threads that only read; it is of the store as it is now, and what is asked of it later
// throws Error{try again} once the dataset, its claims or the run are others. Throws Error{usage} for a level that
// reads no claims (of the run none: no originals), for a synthetic run, whose texts are nobody's, for remove-all, which
// has no texts, for attackers with several releases, and for other strata than targets were drawn from before;
// Error{not found} as query::find_lens. Cost: as query::open_run, reads the claims, and for strata of the machine all
// originals.
std::unique_ptr<query::IntruderTest> open_intruder(storage::Store& store, const IntruderOptions& options);

struct IntruderTarget {
  std::string target;              // a code: what the other calls name it by
  std::vector<std::string> facts;  // what the attacker knows, claim by claim, in his words
  bool again = false;              // it was drawn before, and not answered yet
  std::uint64_t answered = 0;      // targets of this test that this annotator has answered
  std::uint64_t left = 0;          // and those that he has not, this one among them
};

// The target that waits for an answer of this annotator, else the next one, which is stored as drawn; nothing: there is
// none left. Never the same twice, but for one whose texts changed before it was answered. Uniform over the records
// that the protocol attacks and whose text did not fail, or over those of each stratum, in turn. Holds the texts
// meanwhile. Throws Error{usage} for an annotator without a name.
std::optional<IntruderTarget> next_target(storage::Store& store, const query::IntruderTest& test,
                                          const std::string& annotator);

struct ReleaseSearch {
  std::string annotator, target;  // who looks for whom: this decides what can be found
  std::string text;
  std::size_t k = query::kDefaultHits;  // at most query::kMaxHits
  std::size_t columns = 160;            // of a snippet, about
};

struct ReleasedHit {
  std::string code;  // the choice
  std::size_t rank = 0;
  double score = 0;
  query::Snippet snippet;  // of the released text
};

// The best texts of the release by BM25; none: no term occurs. Changes nothing: whoever counts searches tells
// answer_target(). Holds the texts meanwhile. Throws Error{not found} for a target that was not drawn.
std::vector<ReleasedHit> search_release(storage::Store& store, const query::IntruderTest& test,
                                        const ReleaseSearch& search);

// One released text, whole. Throws Error{not found} for a code that there is not, and for one that cannot be found in
// this target's release: they look alike.
std::string read_release(storage::Store& store, const query::IntruderTest& test, const std::string& annotator,
                         const std::string& target, const std::string& code);

struct IntruderAnswer {
  std::string annotator, target;
  std::optional<std::string> choice;      // a code; nothing: none of them
  std::int64_t sure = -1;                 // 0 to 100 per cent
  std::optional<double> seconds;          // how long it took, from the facts to the answer
  std::optional<std::uint64_t> searches;  // how many
};

// Stores the attempt, and whether it is blind. The same again changes nothing; another answer takes the place of the
// one before, unless its outcome was told; what was not blind once never is. Throws Error{bad input} for numbers that
// are none, for a code that cannot be found, and where the texts changed since the target was drawn: then the draw is
// taken back. Error{not found} for a target that was not drawn.
Kept answer_target(storage::Store& store, const query::IntruderTest& test, const IntruderAnswer& answer);

// "right", "wrong", "none" (of a target that is there), "rightly none", "failed", "outdated"; stored as told. Throws as
// answer_target(), and Error{bad input} for a target without an answer.
std::string tell_outcome(storage::Store& store, const query::IntruderTest& test, const std::string& annotator,
                         const std::string& target);

struct IntruderReportOptions {
  std::string dataset, run, protocol;    // as IntruderOptions
  std::optional<std::string> annotator;  // only this one's; nothing: everybody's
  bool outcomes = false;    // also while somebody who began has not finished; that they were read is stored
  std::string reader = {};  // who reads them: later answers of this annotator are not blind; empty: of all
  bool once_read = false;   // outcomes only where it is stored already that anybody may have read them; stores nothing
  std::optional<std::uint64_t> sample = {};  // as IntruderOptions
};

// Human and machine on one axis. How attempts came out is held back while somebody who began has targets left: who sees
// a total after each answer learns whether it was right. No text is in it, and no key but names of strata. Holds the
// texts meanwhile. Throws as open_intruder, but for levels; of nobody's attempts it says so. Cost: reads all originals
// (who is the same person).
query::IntruderReport intruder_report(storage::Store& store, const IntruderReportOptions& options);

}  // namespace residue::verbs
