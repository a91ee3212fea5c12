// `ingest`: rows of files, or rows of this process, into a store.
//
//   files | rows ── ingest_dataset, _claims, _run, _labels, _answers, _judgments, _vectors ──> store; counts, remarks
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "ingest/batches/result.h"
#include "ingest/batches/run_writer.h"
#include "ingest/files/dataset.h"
#include "ingest/rows/rows.h"
#include "ingest/sanitize/declared.h"
#include "storage/store.h"

namespace residue::verbs {

// What every kind of rows has in common.
struct IngestFiles {
  std::vector<std::string> files;  // read one after another; "-" is standard input
  // The files have no lasting names, so nobody can go on with one later. Each is read from its start, and is stored
  // whole or not at all.
  bool passing = false;
  bool skip_bad = false;           // stores the good rows and lists the bad ones; else the first bad row is an error
  bool append = false;             // refuses rows that would change what is stored
  NamedProgressFunction progress;  // bytes of "reading FILE"
  std::function<bool()> interrupted;
  // Told after each file, before the next is opened. `rejected` and `form` of the result are of this file.
  std::function<void(const std::string& file, const ingest::IngestResult& result)> file_done;
};

template <class Row>
struct IngestInput : IngestFiles {
  // Instead of files: stored whole or not at all. Each is as a reader makes it (ingest/rows/rows.h): UTF-8 without NUL,
  // JSON in its canonical form. Errors count rows as lines of standard input. They outlive the call.
  std::optional<std::span<const Row>> rows;
};

// `source.path` is not looked at: `files` has the paths.
struct DatasetOptions : IngestInput<ingest::RecordRow> {
  std::string dataset;
  std::string control_of;  // the dataset whose release these people were never in; empty: what `dataset` is stays
  ingest::RecordSourceOptions source;
};

struct ClaimsOptions : IngestInput<ingest::ClaimsRow> {
  std::string dataset;
  std::string set{ingest::kDefaultClaimSet};
  ingest::ClaimSourceOptions source;
  bool outside = false;  // claims of what attackers know from elsewhere; the texts are then split into claims, too
  unsigned jobs = 1;     // for that; changes no number
};

struct RunOptions : IngestInput<ingest::VariantRow> {
  std::string dataset, run;
  ingest::VariantSourceOptions source;  // `synthetic` is taken from `spec`
  ingest::RunSpec spec;
  std::optional<ingest::DeclaredSpending> spent;
  std::vector<std::string> tags = {};
  std::optional<std::string> note = {};
  std::string version = {};  // of this residue, kept with the run; empty: nothing is kept
};

struct LabelsOptions : IngestInput<ingest::LabelRow> {
  std::string dataset;
  std::optional<std::string> set;
  ingest::LabelSourceOptions source;  // of kind "response", which are answers: from files alone
};

struct AnswersOptions : IngestInput<ingest::AnswerRow> {
  std::string dataset;
  ingest::AnswerSourceOptions source;
};

struct JudgmentsOptions : IngestInput<ingest::JudgmentRow> {
  std::optional<std::string> dataset;
  std::string set{ingest::kDefaultClaimSet};
  ingest::JudgmentSourceOptions source;
};

struct VectorsOptions : IngestInput<ingest::VectorRow> {
  std::string dataset, model;
  std::string set{ingest::kDefaultClaimSet};
  ingest::VectorSourceOptions source;
};

struct Ingested {
  ingest::IngestResult result;       // of all files together; `notes` speak of the target as it is now
  std::vector<std::string> remarks;  // one line each: what else a person should know of the dataset
};

// Each throws what the function of the same name in ingest/files throws, Error{usage} for rows beside files and for
// numbered rows of several files. What was read of earlier files stays.
Ingested ingest_dataset(storage::Store& store, const DatasetOptions& options);
Ingested ingest_claims(storage::Store& store, const ClaimsOptions& options);
Ingested ingest_run(storage::Store& store, const RunOptions& options);
Ingested ingest_labels(storage::Store& store, const LabelsOptions& options);
Ingested ingest_answers(storage::Store& store, const AnswersOptions& options);
Ingested ingest_judgments(storage::Store& store, const JudgmentsOptions& options);
Ingested ingest_vectors(storage::Store& store, const VectorsOptions& options);

}  // namespace residue::verbs
