// The method `p-filter`: its parameters, and the text that its model is trained on.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fingerprint.h"
#include "base/hash.h"
#include "base/json.h"
#include "ingest/batches/progress.h"
#include "ingest/batches/record_pages.h"
#include "ingest/mask/p_filter.h"
#include "ingest/mask/word_vector_file.h"
#include "ingest/read/line_reader.h"
#include "ingest/rows/rows.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/dataset.h"
#include "text/characters/unicode.h"

namespace residue::ingest {
namespace {

constexpr std::array kParams{
    SanitizerParam{"p", "1e-5", "words less probable than this are taken out or replaced", kProbability},
    SanitizerParam{"train", "",
                   "what the probabilities are learnt from: a dataset, a .txt file of lines, or a file of records"},
    SanitizerParam{"own", "no", "yes: train may be the dataset that is sanitized"},
    SanitizerParam{"mode", "redact",
                   "redact: take words out; substitute: put similar words for words, digits for digits"},
    SanitizerParam{"n", "50", "substitute: choose among the n most probable words in that place", whole_from(1, 1e6)},
    SanitizerParam{"k", "5", "substitute: of these, only the k most similar", whole_from(1, 1e6)},
    SanitizerParam{"s", "0.5", "substitute: of these, only words at most this far away (cosine distance)",
                   real_from(0, 2)},
    SanitizerParam{"vectors", "",
                   "a file of word vectors, each line a word and its numbers; empty: LSA of the training text"},
    SanitizerParam{"replacement", "tag", "tag: [REDACTED]; stars: ****; token: [REDACTED_1]"}};

struct Trained {
  std::string source;                // file or dataset, and its content
  std::vector<std::uint64_t> texts;  // hashes of the long ones, rising
  text::WordModel model;
};

// By which a text is known again, however its white space is laid out; nothing of one so short that two people may have
// written it.
std::optional<std::uint64_t> mark_of(std::string_view text) {
  constexpr std::size_t kLongBytes = 40;
  std::string letters;
  for (const char c : text) {
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') letters += c;
  }
  if (letters.size() < kLongBytes) return std::nullopt;
  return hash_bytes(letters);
}

// Documents on their way into a model; their fingerprint says what it was trained on, in any order.
class Training {
 public:
  void add(std::string_view document) {
    trainer_.add(utterances(document));
    content_.add(document, 0);
    if (const auto mark = mark_of(document)) marks_.push_back(*mark);
  }
  std::vector<std::uint64_t> marks() {
    std::sort(marks_.begin(), marks_.end());
    return std::move(marks_);
  }
  [[nodiscard]] std::string content() const { return content_.hex(); }
  text::WordModel finish() { return trainer_.finish(); }

