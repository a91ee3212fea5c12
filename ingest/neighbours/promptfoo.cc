#include "ingest/neighbours/promptfoo.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/neighbours/items.h"
#include "ingest/rows/fields.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kRunFields[] = {"id", "text"};
constexpr std::string_view kAnswerFields[] = {"record", "run", "answer"};
constexpr std::int64_t kNewestVersion = 3;
constexpr std::size_t kMostVersion = 32;
constexpr std::size_t kLongestVariable = 32;  // whose name a message may show

// A list of calls, as OpenAI's and others' interfaces have them.
bool is_calls(const Value& output) {
  return output.is(Value::Kind::kArray) && !output.items.empty() &&
         std::ranges::all_of(output.items, [](const Value& call) {
           const Value* type = call.member("type");
           const std::string_view name = type == nullptr ? std::string_view() : type->text;
           return call.member("function") != nullptr || name == "function" || name == "tool_use" ||
                  name == "tool_call" || name == "function_call";
         });
}

class Promptfoo : public NeighbourRows {
 protected:
  Promptfoo(const SourceOptions& options, std::vector<std::string> paths, std::string thing,
            std::optional<std::string> id, std::string id_flag)
      : NeighbourRows(InputBuffer(open_bytes(options.path)),
                      {shown_name(options.path),
                       "results",
                       std::move(thing),
                       {"provider.id", "promptIdx", "prompt.label", "repeat"},
                       "repeat"},
                      options),
        walk_(input_, shown_name(options.path)),
        parts_(wanted(options, std::move(paths), id)),
        id_(std::move(id)),
        id_flag_(std::move(id_flag)) {}

  // The id, where the result is one that --only means.
  const Value* chosen(const Value& result) {
    const Value& id = id_of_result(result);
    const std::string provider = provider_of(result);
    choices_.see("provider.id", provider);
    const Value* column = result.member("promptIdx");
    if (!absent(column, true)) {
      choices_.see("promptIdx", std::string(column->text));
    } else {
      const Value* label = result.at("prompt.label");
      if (absent(label, true)) label = result.at("prompt.display");
      if (!absent(label, true)) choices_.see("prompt.label", std::string(label->text));
    }
    const std::uint64_t time = ++times_[std::string(id.text)];
    if (!choices_.keeps_time(time)) return nullptr;
    choices_.see("repeat", std::to_string(time));
    return &id;
  }

  static std::string provider_of(const Value& result) {
    const Value* provider = result.member("provider");
    if (provider != nullptr && provider->is(Value::Kind::kObject)) provider = provider->member("id");
    return absent(provider, true) ? std::string() : std::string(provider->text);
  }

 private:
  static std::set<std::string> wanted(const SourceOptions& options, std::vector<std::string> paths,
                                      const std::optional<std::string>& id) {
    for (const char* path : {"vars", "response", "error", "failureReason", "provider", "prompt", "promptIdx"}) {
      paths.emplace_back(path);
    }
    if (id) paths.push_back(*id);
    for (const auto& [path, value] : options.only) paths.push_back(path);
    return members_of(paths);
  }

  const Value& id_of_result(const Value& result) const {
    if (id_) {
      const Value* id = result.at(*id_);
      if (!absent(id, true)) return *id;
      throw Refusal{"the result has nothing at the path of its id", fmt::format("check {}", id_flag_)};
    }
    const Value* vars = result.member("vars");
    std::string names;
    for (const std::string_view alias : kIdAliases) {
      const Value* id = vars == nullptr ? nullptr : vars->member(alias);
      if (!absent(id, true)) return *id;
    }
    if (vars != nullptr) {
      for (const Value& variable : vars->items) {
        if (variable.key.size() <= kLongestVariable)
          names += fmt::format("{}{}", names.empty() ? "" : ", ", variable.key);
      }
    }
    throw Refusal{"none of the variables is called as ids are",
                  fmt::format("name the place of the record's id with {} vars.NAME, or testCase.metadata.NAME{}{}",
                              id_flag_, names.empty() ? "" : "; variables: ", names)};
  }

  void version() {
    std::string json;
    if (!walk_.take(json, kMostVersion)) return;
    const auto number = whole_number(json);
    if (number && *number > kNewestVersion) {
      throw Error(
          Code::kBadInput,
          fmt::format("{} has version {} of promptfoo's results; versions 1 to 3 are read here", names_.file, *number),
          "write its results as JSON Lines");
    }
  }

  // Into the array of results, which stands in the summary, or is it; false where there is none.
  bool enter_results() {
    if (walk_.peek() == '[') {
      walk_.enter('[');
      return true;
    }
    if (walk_.peek() != '{') {
      walk_.skip();
      return false;
    }
    nested_ = true;
    std::string name;
    walk_.enter('{');
    while (walk_.next_member(name)) {
      if (name == "results" && walk_.peek() == '[') {
        walk_.enter('[');
        return true;
      }
      if (name == "version") {
        version();
      } else {
        walk_.skip();
      }
    }
    return false;
  }

  [[noreturn]] void no_results() const {
    throw Error(Code::kBadInput, fmt::format("{} has no results of promptfoo", names_.file),
                "name the file of promptfoo eval -o FILE.json, or of promptfoo export eval");
  }

  // A line of JSON Lines, or the whole file: told by "results".
  bool next_document(InputRow& item) {
    if (walk_.at_end()) return false;
    if (walk_.peek() != '{') no_results();
    item.line = walk_.line();
    std::string name;
    bool is_result = false;
    parts_.begin();
    walk_.enter('{');
    while (walk_.next_member(name)) {
      if (name == "results" && !lines_) {
        in_array_ = enter_results();
        if (!in_array_) no_results();
        return next_result(item);
      }
      is_result = is_result || name == "vars" || name == "promptIdx" || name == "testCase";
      if (name == "version" && !lines_) {
        version();
      } else {
        parts_.add(walk_, name);
      }
    }
    if (!is_result) no_results();
    lines_ = true;
    parts_.parse(item.object);
    return true;
  }

