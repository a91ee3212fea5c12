#include "ingest/command_sanitizer.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "base/error.h"
#include "ingest/child_process.h"
#include "ingest/fields.h"
#include "ingest/json_parser.h"
#include "ingest/text_spans.h"

namespace residue::ingest {
namespace {

constexpr std::array kParams{SanitizerParam{"command", "", "the program and its arguments, run by sh"},
                             SanitizerParam{"timeout", "60", "seconds without a line until it is killed"}};
constexpr int kMostIdleEnds = 5;

std::string how_it_ended(const ChildEnd& end) {
  using How = ChildEnd::How;
  if (end.how == How::kSilent) return "the command fell silent";
  if (end.how == How::kTooLong) return "the command wrote a line over 16 MiB";
  if (end.how == How::kSignalled) return fmt::format("the command died of signal {}", end.code);
  return end.code == 0 ? "the command gave no answer" : fmt::format("the command ended with exit code {}", end.code);
}

// The records of one call, and what was said of them so far.
class Dialogue {
 public:
  Dialogue(std::span<const SanitizeInput> inputs, std::span<SanitizeOutput> outputs)
      : inputs_(inputs), outputs_(outputs), answered_(inputs.size()) {
    for (std::size_t i = 0; i < inputs.size(); ++i) places_.emplace(inputs[i].key, i);
  }

  // Lines of those that nothing was said of, from `first` on.
  [[nodiscard]] std::string lines(std::size_t first) const {
    std::string out;
    for (std::size_t i = first; i < inputs_.size(); ++i) {
      if (answered_[i]) continue;
      out += fmt::format("{{\"id\":{},\"text\":{}}}\n", json_string(inputs_[i].key), json_string(inputs_[i].text));
    }
    return out;
  }

  void take(std::string_view line) {
    try {
      Value answer;
      parser_.parse(line, answer, true);
      const Value* id = answer.is(Value::Kind::kObject) ? answer.member("id") : nullptr;
      const auto place = id == nullptr ? places_.end() : places_.find(id_of(*id, "id"));
      if (place == places_.end()) return;  // The record that it was meant for stays without an answer.
      answers_ += 1;
      SanitizeOutput& output = outputs_[place->second];
      if (answered_[place->second]) {
        output = {std::nullopt, "the command answered twice", {}};
        return;
      }
      answered_[place->second] = true;
      output = read(answer, inputs_[place->second].text);
    } catch (const Refusal&) {  // no JSON
    }
  }

  void fail(std::size_t i, std::string why) {
    answered_[i] = true;
    outputs_[i] = {std::nullopt, std::move(why), {}};
  }

  // The first record without an answer, from `from` on.
  [[nodiscard]] std::size_t open(std::size_t from) const {
    while (from < answered_.size() && answered_[from]) ++from;
    return from;
  }
  [[nodiscard]] std::uint64_t answers() const { return answers_; }

 private:
  static SanitizeOutput read(const Value& answer, std::string_view original) {
    try {
      if (const auto error = error_of(answer.member("error"), true)) return {std::nullopt, error, {}};
      if (const Value* spans = answer.member("spans"); !absent(spans, true)) {
        return mask(original, text_spans(*spans, original), Masking::kTag);
      }
      const Value* text = answer.member("text");
      if (text != nullptr && text->is(Value::Kind::kString)) return {std::string(text->text), std::nullopt, {}};
      return {std::nullopt, "the command's answer has neither \"text\" nor \"spans\" nor \"error\"", {}};
    } catch (const Refusal& refusal) {
      return {std::nullopt, refusal.cause, {}};
    }
  }

  std::span<const SanitizeInput> inputs_;
  std::span<SanitizeOutput> outputs_;
  std::vector<bool> answered_;
  std::unordered_map<std::string, std::size_t> places_;  // by key
  JsonParser parser_;
  std::uint64_t answers_ = 0;
};

class Command final : public Sanitizer {
 public:
  Command(std::string command, double timeout, std::function<bool()> interrupted)
      : command_(std::move(command)), timeout_(timeout), interrupted_(std::move(interrupted)) {}

  [[nodiscard]] std::string spec() const override {
    const nlohmann::json params{{"command", command_}, {"timeout", timeout_}};
    return nlohmann::json{{"method", "command"}, {"version", "command/1"}, {"params", params}}.dump();
  }

  [[nodiscard]] SanitizeOutput sanitize(const SanitizeInput& input) const override {
    SanitizeOutput output;
    sanitize_all({&input, 1}, {&output, 1}, 1);
    return output;
  }

  void sanitize_all(std::span<const SanitizeInput> inputs, std::span<SanitizeOutput> outputs,
                    unsigned /*jobs*/) const override {
    Dialogue dialogue(inputs, outputs);
    int idle = 0;
    for (std::size_t next = 0; next < inputs.size();) {
      const std::uint64_t before = dialogue.answers();
      const auto patience = std::chrono::milliseconds(static_cast<std::int64_t>(timeout_ * 1000));
      const auto answers = [&](std::string_view line) {
        const std::uint64_t known = dialogue.answers();
        dialogue.take(line);
        return dialogue.answers() > known;  // Whoever writes what answers nothing is silent.
      };
      const ChildEnd end = run_child(command_, dialogue.lines(next), patience, answers, interrupted_);
      if (end.how == ChildEnd::How::kStopped) throw Error(Code::kInterrupted, "interrupted", "repeat the command");
      next = dialogue.open(next);
      if (next == inputs.size()) return;
      if (end.well()) {  // It had its say.
        for (; next < inputs.size(); next = dialogue.open(next)) dialogue.fail(next, how_it_ended(end));
        return;
      }
      idle = dialogue.answers() > before ? 0 : idle + 1;
      // Of a program that has answered, each end is of the record that it died on; waiting is for a few.
      const bool hopeless = dialogue.answers() == 0 || end.how == ChildEnd::How::kSilent;
      if (idle >= kMostIdleEnds && hopeless) {
        throw Error(Code::kBadInput, fmt::format("{} {} times without an answer", how_it_ended(end), idle),
                    "try it by itself: echo '{\"id\":\"1\",\"text\":\"a\"}' | COMMAND");
      }
      dialogue.fail(next, how_it_ended(end));
      next = dialogue.open(next);
    }
  }

 private:
  std::string command_;
  double timeout_;
  std::function<bool()> interrupted_;
};

}  // namespace

std::span<const SanitizerParam> command_params() { return kParams; }

std::unique_ptr<Sanitizer> make_command(const SanitizerSetting& setting) {
  const std::string& command = setting.params.at("command");
  if (command.empty() && setting.store != nullptr) {
    throw Error(Code::kUsage, "command: which program?", "--param command='./mine.sh --option'");
  }
  return std::make_unique<Command>(command, real_param(setting, "command", "timeout", 0.1, 86'400),
                                   setting.interrupted);
}

}  // namespace residue::ingest