 private:
  text::WordModelTrainer trainer_;
  Fingerprint content_;
  std::vector<std::uint64_t> marks_;
};

// Each line is a document.
void read_lines(const std::string& file, Training& training) {
  InputBuffer input(open_bytes(file));
  LineReader lines(input);
  std::string_view line;
  for (auto got = lines.next(line); got != LineReader::Result::kEnd; got = lines.next(line)) {
    if (got == LineReader::Result::kTooLong) {
      throw Error(Code::kBadInput, fmt::format("{}:{}: the line is longer than 16 MiB", file, lines.number()),
                  "each line is a document: break it");
    }
    if (!text::valid_utf8(line)) {
      throw Error(Code::kBadInput, fmt::format("{}:{}: not UTF-8", file, lines.number()), "save the file as UTF-8");
    }
    training.add(line);
  }
}

void read_file(const std::string& file, Training& training) {
  if (file.ends_with(".txt")) return read_lines(file, training);
  RecordSourceOptions options;
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
    if (!row.text) {
      throw Error(Code::kBadInput, fmt::format("{}:{}: field \"text\" is missing", file, row.line),
                  "a row is {\"text\": ...}; a file of lines ends in .txt");
    }
    training.add(*row.text);
  }
}

// What the training text is before it is read: the dataset's content, or the file as it lies there. Standard input and
// pipes have none.
std::string identity_of(storage::Store& store, const std::string& source, std::optional<DatasetId> dataset) {
  if (dataset) {
    storage::Statement find = store.db().prepare(storage::sql::kDatasetContentInHex);
    if (!find.bind(*dataset).step()) return "";
    return fmt::format("dataset {} of {}", find.text(0), store.dir().string());
  }
  RecordSourceOptions options;
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
  storage::Statement find = store.db().prepare(storage::sql::kDatasetByName);
  if (!find.bind(source).step()) return std::nullopt;
  const auto dataset = find.id<DatasetId>(0);
  if (dataset == sanitized && !own) {
    throw Error(Code::kUsage,
                "p-filter: a model that was trained on the same records finds their words probable, and keeps them",
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
    auto fresh = std::make_shared<const Trained>(Trained{content, training.marks(), training.finish()});
    if (fresh->model.by_use().empty()) {
      throw Error(Code::kBadInput, fmt::format("p-filter: {} has no word that a model could be trained on", source),
                  "--param train= names a dataset, or a file of texts");
    }
    last = std::move(fresh);
  }
  // Changed while it was read: the next run reads it again.
  last_identity = identity_of(store, source, dataset) == identity ? identity : "";
  return last;
}

// Of the training text; made once for all runs of a sweep.
std::shared_ptr<const text::WordVectors> lsa_of(const std::shared_ptr<const Trained>& model) {
  static std::mutex guard;
  static std::shared_ptr<const Trained> of;
  static std::shared_ptr<const text::WordVectors> last;
  const std::lock_guard lock(guard);
  if (of != model) {
    last = std::make_shared<const text::WordVectors>(model->model, text::WordVectors::Options{});
    of = model;
  }
  return last;
}

// A file, or another dataset, may hold the same texts.
void refuse_own_texts(storage::Store& store, const std::string& dataset, const Trained& model) {
  RecordPages pages(store, dataset);
  std::vector<RecordText> records;
  std::size_t own = 0;
  for (bool more = true; more;) {
    more = pages.next(records);
    for (const RecordText& record : records) {
      const auto mark = mark_of(record.text);
      own += mark && std::ranges::binary_search(model.texts, *mark) ? 1 : 0;
    }
  }
  if (own == 0) return;
  throw Error(
      Code::kUsage,
      fmt::format("p-filter: {} of the records that it sanitizes {} among the texts that its model is trained on", own,
                  own == 1 ? "is" : "are"),
      "train it on other texts, or add --param own=yes");
}

class PFilterSanitizer final : public Sanitizer {
 public:
  struct Made {
    PFilter filter;
    std::string source;
    bool own = false;
    std::shared_ptr<const Trained> trained;
    std::shared_ptr<const text::WordVectors> vectors;  // null where nothing is substituted
    std::string vector_file, vectors_are;              // and its content
  };
  explicit PFilterSanitizer(Made made) : made_(std::move(made)) {}

  [[nodiscard]] std::string spec() const override {
    const PFilter& filter = made_.filter;
    Json spec{{"method", "p-filter"},
              {"version", "p-filter/3"},
              {"params",
               {{"p", filter.p},
                {"train", made_.source},
                {"own", made_.own ? "yes" : "no"},
                {"mode", filter.substitute ? "substitute" : "redact"},
                {"n", filter.n},
                {"k", filter.k},
                {"s", filter.s},
                {"vectors", made_.vector_file},
                {"replacement", name_of(filter.redaction)}}},
              {"trained_on", made_.trained ? made_.trained->source : ""}};
    if (filter.draws) filter.draws->describe(spec);
    if (!made_.vectors_are.empty()) spec["vectors_are"] = made_.vectors_are;
    return spec.sorted().dump();
  }

  [[nodiscard]] SanitizeOutput sanitize(const SanitizeInput& input) const override {
    return p_filter(made_.trained->model, made_.vectors.get(), made_.filter, input);
  }

  [[nodiscard]] std::vector<std::string> notes() const override {
    return made_.filter.draws ? made_.filter.draws->notes() : std::vector<std::string>();
  }

 private:
  Made made_;
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
  PFilterSanitizer::Made made;
  PFilter& filter = made.filter;
  filter.p = number_param(setting, "p");
  filter.substitute = one_of(setting, "mode", "substitute", "redact");
  filter.n = whole_param(setting, "n");
  filter.k = whole_param(setting, "k");
  filter.s = number_param(setting, "s");
  if (filter.substitute && filter.k > filter.n) {
    throw Error(Code::kUsage, "p-filter: k is larger than n, but only n words are drawn",
                fmt::format("--param k={}, or a greater n", filter.n));
  }
  filter.redaction = masking_named(setting.params.at("replacement"), "p-filter");
  if (filter.substitute) filter.draws = std::make_shared<const DrawSource>(setting, "substitutes");
  made.source = setting.params.at("train");
  made.own = one_of(setting, "own", "yes", "no");
  made.vector_file = setting.params.at("vectors");
  if (!made.vector_file.empty() && !filter.substitute) {
    throw Error(Code::kUsage, "p-filter: vectors serve only to substitute words, and this mode substitutes none",
                "--param mode=substitute, or leave out vectors");
  }
  if (setting.store != nullptr) {
    if (made.source.empty()) {
      throw Error(Code::kUsage, "p-filter: which texts is the model trained on?",
                  "--param train=FILE, or a dataset of the store");
    }
    if (setting.checking) {
      if (!dataset_of(*setting.store, made.source, setting.dataset, made.own) &&
          !std::filesystem::exists(made.source)) {
        open_bytes(made.source);  // says why not
      }
      if (!made.vector_file.empty() && !std::filesystem::exists(made.vector_file)) open_bytes(made.vector_file);
      return std::make_unique<PFilterSanitizer>(std::move(made));
    }
    made.trained = trained(*setting.store, made.source, setting.dataset, made.own);
    if (!made.own) refuse_own_texts(*setting.store, setting.dataset_name, *made.trained);
    if (!made.vector_file.empty()) {
      WordVectorFile given = read_word_vectors(made.vector_file, made.trained->model);
      made.vectors = std::make_shared<const text::WordVectors>(std::move(given.vectors));
      made.vectors_are = given.content;
    } else if (filter.substitute) {
      made.vectors = lsa_of(made.trained);
    }
  }
  return std::make_unique<PFilterSanitizer>(std::move(made));
}

}  // namespace residue::ingest
