#include "python/core/evaluating.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/ask/withdrawing.h"
#include "ingest/atomize/withdrawing.h"
#include "python/core/keywords.h"
#include "python/core/looking.h"
#include "python/core/row_file.h"
#include "python/core/running.h"
#include "python/core/stores.h"
#include "query/corpus/corpus_evaluation.h"
#include "query/evaluate/evaluate.h"
#include "query/evaluate/vector_evaluation.h"
#include "query/judge/withdrawing.h"
#include "storage/catalog/sources/dataset.h"
#include "verbs/quick.h"

namespace residue::python {
namespace {

namespace py = pybind11;

// Of texts: every tier, attacker and warning reads them.
constexpr std::size_t kRememberedBytes = std::size_t{128} << 20U;

struct Evaluated {
  query::EvalCounts counts;
  query::CorpusCounts corpus;
  query::VectorCounts vectors;
  double seconds = 0;
};

py::dict dict_of(const Evaluated& all) {
  const query::EvalCounts& counts = all.counts;
  py::list notes;
  for (const auto* list : {&counts.notes, &all.corpus.notes, &all.vectors.notes}) {
    for (const std::string& note : *list) notes.append(note);
  }
  py::dict judgments, asked, answer;
  judgments["known"] = counts.known;
  judgments["rated"] = counts.rated;
  asked["requests"] = counts.asked.requests;
  asked["saved"] = counts.asked.saved;
  asked["cost_usd"] = counts.asked.cost_usd;
  answer["evaluations"] = counts.evaluations;
  answer["current"] = counts.current;
  answer["links"] = counts.links;
  answer["links_searched"] = counts.links_searched;
  answer["judgments"] = judgments;
  answer["rescored"] = counts.rescored;
  answer["unanswered"] = counts.unanswered;
  answer["sample"] = counts.sample;
  answer["corpus"] = all.corpus.computed;
  answer["vectors"] = all.vectors.computed;
  answer["asked"] = asked;
  answer["notes"] = notes;
  answer["seconds"] = all.seconds;
  return answer;
}

model::Withdraw withdrawing() {
  return [](storage::Store& store, storage::WriteBatch& batch, const model::VoteSet& votes) {
    model::Withdrawn withdrawn = query::withdraw_judgments(store, batch, votes);
    withdrawn.answers = ingest::withdraw_answers(store, batch, votes);
    withdrawn.claims = ingest::withdraw_claims(store, batch, votes);
    return withdrawn;
  };
}

std::vector<query::Target> targets_of(storage::Store& store, const std::vector<std::string>& names) {
  std::vector<query::Target> targets;
  for (const std::string& name : names) targets.push_back(storage::parse_target(name));
  if (!targets.empty()) return targets;
  storage::Statement all = store.db().prepare(storage::sql::kDatasetNamesInOrder);
  while (all.step()) targets.push_back({std::string(all.text(0)), std::nullopt});
  if (targets.empty()) throw Error(Code::kNotFound, "the store has no dataset", "store.ingest_dataset(name, rows)");
  return targets;
}

query::EvalOptions options_of(Keywords& words) {
  query::EvalOptions options;
  const std::string protocol = words.take<std::string>("protocol").value_or("");
  options.stored = protocol == "all";
  if (!protocol.empty() && !options.stored) options.protocols = query::parse_protocols(protocol);
  options.judge = words.take<std::string>("judge").value_or(options.judge);
  options.seeds = words.take<std::uint32_t>("seeds").value_or(options.seeds);
  options.sample = words.take<std::uint64_t>("sample").value_or(options.sample);
  options.max_calls = words.take<std::uint64_t>("max_calls");
  options.max_cost = words.take<double>("max_cost");
  if (options.seeds < 1 || options.seeds > 1000) throw Error(Code::kUsage, "seeds: from 1 to 1,000", "seeds=3");
  return options;
}

py::dict evaluate(const std::string& path, const std::vector<std::string>& names, const py::dict& keywords) {
  Keywords words(keywords);
  query::EvalOptions options = options_of(words);
  query::CorpusOptions corpus;
  const auto metrics = words.take<std::vector<std::string>>("metrics").value_or(std::vector<std::string>());
  corpus.metrics = query::corpus_metrics(metrics);
  corpus.embedder = words.take<std::string>("embedder").value_or("");
  const py::object progress = words.progress();
  words.check_all_taken();
  options.withdraw = withdrawing();
  return dict_of(run_for(progress, [&](const Running& running) {
    options.interrupted = corpus.interrupted = running.interrupted;
    options.progress = corpus.progress = running.progress;
    OpenStore store(path, running);
    const std::vector<query::Target> targets = targets_of(*store, names);
    const auto remembered = store->facts().remember_texts(kRememberedBytes);
    const auto start = std::chrono::steady_clock::now();
    Evaluated all;
    all.counts = query::evaluate(*store, targets, options);
    if (!corpus.metrics.empty()) all.corpus = query::evaluate_corpus(*store, targets, corpus);
    options.sample = all.counts.sample;  // no sample where the dataset is not larger
    const bool vectors = std::any_of(metrics.begin(), metrics.end(), [](const std::string& name) {
      return query::definition(*query::find_metric(name)).tier == query::Tier::kVector;
    });
    if (vectors) all.vectors = query::evaluate_vectors(*store, targets, options, corpus.embedder);
    all.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return all;
  }));
}

// In a store of its own in `folder`, which is empty.
py::dict quick(const std::string& folder, const py::object& originals, const py::object& sanitized,
               const py::object& progress) {
  const RowFile before(originals);
  const RowFile after(sanitized);
  verbs::QuickOptions options;
  options.originals = before.path();
  options.sanitized = after.path();
  const verbs::QuickResult result = run_for(progress, [&](const Running& running) {
    options.interrupted = running.interrupted;
    options.progress = running.progress;
    verbs::QuickFiles files = verbs::look_at_files(options);
    storage::Store::create(folder);
    OpenStore store(folder + "/.residue", running);
    return verbs::quick(*store, options, std::move(files));
  });
  py::list worst;
  for (const verbs::WorstRecord& one : result.worst) {
    py::dict row;
    row["record"] = one.record;
    row["leaks"] = one.leaks;
    row["claim"] = one.claim;
    row["in_full"] = one.in_full;
    worst.append(row);
  }
  py::dict answer;
  answer["originals"] = result.files.originals;
  answer["sanitized"] = result.files.sanitized;
  answer["unchanged"] = result.files.unchanged;
  answer["failed"] = result.failed;
  answer["remarks"] = result.remarks;
  answer["worst"] = worst;
  answer["report"] = report_dict(result.report);
  return answer;
}

}  // namespace

void bind_evaluating(py::module_& module) {
  module.def("evaluate", &evaluate);
  module.def("quick", &quick);
}

}  // namespace residue::python
