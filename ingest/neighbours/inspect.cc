#include "ingest/neighbours/inspect.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/neighbours/inspect_log.h"
#include "ingest/neighbours/inspect_output.h"
#include "ingest/rows/fields.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kRunFields[] = {"id", "text"};
constexpr std::string_view kJudgmentFields[] = {"judge", "claim", "passage", "run", "rating"};
constexpr std::string_view kAnswerFields[] = {"record", "run", "answer"};

std::vector<std::string> with_only(const SourceOptions& options, std::vector<std::string> paths) {
  for (const auto& [path, value] : options.only) paths.push_back(path);
  return paths;
}

void add(std::vector<std::string>& paths, const std::optional<std::string>& path) {
  if (path) paths.push_back(*path);
}

const Value& need(const Value& sample, const std::string& path, const char* flag) {
  const Value* value = sample.at(path);
  if (!absent(value, true)) return *value;
  throw Refusal{"the sample has nothing at the path of its id", fmt::format("name the path with {}", flag)};
}

class InspectRun final : public InspectLog {
 public:
  explicit InspectRun(const VariantSourceOptions& options)
      : InspectLog(options, paths(options), "text", {"epoch"}),
        id_(place_of(options, "id", options.id).value_or("id")),
        text_(place_of(options, "text", options.text)) {}

 private:
  static std::vector<std::string> paths(const VariantSourceOptions& options) {
    std::vector<std::string> paths;
    add(paths, place_of(options, "id", options.id));
    add(paths, place_of(options, "text", options.text));
    return with_only(options, std::move(paths));
  }

  bool convert(const InputRow& item, RowMaker& row) override {
    const Value& sample = item.object;
    choices_.see("epoch", std::to_string(epoch_of(sample)));
    row.value("id", need(sample, id_, "--id"));
    ItemOutput output = inspect_output(sample, text_);
    put_text(row, std::move(output));
    return true;
  }

  const std::string id_;
  const std::optional<std::string> text_;
};

class InspectJudgments final : public InspectLog {
 public:
  explicit InspectJudgments(const JudgmentSourceOptions& options)
      : InspectLog(options, paths(options), "rating", {}), options_(options) {}

 private:
  static std::vector<std::string> paths(const JudgmentSourceOptions& options) {
    std::vector<std::string> paths{"scores", "metadata"};
    for (const std::string_view field : kJudgmentFields) add(paths, place_of(options, std::string(field)));
    return with_only(options, std::move(paths));
  }

  bool convert(const InputRow& item, RowMaker& row) override {
    const Value& sample = item.object;
    if (!absent(sample.member("error"), true)) return without("an error");
    if (!absent(sample.member("invalidation"), true)) return without("invalidated");
    const auto path = place_of(options_, "rating");
    const Value* score = path ? nullptr : score_of(sample, options_.scorer);
    const Value* value = path ? sample.at(*path) : score == nullptr ? nullptr : score->member("value");
    if (absent(value, true)) return without("no score");
    const bool letter = value->is(Value::Kind::kString) && value->text.size() == 1;
    const std::size_t grade = letter ? std::string_view("CPIN").find(value->text) : std::string_view::npos;
    if (grade == 3) return without("no answer (N)");
    const std::string scorer = score == nullptr ? "score" : std::string(score->key);
    const Value* judge = field(sample, "judge", "");
    if (judge != nullptr || options_.judge) {
      if (judge != nullptr) row.value("judge", *judge);
    } else {
      row.text("judge", fmt::format("{}/{}/{}", header().model, header().task, scorer));
    }
    if (const Value* claim = field(sample, "claim", "metadata.claim"); claim != nullptr) row.value("claim", *claim);
    const Value* passage = field(sample, "passage", "metadata.passage");
    if (passage != nullptr) row.value("passage", *passage);
    const Value* run =
        passage == nullptr || options_.map.contains("run") ? field(sample, "run", "metadata.run") : nullptr;
    if (run != nullptr) row.value("run", *run);
    row.number("sample", epoch_of(sample) - 1);
    if (grade == std::string_view::npos) {
      row.value("rating", *value);
    } else {  // letters mean the same on any scale
      row.number("rating", options_.reversed_scale ? 3 - grade : grade + 1);
    }
    usable();
    return true;
  }

  const Value* field(const Value& sample, const std::string& name, const std::string& otherwise) const {
    const std::string path = place_of(options_, name).value_or(otherwise);
    const Value* value = path.empty() ? nullptr : sample.at(path);
    return absent(value, true) ? nullptr : value;
  }

  bool without(const std::string& kind) {
    failed(kind);
    return false;
  }

  const JudgmentSourceOptions options_;
};

class InspectAnswers final : public InspectLog {
 public:
  explicit InspectAnswers(const AnswerSourceOptions& options)
      : InspectLog(options, paths(options), "answer", {"epoch"}), options_(options) {}

 private:
  static std::vector<std::string> paths(const AnswerSourceOptions& options) {
    std::vector<std::string> paths{"scores"};
    for (const std::string_view field : kAnswerFields) add(paths, place_of(options, std::string(field)));
    return with_only(options, std::move(paths));
  }

  bool convert(const InputRow& item, RowMaker& row) override {
    const Value& sample = item.object;
    choices_.see("epoch", std::to_string(epoch_of(sample)));
    row.value("record", need(sample, place_of(options_, "record").value_or("id"), "--map record=PATH"));
    if (!options_.model) row.text("model", header().model);
    if (const auto run = place_of(options_, "run")) row.value("run", need(sample, *run, "--map run=PATH"));
    const char* name = options_.task == "response" ? "response" : "answer";
    ItemOutput output = inspect_output(sample, place_of(options_, "answer"));
    if (output.text && options_.task == "choice" && !options_.map.contains("answer")) {
      const Value* score = score_of(sample, options_.scorer);
      if (score == nullptr) {
        throw Error(Code::kUsage,
                    fmt::format("{} has samples without a score, which would say the choice", names_.file),
                    "--map answer=output.completion takes the first letter of the output");
      }
      const Value* answer = score->member("answer");
      if (absent(answer, true) || answer->text.empty()) {
        output = {std::nullopt, "no answer in their score", {}};
      } else {
        output.text = content_text(*answer, "the answer of the score");
      }
    }
    put_answer(row, name, std::move(output));
    return true;
  }

  const AnswerSourceOptions options_;
};

}  // namespace

std::unique_ptr<RowReader> open_inspect_run(const VariantSourceOptions& options) {
  check_map(options, kRunFields);
  return std::make_unique<InspectRun>(options);
}

std::unique_ptr<RowReader> open_inspect_judgments(const JudgmentSourceOptions& options) {
  check_map(options, kJudgmentFields);
  return std::make_unique<InspectJudgments>(options);
}

std::unique_ptr<RowReader> open_inspect_answers(const AnswerSourceOptions& options) {
  check_map(options, kAnswerFields);
  return std::make_unique<InspectAnswers>(options);
}

}  // namespace residue::ingest
