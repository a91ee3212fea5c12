#include "ingest/neighbours/presidio.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/neighbours/items.h"
#include "ingest/rows/fields.h"
#include "text/characters/unicode.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kFields[] = {"id"};

const Value& need(const Value& row, std::string_view name) {
  const Value* value = row.member(name);
  if (value == nullptr)
    throw Refusal{fmt::format("field \"{}\" is missing", name), "check that the preset fits the file"};
  return *value;
}

// Spans in the form of text_spans.h.
class SpanList {
 public:
  void begin() { json_ = "["; }
  void add(std::int64_t start, std::int64_t end, std::string_view type, std::string_view text) {
    if (json_.size() > 1) json_ += ',';
    json_ += fmt::format(R"({{"start":{},"end":{},"type":{})", start, end, json_string(type));
    if (!text.empty()) json_ += fmt::format(R"(,"text":{})", json_string(text));
    json_ += '}';
  }
  const Value& parsed() {
    json_ += ']';
    value_ = Value{};
    parser_.parse(json_, value_, true);
    return value_;
  }

 private:
  std::string json_;
  JsonParser parser_;
  Value value_;
};

// Rows of a file in our formats, one or several of which are an item.
class PresidioRun : public NeighbourRows {
 public:
  PresidioRun(const VariantSourceOptions& options, std::unique_ptr<RowReader> rows)
      : NeighbourRows(InputBuffer(memory_bytes({})), {shown_name(options.path), "samples", "text", {}}, options),
        rows_(std::move(rows)),
        id_(options.id                   ? options.id
            : options.map.contains("id") ? std::optional(options.map.at("id"))
                                         : std::nullopt) {}

  [[nodiscard]] std::uint64_t bytes_read() const override { return rows_->bytes_read(); }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return rows_->bytes_total(); }

 private:
  // One row, which stays until it is used: the first row of the next sample ends this one.
  bool fill() {
    if (ahead_) return true;
    if (at_end_) return false;
    ahead_ = rows_->next(row_);
    at_end_ = !ahead_;
    return ahead_;
  }

  bool next_item(InputRow& item) override {
    try {
      if (!fill()) return false;
    } catch (const Refusal&) {
      item.line = row_.line;
      throw;
    }
    item = row_;
    if (!tokens_) tokens_ = is_table(row_.object);
    if (*tokens_) {
      gather(item);
    } else {
      ahead_ = false;
    }
    return true;
  }

  [[nodiscard]] bool is_table(const Value& first) const {
    if (first.member("sentence_id") != nullptr && first.member("prediction") != nullptr) return true;
    if (first.member("full_text") != nullptr) return false;
    throw Error(Code::kBadInput,
                fmt::format("{} has neither samples of presidio-evaluator nor a table of its tokens", names_.file),
                "write InputSample.to_json of samples with the spans that were found, or "
                "get_results_dataframe(...).to_csv(FILE, index=False)");
  }

  [[nodiscard]] std::string sentence_of(const Value& row) const {
    const std::string_view name = id_ ? std::string_view(*id_) : std::string_view("sentence_id");
    return id_of(need(row, name), name);
  }

  // All tokens of the sentence whose first one is at hand: into spans_ and original_. All are read, also behind one
  // that is refused.
  void gather(InputRow& item) {
    item.object = Value{};
    ahead_ = false;  // used, or refused
    sentence_ = sentence_of(row_.object);
    ahead_ = true;
    std::optional<Refusal> refused;
    open_.reset();
    spans_.begin();
    original_.clear();
    missing_ = false;
    for (;;) {
      try {
        if (!fill()) break;
        ahead_ = false;
        if (sentence_of(row_.object) != sentence_) {
          ahead_ = true;
          break;
        }
        if (!refused) token(row_);
      } catch (Refusal& refusal) {
        if (!refused) refused = std::move(refusal);
      }
    }
    close();
    if (refused) throw Refusal{refused->cause, refused->remedy};
  }

  void token(const InputRow& row) {
    const std::string word = string_of(need(row.object, "token"), "token");
    const std::int64_t start = integer_of(need(row.object, "start_indices"), row.typed, "start_indices", 0, INT64_MAX);
    original_ += word;
    const Value& prediction = need(row.object, "prediction");
    if (absent(&prediction, row.typed)) {
      missing_ = true;
      return;
    }
    const std::string tag = string_of(prediction, "prediction");
    const std::int64_t end = start + static_cast<std::int64_t>(text::code_points(word));
    if (tag == "O") {
      close();
      return;
    }
    const bool prefixed =
        tag.size() > 2 && tag[1] == '-' && std::string_view("BILUES").find(tag[0]) != std::string_view::npos;
    const std::string type = prefixed ? tag.substr(2) : tag;
    const char prefix = prefixed ? tag[0] : 'I';
    if (open_ && (open_->type != type || prefix == 'B' || prefix == 'U' || prefix == 'S' || start < open_->end))
      close();
    if (open_) {
      open_->end = end;
      open_->word.clear();  // white space between tokens is not known
    } else {
      open_ = {start, end, type, word};
    }
  }

  void close() {
    if (open_) spans_.add(open_->start, open_->end, open_->type, open_->word);
    open_.reset();
  }

  bool convert(const InputRow& item, RowMaker& row) override {
    if (*tokens_) {
      row.text("id", sentence_);
      row.text("original", original_);
      if (missing_) {
        failed("a token without a prediction");
        row.text("error", "a token without a prediction");
        return true;
      }
      row.value("spans", spans_.parsed());
      usable();
      return true;
    }
    const Value& sample = item.object;
    if (id_) {
      row.value("id", need(sample, *id_));
    } else {
      row.text("id", std::to_string(item.index));
    }
    row.text("original", string_of(need(sample, "full_text"), "full_text"));
    const Value& found = need(sample, "spans");
    if (absent(&found, item.typed)) {
      failed("no spans");
      row.text("error", "no spans");
      return true;
    }
    if (!found.is(Value::Kind::kArray)) throw Refusal{"field \"spans\" is no array", "write InputSample.to_json"};
    spans_.begin();
    for (const Value& span : found.items) {
      const Value* words = span.member("entity_value");
      spans_.add(integer_of(need(span, "start_position"), true, "start_position", 0, INT64_MAX),
                 integer_of(need(span, "end_position"), true, "end_position", 0, INT64_MAX),
                 string_of(need(span, "entity_type"), "entity_type"),
                 absent(words, true) || !words->is(Value::Kind::kString) ? std::string_view() : words->text);
    }
    row.value("spans", spans_.parsed());
    usable();
    return true;
  }

  struct Open {
    std::int64_t start = 0, end = 0;
    std::string type, word;  // the word while the span is one token
  };

  std::unique_ptr<RowReader> rows_;
  const std::optional<std::string> id_;
  InputRow row_;
  bool ahead_ = false, at_end_ = false;
  std::optional<bool> tokens_;  // which shape it is
  std::string sentence_, original_;
  bool missing_ = false;
  std::optional<Open> open_;
  SpanList spans_;
};

}  // namespace

std::unique_ptr<RowReader> open_presidio_run(const VariantSourceOptions& options) {
  check_map(options, kFields);
  if (options.text) throw Error(Code::kUsage, "presidio-evaluator writes spans, no texts", "leave out --text");
  return std::make_unique<PresidioRun>(options, open_rows(options.path));
}

}  // namespace residue::ingest
