#include "python/core/evaluating.h"

#include <pybind11/stl.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "python/core/keywords.h"
#include "python/core/looking.h"
#include "python/core/row_file.h"
#include "python/core/running.h"
#include "python/core/stores.h"
#include "query/inputs/protocol.h"
#include "query/prepare/eval_options.h"
#include "storage/catalog/sources/dataset.h"
#include "verbs/eval.h"
#include "verbs/quick.h"

namespace residue::python {
namespace {

namespace py = pybind11;

py::dict dict_of(const verbs::EvalResult& all) {
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

query::EvalOptions attack_of(Keywords& words) {
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
  verbs::EvalOptions options;
  for (const std::string& name : names) options.targets.push_back(storage::parse_target(name));
  options.attack = attack_of(words);
  options.metrics = words.take<std::vector<std::string>>("metrics").value_or(options.metrics);
  options.embedder = words.take<std::string>("embedder").value_or("");
  options.membership = words.take<bool>("membership").value_or(false);
  const auto jobs = words.take<std::int64_t>("jobs").value_or(options.jobs);
  if (jobs < 1 || jobs > 4096) throw Error(Code::kUsage, "jobs: from 1 to 4,096", "jobs=1");
  options.jobs = static_cast<unsigned>(jobs);
  const py::object progress = words.progress();
  words.check_all_taken();
  verbs::check(options);
  return dict_of(run_for(progress, [&](const Running& running) {
    options.attack.interrupted = running.interrupted;
    options.attack.progress = options.progress = running.progress;
    OpenStore store(path, running);
    return verbs::eval(*store, options);
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
