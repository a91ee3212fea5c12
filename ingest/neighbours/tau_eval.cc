#include "ingest/neighbours/tau_eval.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/neighbours/items.h"
#include "ingest/rows/fields.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kFields[] = {"id", "text"};
constexpr std::string_view kOriginal = "original";

class TauEvalRun final : public NeighbourRows {
 public:
  TauEvalRun(const VariantSourceOptions& options, std::unique_ptr<RowReader> rows)
      : NeighbourRows(InputBuffer(memory_bytes({})), {shown_name(options.path), "rows", "text", {}}, options),
        rows_(std::move(rows)),
        id_(options.id),
        text_(options.text) {
    if (const auto id = options.map.find("id"); id != options.map.end()) id_ = id->second;
    if (const auto text = options.map.find("text"); text != options.map.end()) text_ = text->second;
  }

  [[nodiscard]] std::uint64_t bytes_read() const override { return rows_->bytes_read(); }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return rows_->bytes_total(); }

 private:
  bool next_item(InputRow& item) override {
    try {
      return rows_->next(row_) && (item = row_, true);
    } catch (const Refusal&) {
      item.line = row_.line;
      throw;
    }
  }

  // Names of models, where they may be shown.
  void choose(const Value& row) {
    Choices models({}, names_.file);
    std::vector<std::string> columns;
    for (const Value& column : row.items) {
      if (column.key == kOriginal || (id_ && column.key == *id_)) continue;
      columns.emplace_back(column.key);
    }
    if (columns.size() == 1) {
      text_ = columns.front();
      return;
    }
    if (columns.empty()) {
      throw Error(Code::kBadInput, fmt::format("{} has originals, but no column of a model", names_.file),
                  "check the file, and --preset");
    }
    std::string list;
    for (const std::string& column : columns) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", column);
    const bool short_enough = columns.size() <= 8 && list.size() <= 400;
    throw Error(Code::kUsage,
                fmt::format("{} has texts of {} models{}{}", names_.file, columns.size(), short_enough ? ": " : "",
                            short_enough ? list : ""),
                "choose one with --text NAME; each can be a run of its own");
  }

  bool convert(const InputRow& item, RowMaker& row) override {
    const Value* original = item.object.member(kOriginal);
    if (original == nullptr) {
      const bool figures = std::ranges::any_of(
          item.object.items, [](const Value& task) { return task.is(Value::Kind::kObject) && task.member("metrics"); });
      if (figures) {
        throw Error(
            Code::kBadInput,
            fmt::format("{} has tau-eval's figures, which are not taken; its texts are in TASK.hf", names_.file),
            "python3 -c 'import datasets; datasets.load_from_disk(\"TASK.hf\").to_json(\"texts.jsonl\")'");
      }
      throw Refusal{"field \"original\" is missing", "check that the preset fits the file"};
    }
    if (!text_) choose(item.object);
    if (id_) {
      const Value* id = item.object.at(*id_);
      if (id == nullptr) throw Refusal{"the row has nothing at the path of its id", "check --id"};
      row.value("id", *id);
    } else {
      row.text("id", std::to_string(item.index));
    }
    row.value(kOriginal, *original);
    const Value* text = item.object.at(*text_);
    if (text == nullptr) throw Refusal{"the row lacks the column of --text", "check --text: it is the name of a model"};
    if (absent(text, true) || text->text.empty()) {
      failed("no output");
      row.text("error", "no output");
      return true;
    }
    if (text->text == original->text) ++unchanged_;
    row.value("text", *text);
    usable();
    return true;
  }

  [[nodiscard]] std::vector<std::string> of_file() const override {
    if (unchanged_ == 0) return {};
    return {fmt::format("{} {} the original: tau-eval keeps it where a model failed, and it counts as released",
                        unchanged_, unchanged_ == 1 ? "text is" : "texts are")};
  }

  std::unique_ptr<RowReader> rows_;
  std::optional<std::string> id_, text_;
  InputRow row_;
  std::uint64_t unchanged_ = 0;
};

}  // namespace

std::unique_ptr<RowReader> open_tau_eval_run(const VariantSourceOptions& options) {
  check_map(options, kFields);
  return std::make_unique<TauEvalRun>(options, open_rows(options.path));
}

}  // namespace residue::ingest