  bool next_result(InputRow& item) {
    if (walk_.next_element()) {
      item.line = walk_.line();
      parts_.read(walk_, item.object);
      return true;
    }
    std::string name;
    if (nested_) {
      while (walk_.next_member(name)) walk_.skip();
    }
    while (walk_.next_member(name)) walk_.skip();
    walk_.end();
    done_ = true;
    return false;
  }

  bool next_item(InputRow& item) override {
    if (done_) return false;
    if (!begun_) input_.begin();
    begun_ = true;
    item.index = index_++;
    item.number = index_;
    return in_array_ ? next_result(item) : next_document(item);
  }

  JsonWalk walk_;
  ItemParts parts_;
  const std::optional<std::string> id_;
  const std::string id_flag_;
  std::unordered_map<std::string, std::uint64_t> times_;  // by id
  bool begun_ = false, in_array_ = false, nested_ = false, lines_ = false, done_ = false;
  std::uint64_t index_ = 0;
};

class PromptfooRun final : public Promptfoo {
 public:
  explicit PromptfooRun(const VariantSourceOptions& options)
      : Promptfoo(options, paths(options), "text", place_of(options, "id", options.id), "--id"),
        text_(place_of(options, "text", options.text)) {}

 private:
  static std::vector<std::string> paths(const VariantSourceOptions& options) {
    const auto text = place_of(options, "text", options.text);
    return text ? std::vector<std::string>{*text} : std::vector<std::string>{};
  }

  bool convert(const InputRow& item, RowMaker& row) override {
    const Value* id = chosen(item.object);
    if (id == nullptr) return false;
    row.value("id", *id);
    ItemOutput output = promptfoo_output(item.object, text_);
    put_text(row, std::move(output));
    return true;
  }

  const std::optional<std::string> text_;
};

class PromptfooAnswers final : public Promptfoo {
 public:
  explicit PromptfooAnswers(const AnswerSourceOptions& options)
      : Promptfoo(options, paths(options), "answer", place_of(options, "record"), "--map record="), options_(options) {}

 private:
  static std::vector<std::string> paths(const AnswerSourceOptions& options) {
    std::vector<std::string> paths;
    for (const auto& [field, path] : options.map) paths.push_back(path);
    return paths;
  }

  bool convert(const InputRow& item, RowMaker& row) override {
    const Value* id = chosen(item.object);
    if (id == nullptr) return false;
    row.value("record", *id);
    if (!options_.model) row.text("model", provider_of(item.object));
    if (const auto path = place_of(options_, "run")) {
      const Value* run = item.object.at(*path);
      if (absent(run, true)) throw Refusal{"the result has nothing at the path of its run", "check --map run=PATH"};
      row.value("run", *run);
    }
    const char* name = options_.task == "response" ? "response" : "answer";
    ItemOutput output = promptfoo_output(item.object, place_of(options_, "answer"));
    put_answer(row, name, std::move(output));
    return true;
  }

  const AnswerSourceOptions options_;
};

}  // namespace

ItemOutput promptfoo_output(const Value& result, const std::optional<std::string>& path) {
  const Value* error = result.member("error");
  const Value* reason = result.member("failureReason");
  if (reason != nullptr && reason->text == "1") error = nullptr;  // what an assertion says, not the provider
  if (reason != nullptr && reason->text == "2") return no_text("an error", error);
  const Value* response = result.member("response");
  if (absent(response, true)) return no_text("no response", error);
  if (const Value* failed = response->member("error"); !absent(failed, true) && !failed->text.empty()) {
    return no_text("an error", failed);
  }
  const Value* refusal = response->member("isRefusal");
  if (refusal != nullptr && refusal->text == "true") return no_text("refused");
  const Value* finish = response->member("finishReason");
  const std::string_view stop = absent(finish, true) ? std::string_view() : finish->text;
  if (stop == "length" || stop == "max_tokens") return no_text("cut off");
  if (stop == "content_filter") return no_text("blocked by a filter");
  const Value* output = path ? result.at(*path) : response->member("output");
  if (path && output == nullptr) throw Refusal{"there is nothing at the path of --text", "check --text"};
  if (absent(output, true)) return no_text("no output", error);
  if (is_calls(*output)) return no_text("calls of tools instead");
  const char* place = path ? "the text" : "response.output";
  if (output->is(Value::Kind::kObject) && !path) {
    throw Refusal{"response.output is an object, not a text", "name its field with --text response.output.NAME"};
  }
  std::string text = content_text(*output, place);
  if (text.starts_with("promptfoo://blob/")) {
    throw Refusal{"its output lies outside of the file", "let promptfoo write outputs into the file"};
  }
  if (text.empty()) return no_text("no output", error);
  return {std::move(text), {}, {}};
}

std::unique_ptr<RowReader> open_promptfoo_run(const VariantSourceOptions& options) {
  check_map(options, kRunFields);
  return std::make_unique<PromptfooRun>(options);
}

std::unique_ptr<RowReader> open_promptfoo_answers(const AnswerSourceOptions& options) {
  check_map(options, kAnswerFields);
  if (options.task == "choice" && !options.map.contains("answer")) {
    throw Error(Code::kUsage, "where is the choice? An output may begin with any word",
                "--map answer=response.output takes the first letter of the output, another path that of its value");
  }
  return std::make_unique<PromptfooAnswers>(options);
}

}  // namespace residue::ingest
