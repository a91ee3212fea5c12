// The metric rows of a dataset's runs, as a report has them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/corpus/corpus_evaluation.h"
#include "query/evaluate/vector_evaluation.h"
#include "query/report/report.h"

namespace residue::query {

// What users gave with --param, of run.params; of a run that `sanitize` made they stand inside its spec. What is no text
// there is its JSON.
std::map<std::string, std::string> params_of(std::string_view json);

class RunReader {
 public:
  // `model`: as in ReportOptions; Error{not found} where it answered nothing about the dataset.
  RunReader(storage::Db& db, DatasetId dataset, MissingPolicy missing, std::optional<std::string> model = {});

  // The model whose answers are shown, by task: the one named, or the one that answered about most runs (then most
  // records, then the first name). It is the same for all runs: a column never mixes several models.
  [[nodiscard]] const std::map<std::string, std::string>& answerers() const { return answerers_; }

  // All runs, controls last: what was evaluated under the protocol by the judge, and what needs neither.
  // `baseline`: the protocol that knows the same and links by rouge-l, for lexical_distance.
  std::vector<ReportRun> read(ProtocolId protocol, JudgeId judge, std::optional<ProtocolId> baseline);

 private:
  void lexical_distance(ReportRun& run, RunId id, ProtocolId baseline, const std::string& content);
  void corpus(ReportRun& run, RunId id);
  void vectors(ReportRun& run, RunId id, ProtocolId protocol);
  void outside(ReportRun& run, RunId id, bool synthetic, ProtocolId protocol, JudgeId judge,
               const std::string& content);
  bool tier(ReportRun& run, RunId id, Tier tier, ProtocolId protocol, JudgeId judge, const std::string& content);

  void tasks(ReportRun& run, RunId id);

  storage::Db& db_;
  std::string content_;
  std::string labels_;  // label_content
  MissingPolicy missing_;
  storage::Statement evaluation_;
  storage::Statement rows_;
  storage::Statement answers_;
  CorpusEvaluations corpora_;
  VectorEvaluations vectors_;
  DatasetId dataset_;
  bool has_control_;  // people who were never in the dataset's releases
  std::map<std::string, std::string> answerers_;
};

}  // namespace residue::query
