// One thing of the store, read for a person: a dataset, a run, a record, a record under attack, a claim.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "query/report/report.h"
#include "storage/store.h"

namespace residue::query {

// DATASET, DATASET/RUN, DATASET/KEY or DATASET/KEY#N. A name that is both run and record means the run.
struct Reference {
  std::string dataset;
  std::optional<std::string> run;
  std::optional<std::string> record;
  std::optional<std::uint32_t> claim;
};

// `record`: what follows the dataset is a record, whatever runs are called. Keys may contain '/' and '#'. Throws
// Error{not found}, with the nearest runs.
Reference resolve(storage::Db& db, std::string_view text, bool record);

struct RunCard {
  std::string run, kind;
  std::optional<std::string> sanitizer, group;
  std::string params;  // JSON object
  std::optional<std::int64_t> seed;
  std::int64_t variants = 0, failed = 0;
  // What making it asked of models, whoever paid for it: requests sent, their tokens and USD. Requests that other runs
  // were made of as well count for each of them.
  std::uint64_t requests = 0, tokens_in = 0, tokens_out = 0;
  double cost_usd = 0;
  double uncounted_usd = 0;  // of it what no server counted: the most that it may have been
  std::vector<std::pair<std::string, std::int64_t>> errors;  // what the sanitizer said, how often; the most frequent 5
};

struct ClaimSetCard {
  std::string name, source;
  std::int64_t claims = 0, records = 0;  // records with claims
  std::string origin;                    // 'texts', or 'outside': what attackers know from elsewhere
};

struct DatasetCard {
  std::string dataset;
  std::int64_t records = 0, persons = 0;
  std::optional<std::string> control_of, control;  // its release its people were never in; who were never in its own
  std::vector<ClaimSetCard> claim_sets;
  std::vector<RunCard> runs;  // by name, controls last
};

DatasetCard load_dataset_card(storage::Store& store, const std::string& dataset);
RunCard load_run_card(storage::Store& store, const std::string& dataset, const std::string& run);

struct ClaimCard {
  std::uint32_t n = 0;
  TextId text;
  std::vector<std::string> categories;
};

// What became of a record in one run. State: "ok", "failed", "absent", "removed" (remove-all), "synthetic".
struct VariantCard {
  std::string run;
  std::string state;
  std::string error;  // where it failed
  TextId text;        // 0: none or empty; a text that failed as one for many records is here
};

struct RecordCard {
  std::string dataset, record;
  std::optional<std::string> person, label;
  TextId text;
  std::string claim_set;  // empty: the dataset has none
  std::vector<ClaimCard> claims;
  std::vector<VariantCard> variants;
};

// Claims are those of `claim_set`, by default of the protocol evaluated last, else of the dataset's default set.
RecordCard load_record_card(storage::Store& store, const std::string& dataset, const std::string& record,
                            const std::string& claim_set);

// How the attack on one record in one run ended.
struct AttackCard {
  bool evaluated = false;  // false: nothing below is known
  bool linked = false;
  std::string linked_key;     // the record, or synthetic variant, that was found
  std::optional<bool> right;  // nothing in synthetic runs
  std::uint32_t tied = 0;
  TextId linked_text;
  std::vector<std::uint32_t> known;  // n of the auxiliary claims, ascending
  struct Judged {
    std::uint32_t n = 0;
    std::uint8_t rating = 3;
    std::vector<TextId> with;  // the claims of its request, itself among them; none: it was put to the judge alone
  };
  std::vector<Judged> ratings;  // ascending n, auxiliary claims included; what could not be rated is absent
};

AttackCard load_attack(storage::Db& db, const Lens& lens, const std::string& run, const std::string& record);

}  // namespace residue::query
