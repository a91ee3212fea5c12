// The method `p-filter`: its parameters, and the text that its model is trained on.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/fingerprint.h"
#include "base/hash.h"
#include "ingest/line_reader.h"
#include "ingest/p_filter.h"
#include "ingest/progress.h"
#include "ingest/record_pages.h"
#include "ingest/rows.h"
#include "storage/lookup.h"

namespace residue::ingest {
namespace {

constexpr std::array kParams{
    SanitizerParam{"p", "1e-5", "words of a smaller probability go", kProbability},
    SanitizerParam{"train", "", "where the words' probabilities are learnt: a dataset, lines (.txt), or records"},
    SanitizerParam{"own", "no", "yes: it may be the dataset that is sanitized"},
    SanitizerParam{"mode", "redact", "redact, or substitute: digits by digits, words by words like them"},
    SanitizerParam{"n", "50", "substitutes come from the n most probable words in that place", whole_from(1, 1e6)},
    SanitizerParam{"k", "5", "from the k most similar of those", whole_from(1, 1e6)},
    SanitizerParam{"s", "0.5", "that are no farther away than s (cosine distance)", real_from(0, 2)},
    SanitizerParam{"replacement", "tag", "tag: [REDACTED]; stars: ****; token: [REDACTED_1]"}};

struct Trained {
  std::string source;  // file or dataset, and its content
  text::WordModel model;
  text::WordVectors vectors;
};

// Documents on their way into a model; their fingerprint says what it was trained on, in any order.
class Training {
 public:
  void add(std::string_view document) {
    trainer_.add(utterances(document));
    content_.add(document, 0);
  }
  [[nodiscard]] std::string content() const { return content_.hex(); }
  text::WordModel finish() { return trainer_.finish(); }

 private:
  text::WordModelTrainer trainer_;
  Fingerprint content_;
};

// Each line is a document.
void read_lines(const std::string& file, Training& training) {
  InputBuffer input(open_bytes(file));
  LineReader lines(input);
  std::string_view line;
  for (auto got = lines.next(line); got != LineReader::Result::kEnd; got = lines.next(line)) {
    if (got == LineReader::Result::kLine) training.add(line);
  }
}

void read_file(const std::string& file, Training& training) {
  if (file.ends_with(".txt")) return read_lines(file, training);
  SourceOptions options;
  options.path = file;
  const auto rows = open_records(options);
  RecordRow row;
  RowError bad;
  for (;;) {
    const RowResult result = rows->next(row, bad);
    if (result == RowResult::kEnd) return;
    if (result == RowResult::kBad) {
      throw Error(Code::kBadInput, fmt::format("{}:{}: {}", file, bad.line, bad.cause), bad.remedy);
    }
    training.add(row.text);
  }
}

// What the training text is before it is read: the dataset's content, or the file as it lies there. Standard input and
// pipes have none.
std::string identity_of(storage::Store& store, const std::string& source, std::optional<DatasetId> dataset) {
  if (dataset) {
    storage::Statement find = store.db().prepare("SELECT hex(content) FROM dataset WHERE id = ?1");
    if (!find.bind(*dataset).step()) return "";
    return fmt::format("dataset {} of {}", find.text(0), store.dir().string());
  }
  SourceOptions options;
  options.path = source;
  const SourceIdentity file = identify(options);
  if (file.size == 0) return "";
  return fmt::format("file {} {} {} {}", file.path, file.size, file.mtime_ns, file.reading);
}

void read_dataset(storage::Store& store, const std::string& name, Training& training) {
  RecordPages pages(store, name);
  std::vector<RecordText> records;
  for (bool more = true; more;) {
    more = pages.next(records);
    for (const RecordText& record : records) training.add(record.text);
  }
}

// The dataset of that name, if it is one. Throws where it is the one that is sanitized, and may not be.
std::optional<DatasetId> dataset_of(storage::Store& store, const std::string& source, DatasetId sanitized, bool own) {
  storage::Statement find = store.db().prepare("SELECT id FROM dataset WHERE name = ?1");
  if (!find.bind(source).step()) return std::nullopt;
  const auto dataset = find.id<DatasetId>(0);
  if (dataset == sanitized && !own) {
    throw Error(Code::kUsage, "p-filter: a model of the very records that it sanitizes finds them probable",
                "train it on other texts, or add --param own=yes");
  }
  return dataset;
}

// A model that was just trained serves the next run of a sweep as well, without its text being read again.
std::shared_ptr<const Trained> trained(storage::Store& store, const std::string& source, DatasetId sanitized,
                                       bool own) {
  const auto dataset = dataset_of(store, source, sanitized, own);
  static std::mutex guard;
  static std::shared_ptr<const Trained> last;
  static std::string last_identity;
  const std::lock_guard lock(guard);
  const std::string identity = identity_of(store, source, dataset);
  if (last != nullptr && !identity.empty() && identity == last_identity) return last;
  Training training;
  if (dataset) {
    read_dataset(store, source, training);
  } else {
    read_file(source, training);
  }
  const std::string content = training.content();
  if (last == nullptr || last->source != content) {
    text::WordModel model = training.finish();
    text::WordVectors vectors(model, {});
    last = std::make_shared<const Trained>(Trained{content, std::move(model), std::move(vectors)});
  }
  // Changed while it was read: the next run reads it again.
  last_identity = identity_of(store, source, dataset) == identity ? identity : "";
  return last;
}

class PFilterSanitizer final : public Sanitizer {
 public:
  PFilterSanitizer(PFilter filter, std::shared_ptr<const Trained> model, std::string source, bool own)
      : filter_(filter), trained_(std::move(model)), source_(std::move(source)), own_(own) {}

