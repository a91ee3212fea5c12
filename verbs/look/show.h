// `show`: one dataset, run, record or claim of a store, with its texts and why each claim was rated as it was.
//
//   reference ── resolve ──> dataset | run | record ── cards, texts, the judge's reasons ──> what is shown
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "query/report/privacy.h"
#include "query/report/report.h"
#include "query/report/show.h"
#include "storage/store.h"
#include "verbs/runs/choose.h"

namespace residue::verbs {

struct ShowOptions {
  std::string reference;             // DATASET, DATASET/RUN, DATASET/RECORD or DATASET/RECORD#N
  bool record = false;               // what follows the dataset is a record, whatever runs are called
  std::string run;                   // of a record: as this run left it; empty: in all runs
  std::string protocol;              // attacker; empty: the last evaluated
  std::optional<std::string> judge;  // nothing: the last one
  bool lens_asked = false;           // somebody asked for this attacker or judge: one that there is not is an error
  std::optional<double> delta;       // of a dataset: what private releases cost at this delta
  std::string where = {};            // of a dataset: only runs that meet this condition (verbs/runs/condition.h)
  bool numbers = false;              // of a dataset: its report, too, where something was evaluated
};

struct ShownDataset {
  query::DatasetCard card;  // `runs`: the controls, and those that meet the condition
  query::PrivacyCard privacy;
  std::vector<RunFacts> runs = {};  // all of them
  Chosen chosen = {};
  std::optional<query::Report> report = {};  // of ShowOptions::numbers
};

struct ShownRun {
  std::string dataset;
  query::RunCard card;
  std::optional<query::Report> report;  // nothing: no attack on the dataset was evaluated
  RunFacts facts = {};

  // The run's part of it. Null: the run was not evaluated so. Lives as long as `report`.
  [[nodiscard]] const query::ReportRun* numbers() const;
};

struct ShownRecord {
  query::RecordCard card;
  std::string text;                                  // the original
  std::vector<std::string> claims;                   // of each of the card's claims
  std::vector<std::optional<std::string>> variants;  // of each of the card's variants; nothing: it has no text
};

struct RatedClaim {
  query::ClaimCard claim;
  std::string text;
  bool known = false;                  // to the attacker
  std::optional<std::uint8_t> rating;  // 1 same, 2 similar, 3 unsupported; where nothing was linked 3
  std::optional<std::string> why;      // the judge's reason; nothing where the claim was known, or nothing was linked
  std::string evidence;                // the part of the linked text that decided
};

// A record as a run left it, under the attacker of ShowResult::lens.
struct ShownAttack {
  query::RecordCard card;
  std::string run, text;                 // `text`: the original
  query::VariantCard own;                // the record's own text in the run
  std::optional<std::string> sanitized;  // nothing: it has none
  query::AttackCard attack;
  std::string linked;  // the text that the attacker found; empty: none
  std::vector<RatedClaim> claims;
};

// A claim over all runs.
struct ShownClaim {
  struct InRun {
    std::string run, state;
    query::AttackCard attack;
    bool known = false;
    std::optional<std::uint8_t> rating;
  };
  std::string dataset, record;
  query::ClaimCard claim;
  std::string text;
  std::vector<InRun> runs;
};

struct ShowResult {
  std::optional<query::Lens> lens;  // attacker and judge; nothing: not evaluated yet
  std::variant<ShownDataset, ShownRun, ShownRecord, ShownAttack, ShownClaim> shown;
};

// Holds the texts meanwhile: nobody removes them. Throws Error{not found} for names that there are not, as
// query::find_lens where an attacker, a judge or a run was asked for, Error{usage} for a `delta` that is not above 0
// and below 1, for a delta or condition not of a dataset; as choose(). Cost: a run reads the dataset's report; the
// others read what they show.
ShowResult show(storage::Store& store, const ShowOptions& options);

}  // namespace residue::verbs
