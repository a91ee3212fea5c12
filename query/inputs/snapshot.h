// What an evaluation looks at, read in one catalog snapshot: records, claims, and the variants of a run. Ids only;
// texts are read when they are needed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"
#include "query/inputs/requests.h"
#include "query/metric/contribution.h"
#include "storage/store.h"

namespace residue::query {

struct RecordView {
  RecordId id;
  std::string key;
  TextId text;
  bool empty = false;      // the original is the empty text: not applicable
  std::uint64_t unit = 0;  // resampling unit
};

// The names in a claim's category column (a JSON array).
std::vector<std::string> category_names(std::string_view json);

struct ClaimView {
  std::uint32_t n = 0;
  TextId text;
  std::uint32_t categories = 0;  // which of DatasetView::categories
  RequestId request = {};        // that it is in; 0: it is put to judges alone
};

// What somebody said that claims are about; each different answer once. The first: nobody said anything.
class CategoryAnswers {
 public:
  struct Answer {
    bool said = false;
    std::vector<std::string> names;  // each once; none: about no category
    std::uint64_t hash = 0;          // of the names
  };
  CategoryAnswers() : answers_(1) {}

  // `json`: claim.category.
  std::uint32_t add(std::string_view json);
  [[nodiscard]] const Answer& operator[](std::uint32_t which) const { return answers_[which]; }

 private:
  std::vector<Answer> answers_;
  std::unordered_map<std::string, std::uint32_t> known_;
};

// The records of a dataset in ascending id, and their claims in one claim set.
struct DatasetView {
  DatasetId id;
  std::string name;
  std::string content;
  std::vector<RecordView> records;
  std::unordered_map<RecordId, std::size_t> position;  // index into records
  bool independent = true;                             // every record is a resampling unit of its own

  ClaimSetId claim_set;
  std::string claim_set_name;
  std::string claims_content;
  std::string categories_content;              // claim_set.categories
  bool claims_outside = false;                 // ClaimSetHead::outside
  std::vector<std::vector<ClaimView>> claims;  // by record, ascending n
  CategoryAnswers categories;
  RequestClaims requests;  // that the claims are in; none where each is put to judges alone
};

enum class RunKind : std::uint8_t { kAligned, kSynthetic, kNone, kRemoveAll };

struct VariantView {
  bool ok = false;  // false: absent, error, or empty without being declared so
  TextId text;      // 0: the empty text
  TextId spans;     // what says which spans of the original were replaced; 0: nobody said
};

struct RunView {
  RunId id;
  std::string name;
  RunKind kind = RunKind::kAligned;
  std::string content;
  std::vector<VariantView> variants;  // aligned runs and controls: by record

  struct Synthetic {
    CandidateId id;
    std::string key;
    TextId text;
  };
  std::vector<Synthetic> synthetic;  // synthetic runs: the usable variants, ascending id
  // Synthetic runs: some text failed, there is none, or half of them are one and the same. Nobody knows what it would
  // have given away, of whom: every record counts as failed.
  bool lost = false;
  std::uint64_t failed = 0;  // synthetic runs: texts that failed
  // Aligned runs: texts that failed because one was given for many records whose originals differ
  // (model/suspicion/one_for_many.h); none where texts are meant.
  std::uint64_t repeated = 0;

  [[nodiscard]] bool aligned() const { return kind != RunKind::kSynthetic; }
  [[nodiscard]] bool control() const { return kind == RunKind::kNone || kind == RunKind::kRemoveAll; }
};

// What a run's evaluations depend on, without reading it: equal contents, nothing to do.
struct RunHead {
  RunId id;
  std::string name;
  RunKind kind = RunKind::kAligned;
  std::string content;

  [[nodiscard]] bool control() const { return kind == RunKind::kNone || kind == RunKind::kRemoveAll; }
};

// The dataset's claim set called `name`; empty: the only one, or 'claims' if there are several.
// Throws Error{not found} that lists the sets.
struct ClaimSetHead {
  ClaimSetId id;
  std::string name;
  std::string content;
  std::string categories;  // claim_set.categories
  bool outside = false;    // what attackers know from elsewhere, not what the texts say
};
// `place`: where in a protocol such a name stands.
ClaimSetHead find_claim_set(storage::Db& db, DatasetId dataset, const std::string& dataset_name,
                            const std::string& name, std::string_view place = "LINKER/POLICY/CLAIMSET");

// The set that the embedded atomizer made of the records as they are: what the control `none` says where the judged
// claims are from outside. Throws Error{not found} where there is none, Error{bad input} where it is older.
struct OwnClaims {
  ClaimSetId id;
  std::string name;
};
OwnClaims find_own_claims(storage::Db& db, DatasetId dataset, const std::string& dataset_name);

std::string dataset_content(storage::Db& db, DatasetId dataset);
std::vector<RunHead> list_runs(storage::Db& db, DatasetId dataset);  // by name in byte order

// Throws Error{bad input} if an input of the dataset, the claim set or the run was not read to its end.
void require_complete(storage::Db& db, const std::string& dataset, const std::string& claim_set,
                      const std::string& run);

// The claims of a claim set by record of the view, ascending n. With `categories` also what they are about.
std::vector<std::vector<ClaimView>> load_claims(storage::Db& db, const DatasetView& dataset, ClaimSetId set,
                                                CategoryAnswers* categories = nullptr);

DatasetView load_dataset(storage::Store& store, DatasetId dataset, const std::string& name, const ClaimSetHead& claims);
// `none_suspected`: an evaluation has seen that no text failed as one for many (query/stored/suspected_texts.h), so that
// the texts need not be read.
RunView load_run(storage::Store& store, const DatasetView& dataset, const RunHead& run, bool none_suspected = false);

}  // namespace residue::query
