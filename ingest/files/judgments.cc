#include "ingest/files/judgments.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "base/digest.h"
#include "base/json.h"
#include "ingest/batches/batch.h"
#include "ingest/files/unknown_names.h"
#include "storage/catalog/answers/judge.h"
#include "storage/catalog/answers/judgment.h"
#include "storage/catalog/answers/judgment_sample.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/variant.h"

namespace residue::ingest {
namespace {

using storage::Statement;
using storage::WriteBatch;

// Parts of a name are a model, its prompt, its version.
bool good_name(std::string_view name) {
  const auto good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-' || c == '/' || c == ':';
  };
  return !name.empty() && name.size() <= 128 && name.front() != '-' && std::all_of(name.begin(), name.end(), good);
}

constexpr std::string_view kOwn[] = {"lexical", "lexical-wordnet", "rouge"};

class JudgmentSink final : public RowSink<JudgmentRow> {
 public:
  JudgmentSink(storage::Db& db, const std::optional<std::string>& dataset, std::string_view set)
      : db_(db),
        dataset_(dataset),
        set_(set),
        judge_(db.prepare(storage::sql::kJudgeIdAndDigestByName)),
        add_judge_(db.prepare(storage::sql::kInsertJudgeElsewhere)),
        claim_(db.prepare(storage::sql::kClaimByRecordKeySetAndN)),
        passage_(db.prepare(storage::sql::kVariantTextByRunNameWithKind)),
        known_(db.prepare(storage::sql::kJudgmentSampleRating)),
        add_(db.prepare(storage::sql::kInsertJudgmentSample)),
        fold_(db.prepare(storage::sql::kInsertJudgmentFromSamples)),
        revise_(db.prepare(storage::sql::kUpdateJudgeRevision)) {}

  void begin(WriteBatch& /*batch*/, const IngestPosition& /*progress*/) override {
    judges_.clear();
    revised_.clear();
    if (dataset_) id_ = storage::find_dataset(db_, *dataset_);
  }

  std::optional<Problem> put(WriteBatch& batch, const JudgmentRow& row, Outcome& outcome) override {
    JudgeId judge;
    if (auto problem = find_judge(row, judge)) return problem;
    TextId passage, claim;
    if (row.run) {
      if (auto problem = find_texts(row, passage, claim)) return problem;
    } else if (is_blank(row.claim) || is_blank(row.passage)) {
      return Problem{"a blank claim or passage says nothing that could be judged", "leave the row out"};
    } else {
      passage = batch.put_text(row.passage, storage::PrivacyClass::kOriginal);
      claim = batch.put_text(row.claim, storage::PrivacyClass::kOriginal);
    }
    const auto sample = static_cast<std::int64_t>(row.sample);
    if (known_.bind(judge, passage, claim, sample).step()) {
      const bool same = known_.integer(0) == row.rating;
      known_.reset();
      outcome = Outcome::kSame;
      if (same) return std::nullopt;
      return Problem{"this sample of the judge has another rating of the same pair already",
                     "give every further answer a \"sample\" of its own, and every judge a name of its own"};
    }
    add_.run(judge, passage, claim, sample, static_cast<int>(row.rating));
    fold_.run(judge, passage, claim);
    if (db_.changes() > 0) revised_.insert(judge);
    outcome = Outcome::kNew;
    return std::nullopt;
  }

  void skip(const JudgmentRow& /*row*/) override {}
  // What was computed from its judgments is stale with the commit that changes them.
  void end(WriteBatch& /*batch*/, IngestPosition& /*progress*/, bool /*last*/) override {
    for (const JudgeId judge : revised_) revise_.run(judge);
    revised_.clear();
  }

 private:
  std::optional<Problem> find_judge(const JudgmentRow& row, JudgeId& judge) {
    if (const auto known = judges_.find(row.judge); known != judges_.end()) {
      judge = known->second;
      return std::nullopt;
    }
    if (!good_name(row.judge)) {
      return Problem{"this cannot be the name of a judge",
                     "1 to 128 letters, digits, '.', '_', '-', ':' and '/': \"gpt-4/prompt-2\""};
    }
    if (std::find(std::begin(kOwn), std::end(kOwn), row.judge) != std::end(kOwn)) {
      return Problem{"the judge of this name is computed here", "give the judge from elsewhere a name of its own"};
    }
    const std::string spec = Json{{"imported", true}, {"judge", row.judge}}.sorted().dump();
    const std::string digest = sha256(spec);
    if (judge_.bind(row.judge).step()) {
      judge = judge_.id<JudgeId>(0);
      const bool imported = judge_.text(1) == digest;
      judge_.reset();
      if (!imported) {
        return Problem{"a judge of this name is asked from here", "give the judge from elsewhere a name of its own"};
      }
    } else {
      add_judge_.run(row.judge, spec, Statement::Blob{digest});
      judge = JudgeId{db_.last_insert_id()};
    }
    judges_.emplace(row.judge, judge);
    return std::nullopt;
  }

  std::optional<Problem> find_texts(const JudgmentRow& row, TextId& passage, TextId& claim) {
    if (!dataset_) return Problem{"the row names a run, of no dataset", "name the dataset with --dataset"};
    if (!claim_.bind(id_, row.claim, set_, row.n).step()) return no_claim(row);
    claim = claim_.id<TextId>(0);
    const auto record = claim_.id<RecordId>(1);
    claim_.reset();
    const bool run = passage_.bind(id_, *row.run, record).step();
    const auto text = run ? passage_.integer_or_null(1) : std::nullopt;
    passage_.reset();
    if (!run) return UnknownNames(db_, *dataset_).run(*row.run);
    if (!text) return Problem{"the run has no text for this record", "leave the row out"};
    passage = TextId{*text};
    return std::nullopt;
  }

  Problem no_claim(const JudgmentRow& row) {
    if (!names_) names_.emplace(db_, *dataset_);
    Statement find = db_.prepare(storage::sql::kRecordByKey);
    if (!find.bind(id_, row.claim).step()) return names_->record(row.claim, "ingest the record first");
    return names_->claim(find.id<RecordId>(0), set_);
  }

  storage::Db& db_;
  std::optional<UnknownNames> names_;
  const std::optional<std::string> dataset_;
  const std::string set_;
  DatasetId id_;
  std::map<std::string, JudgeId> judges_;  // of this batch: another process may rename one between two
  std::set<JudgeId> revised_;              // of this batch
  Statement judge_, add_judge_, claim_, passage_, known_, add_, fold_, revise_;
};

}  // namespace

IngestResult ingest_judgments(storage::Store& store, const std::optional<std::string>& dataset, std::string_view set,
                              RowSource<JudgmentRow>& source, const SourceIdentity& file,
                              const IngestOptions& options) {
  if (dataset) storage::find_dataset(store.db(), *dataset);
  JudgmentSink sink(store.db(), dataset, set);
  return store_rows(store, source, file, "judgments", options, sink);
}

}  // namespace residue::ingest
