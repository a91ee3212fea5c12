#include "python/core/ingesting.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/atomize/atomize.h"
#include "ingest/batches/batch.h"
#include "ingest/batches/record_pages.h"
#include "ingest/files/claims.h"
#include "ingest/files/dataset.h"
#include "ingest/files/labels.h"
#include "ingest/files/run.h"
#include "ingest/rows/names.h"
#include "ingest/rows/text_spans.h"
#include "ingest/sanitize/sanitize.h"
#include "python/core/keywords.h"
#include "python/core/row_file.h"
#include "python/core/row_words.h"
#include "python/core/running.h"
#include "python/core/stores.h"
#include "query/inputs/outdated.h"
#include "query/inputs/repeats.h"
#include "storage/catalog/lookup.h"

namespace residue::python {
namespace {

namespace py = pybind11;

// Where rows come from: a file that is named, or objects that are read before anything else happens.
class Input {
 public:
  explicit Input(const py::object& rows) {
    if (py::isinstance<py::str>(rows)) {
      path_ = rows.cast<std::string>();
    } else {
      file_.emplace(rows);
      path_ = file_->path();
    }
  }
  [[nodiscard]] bool of_objects() const { return file_.has_value(); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::optional<RowFile> file_;
  std::string path_;
};

py::dict dict_of(const ingest::IngestResult& result) {
  py::list rejected;
  for (const ingest::RowError& one : result.rejected) rejected.append(py::make_tuple(one.line, one.cause, one.remedy));
  py::dict all;
  all["new"] = result.counts.fresh;
  all["same"] = result.counts.same;
  all["changed"] = result.counts.changed;
  all["bad"] = result.counts.bad;
  all["seconds"] = result.seconds;
  all["rejected"] = rejected;
  all["notes"] = result.notes;
  return all;
}

// What all kinds of rows have in common. `store_rows(store, source, identity, how)`.
template <class Source, class StoreRows>
py::dict ingest(const std::string& store, const Input& input, Source source, Keywords& words,
                const StoreRows& store_rows) {
  source.path = input.path();
  source.preset = words.take<std::string>("preset").value_or("");
  source.map = words.take<std::map<std::string, std::string>>("map").value_or(source.map);
  ingest::IngestOptions how;
  how.skip_bad = words.take<std::string>("on_error").value_or("stop") == "skip";
  how.append = words.take<bool>("append").value_or(false);
  if constexpr (requires { source.numbered(); }) how.numbered = source.numbered();
  if (input.of_objects()) how.batch_rows = ingest::kOneBatch;  // all rows or none
  const py::object progress = words.progress();
  words.check_all_taken();
  return dict_of(run_for(progress, [&](const Running& running) {
    how.interrupted = running.interrupted;
    how.progress = running.progress_of("reading");
    OpenStore open(store, running);
    const storage::Lock kept = open->hold_targets();
    // Objects never come again as the same file: they are read from the start, like standard input.
    const ingest::SourceIdentity identity = input.of_objects() ? ingest::SourceIdentity{} : ingest::identify(source);
    try {
      ingest::IngestResult result = store_rows(*open, std::as_const(source), identity, how);
      for (std::string& note : result.notes) note = of_rows(note);
      return result;
    } catch (const Error& error) {
      throw of_rows(error);
    }
  }));
}

py::dict ingest_dataset(const std::string& store, const std::string& name, const py::object& rows,
                        const py::dict& keywords) {
  ingest::check_name("dataset", name);
  Keywords words(keywords);
  ingest::RecordSourceOptions source;
  source.id = words.take<std::string>("id");
  source.text = words.take<std::string>("text");
  source.clear = words.take<std::vector<std::string>>("clear").value_or(source.clear);
  const Input input(rows);
  return ingest(store, input, source, words, [&](auto& open, const auto& from, const auto& identity, const auto& how) {
    const auto records = ingest::open_records(from);
    ingest::IngestResult result = ingest::ingest_dataset(open, name, *records, identity, how);
    for (std::string& note : ingest::field_notes(result)) result.notes.push_back(std::move(note));
    for (const std::string& note : query::outdated_notes(open.db(), name)) result.notes.push_back("outdated: " + note);
    std::string repeated = query::repeats_note(query::repeats(open, storage::find_dataset(open.db(), name)));
    if (!repeated.empty()) result.notes.push_back(std::move(repeated));
    return result;
  });
}

ingest::LabelWordOptions label_words(Keywords& words) {
  ingest::LabelWordOptions options;
  options.map = words.take<std::map<std::string, std::string>>("map_label").value_or(options.map);
  options.any_category = words.take<bool>("any_category").value_or(false);
  return options;
}

py::dict ingest_claims(const std::string& store, const std::string& dataset, const py::object& rows,
                       const py::dict& keywords) {
  Keywords words(keywords);
  ingest::ClaimSourceOptions source;
  source.record = words.take<std::string>("record");
  source.claims = words.take<std::string>("claims");
  source.words = label_words(words);
  const std::string set = words.take<std::string>("set").value_or(std::string(ingest::kDefaultClaimSet));
  const bool outside = words.take<bool>("outside").value_or(false);
  const Input input(rows);
  return ingest(store, input, source, words, [&](auto& open, const auto& from, const auto& identity, const auto& how) {
    const auto claims = ingest::open_claims(from);
    ingest::IngestResult result =
        ingest::ingest_claims(open, dataset, set, *claims, identity, how,
                              outside ? ingest::ClaimOrigin::kOutside : ingest::ClaimOrigin::kTexts);
    // Attackers whose claims vote search the control none among the claims that the originals make themselves.
    if (outside) {
      ingest::IngestOptions plain;
      plain.interrupted = how.interrupted;
      ingest::atomize_dataset(open, dataset, ingest::kSentenceSet, 1, plain);
    }
    return result;
  });
}

py::dict ingest_labels(const std::string& store, const std::string& dataset, const std::string& kind,
                       const py::object& rows, const py::dict& keywords) {
  Keywords words(keywords);
  ingest::LabelSourceOptions source;
  source.kind = kind;
  source.reversed_scale = words.take<std::string>("scale").value_or("standard") == "reversed";
  source.words = label_words(words);
  const auto set = words.take<std::string>("set");
  const Input input(rows);
  return ingest(store, input, source, words, [&](auto& open, const auto& from, const auto& identity, const auto& how) {
    const auto labels = ingest::open_labels(from);
    ingest::LabelsRead read;
    return ingest::ingest_labels(open, dataset, kind, set, *labels, identity, how, &read);
  });
}

ingest::RunSpec run_spec(Keywords& words) {
  ingest::RunSpec spec;
  spec.synthetic = words.take<bool>("synthetic").value_or(false);
  spec.sanitizer = words.take<std::string>("sanitizer");
  if (const auto params = words.take<std::map<std::string, std::string>>("params")) {
    spec.params = ingest::params_json(*params);
  }
  spec.seed = words.take<std::int64_t>("seed");
  spec.group = words.take<std::string>("group");
  spec.removes_everything = words.take<bool>("removes_everything");
  spec.texts_are_meant = words.take<bool>("texts_are_meant").value_or(false);
  return spec;
}

py::dict ingest_run(const std::string& store, const std::string& dataset, const std::string& run,
                    const py::object& rows, const py::dict& keywords) {
  ingest::check_name("run", run);
  Keywords words(keywords);
  const ingest::RunSpec spec = run_spec(words);
  ingest::VariantSourceOptions source;
  source.id = words.take<std::string>("id");
  source.text = words.take<std::string>("text");
  source.synthetic = spec.synthetic;
  source.spans = words.take<bool>("spans").value_or(false);
  if (const auto unit = words.take<std::string>("unit")) {
    const auto known = ingest::unit_named(*unit);
    if (!known)
      throw Error(Code::kUsage, "unit: codepoint, byte or utf16", "leave it out: offsets of Python are codepoints");
    source.unit = *known;
  }
  const Input input(rows);
  return ingest(store, input, source, words, [&](auto& open, const auto& from, const auto& identity, const auto& how) {
    const auto variants = ingest::open_variants(from);
    return ingest::ingest_run(open, dataset, run, spec, *variants, identity, how);
  });
}

py::dict atomize(const std::string& store, const std::string& dataset, const py::object& progress) {
  return dict_of(run_for(progress, [&](const Running& running) {
    ingest::IngestOptions how;
    how.interrupted = running.interrupted;
    how.progress = running.progress_of("atomizing");
    OpenStore open(store, running);
    return ingest::atomize_dataset(*open, dataset, ingest::kSentenceSet, 1, how);
  }));
}

py::dict sanitize(const std::string& store, const std::string& dataset, const std::string& run,
                  const std::string& method, const std::map<std::string, std::string>& params,
                  const std::optional<std::uint64_t>& seed, const py::object& progress) {
  ingest::SanitizePlan plan;
  plan.method = method;
  plan.params = params;
  plan.seed = seed;
  if (!ingest::sanitizer_method(method).asks.empty()) {
    throw Error(Code::kUsage, fmt::format("{} asks a model: that is not offered here", method),
                fmt::format("residue sanitize {} --with {} --run {}", dataset, method, run));
  }
  return dict_of(run_for(progress, [&](const Running& running) -> ingest::IngestResult {
    ingest::IngestOptions how;
    how.interrupted = running.interrupted;
    how.progress = running.progress_of("sanitizing");
    OpenStore open(store, running);
    return ingest::sanitize_dataset(*open, dataset, run, plan, 1, how);
  }));
}

// (key, text) of records behind `after` in the order of their ids; of at most some thousand records or 16 MiB of text.
class Originals {
 public:
  Originals(std::string store, std::string dataset) : store_(std::move(store)), dataset_(std::move(dataset)) {}

  // An empty list at the end.
  py::list next() {
    std::vector<ingest::RecordText> records;
    run(py::none(), [&](const Running& running) {
      OpenStore open(store_, running, true);
      const storage::Lock held = open->hold_texts();
      ingest::RecordPages pages(*open, dataset_);
      const auto given = [this](const ingest::RecordText& record) { return record.id.value <= last_; };
      while (pages.next(records, given) && records.empty()) {
      }
    });
    py::list rows;
    for (const ingest::RecordText& record : records) {
      rows.append(py::make_tuple(record.key, record.text));
      last_ = record.id.value;
    }
    return rows;
  }

 private:
  std::string store_, dataset_;
  std::int64_t last_ = 0;
};

}  // namespace

void bind_ingesting(py::module_& module) {
  module.def("ingest_dataset", &ingest_dataset);
  module.def("ingest_claims", &ingest_claims);
  module.def("ingest_labels", &ingest_labels);
  module.def("ingest_run", &ingest_run);
  module.def("atomize", &atomize);
  module.def("sanitize", &sanitize);
  py::class_<Originals>(module, "Originals").def(py::init<std::string, std::string>()).def("next", &Originals::next);
}

}  // namespace residue::python
