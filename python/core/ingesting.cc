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
#include "ingest/batches/batch.h"
#include "ingest/batches/record_pages.h"
#include "ingest/batches/run_writer.h"
#include "ingest/rows/text_spans.h"
#include "python/core/keywords.h"
#include "python/core/row_file.h"
#include "python/core/row_words.h"
#include "python/core/running.h"
#include "python/core/stores.h"
#include "verbs/bring_in/atomize.h"
#include "verbs/bring_in/sanitize.h"
#include "verbs/ingest.h"

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

py::dict dict_of(const verbs::Ingested& all) {
  py::dict answer = dict_of(all.result);
  py::list notes;
  for (const auto* list : {&all.result.form, &all.result.notes, &all.remarks}) {
    for (const std::string& note : *list) notes.append(of_rows(note));
  }
  answer["notes"] = notes;
  return answer;
}

// What all kinds of rows have in common: `verb` stores them as the program stores a file's.
template <class Options>
py::dict ingest(const std::string& store, const py::object& rows, Options options, Keywords& words,
                verbs::Ingested (*verb)(storage::Store&, const Options&)) {
  options.source.preset = words.take<std::string>("preset").value_or("");
  options.source.map = words.take<std::map<std::string, std::string>>("map").value_or(options.source.map);
  options.skip_bad = words.take<std::string>("on_error").value_or("stop") == "skip";
  options.append = words.take<bool>("append").value_or(false);
  const py::object progress = words.progress();
  words.check_all_taken();
  const Input input(rows);
  options.files = {input.path()};
  options.passing = input.of_objects();  // all rows or none, from the first: objects never come again as the same file
  return dict_of(run_for(progress, [&](const Running& running) {
    options.interrupted = running.interrupted;
    options.progress = running.progress;
    if (input.of_objects()) {
      options.progress = [&running](const std::string& /*path*/, auto done, auto total) {
        running.progress("reading rows", done, total);
      };
    }
    OpenStore open(store, running);
    try {
      return verb(*open, options);
    } catch (const Error& error) {
      throw of_rows(error);
    }
  }));
}

py::dict ingest_dataset(const std::string& store, const std::string& name, const py::object& rows,
                        const py::dict& keywords) {
  Keywords words(keywords);
  verbs::DatasetOptions options;
  options.dataset = name;
  options.source.id = words.take<std::string>("id");
  options.source.text = words.take<std::string>("text");
  options.control_of = words.take<std::string>("control_of").value_or(options.control_of);
  options.source.clear = words.take<std::vector<std::string>>("clear").value_or(options.source.clear);
  return ingest(store, rows, std::move(options), words, verbs::ingest_dataset);
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
  verbs::ClaimsOptions options;
  options.dataset = dataset;
  options.source.record = words.take<std::string>("record");
  options.source.claims = words.take<std::string>("claims");
  options.source.words = label_words(words);
  options.set = words.take<std::string>("set").value_or(options.set);
  options.outside = words.take<bool>("outside").value_or(false);
  return ingest(store, rows, std::move(options), words, verbs::ingest_claims);
}

py::dict ingest_labels(const std::string& store, const std::string& dataset, const std::string& kind,
                       const py::object& rows, const py::dict& keywords) {
  Keywords words(keywords);
  verbs::LabelsOptions options;
  options.dataset = dataset;
  options.source.kind = kind;
  options.source.reversed_scale = words.take<std::string>("scale").value_or("standard") == "reversed";
  options.source.words = label_words(words);
  options.set = words.take<std::string>("set");
  return ingest(store, rows, std::move(options), words, verbs::ingest_labels);
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
  Keywords words(keywords);
  verbs::RunOptions options;
  options.dataset = dataset;
  options.run = run;
  options.spec = run_spec(words);
  options.source.id = words.take<std::string>("id");
  options.source.text = words.take<std::string>("text");
  options.source.spans = words.take<bool>("spans").value_or(false);
  options.source.only = words.take<std::map<std::string, std::string>>("only").value_or(options.source.only);
  if (const auto unit = words.take<std::string>("unit")) {
    const auto known = ingest::unit_named(*unit);
    if (!known)
      throw Error(Code::kUsage, "unit: codepoint, byte or utf16", "leave it out: offsets of Python are codepoints");
    options.source.unit = *known;
  }
  return ingest(store, rows, std::move(options), words, verbs::ingest_run);
}

py::dict atomize(const std::string& store, const std::string& dataset, const py::object& progress) {
  return dict_of(run_for(progress, [&](const Running& running) {
    verbs::AtomizeOptions options;
    options.target.dataset = dataset;
    options.asking.interrupted = running.interrupted;
    options.asking.progress = running.progress_of("atomizing");
    OpenStore open(store, running);
    return verbs::atomize(*open, options).result;
  }));
}

py::dict sanitize(const std::string& store, const std::string& dataset, const std::string& run,
                  const std::string& method, const std::map<std::string, std::string>& params,
                  const std::optional<std::uint64_t>& seed, const py::object& progress) {
  verbs::SanitizeOptions options;
  options.dataset = dataset;
  options.run = run;
  options.plan.method = method;
  options.plan.params = params;
  options.plan.seed = seed;
  if (!ingest::sanitizer_method(method).asks.empty()) {
    throw Error(Code::kUsage, fmt::format("{} asks a model: that is not offered here", method),
                fmt::format("residue sanitize {} --with {} --run {}", dataset, method, run));
  }
  return dict_of(run_for(progress, [&](const Running& running) {
    options.asking.interrupted = running.interrupted;
    options.asking.progress = running.progress_of("sanitizing");
    OpenStore open(store, running);
    return verbs::sanitize(*open, options).result;
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
      pages.go_on_behind(last_);
      pages.next(records);
    });
    py::list rows;
    for (const ingest::RecordText& record : records) {
      rows.append(py::make_tuple(record.key, record.text));
      last_ = record.id;
    }
    return rows;
  }

 private:
  std::string store_, dataset_;
  RecordId last_;
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