  [[nodiscard]] std::string spec() const override {
    const nlohmann::json params{{"p", filter_.p},
                                {"train", source_},
                                {"own", own_ ? "yes" : "no"},
                                {"mode", filter_.substitute ? "substitute" : "redact"},
                                {"n", filter_.n},
                                {"k", filter_.k},
                                {"s", filter_.s},
                                {"replacement", name_of(filter_.redaction)}};
    return nlohmann::json{{"method", "p-filter"},
                          {"version", "p-filter/1"},
                          {"params", params},
                          {"seed", filter_.seed},
                          {"trained_on", trained_ ? trained_->source : ""}}
        .dump();
  }

  [[nodiscard]] SanitizeOutput sanitize(const SanitizeInput& input) const override {
    return p_filter(trained_->model, &trained_->vectors, filter_, input);
  }

 private:
  PFilter filter_;
  std::shared_ptr<const Trained> trained_;
  std::string source_;
  bool own_;
};

bool one_of(const SanitizerSetting& setting, const std::string& name, std::string_view yes, std::string_view no) {
  const std::string& word = setting.params.at(name);
  if (word == yes || word == no) return word == yes;
  throw Error(Code::kUsage, fmt::format("p-filter: {} is neither {} nor {}", name, yes, no),
              fmt::format("--param {}={}", name, yes));
}

}  // namespace

std::span<const SanitizerParam> p_filter_params() { return kParams; }

std::unique_ptr<Sanitizer> make_p_filter(const SanitizerSetting& setting) {
  PFilter filter;
  filter.p = number_param(setting, "p");
  filter.substitute = one_of(setting, "mode", "substitute", "redact");
  filter.n = whole_param(setting, "n");
  filter.k = whole_param(setting, "k");
  filter.s = number_param(setting, "s");
  filter.redaction = masking_named(setting.params.at("replacement"), "p-filter");
  filter.seed = setting.seed;
  const std::string& source = setting.params.at("train");
  const bool own = one_of(setting, "own", "yes", "no");
  std::shared_ptr<const Trained> model;
  if (setting.store != nullptr) {
    if (source.empty()) {
      throw Error(Code::kUsage, "p-filter: trained on what?", "--param train=FILE, or a dataset of the store");
    }
    if (!setting.checking) {
      model = trained(*setting.store, source, setting.dataset, own);
    } else if (!dataset_of(*setting.store, source, setting.dataset, own) && !std::filesystem::exists(source)) {
      open_bytes(source);  // says why not
    }
  }
  return std::make_unique<PFilterSanitizer>(filter, std::move(model), source, own);
}

}  // namespace residue::ingest
