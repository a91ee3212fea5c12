#include "ingest/mask/command_sanitizer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/child.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/json.h"
#include "ingest/mask/child_process.h"
#include "ingest/mask/merged_spans.h"
#include "ingest/mask/program_files.h"
#include "ingest/mask/scrub.h"
#include "ingest/method/hidden_words.h"
#include "ingest/method/safe_replacements.h"
#include "ingest/method/span_masking.h"
#include "ingest/read/json_parser.h"
#include "ingest/rows/fields.h"
#include "ingest/rows/text_spans.h"
#include "model/suspicion/suspected.h"
#include "storage/disk/files.h"
#include "text/characters/unicode.h"

namespace residue::ingest {
namespace {

constexpr std::array kParams{
    SanitizerParam{"command", "", "the program and its arguments, run by sh"},
    SanitizerParam{"timeout", "60", "seconds without an answer until it is killed", real_from(0.1, 86'400)},
    SanitizerParam{"unit", "codepoint",
                   "what its offsets count: codepoint, byte, utf16; \"unit\" in a line overrides it"},
    SanitizerParam{"merge", "no",
                   "scrub: also replace what scrub finds; names that either found go wherever they stand"},
    SanitizerParam{"replacement", "tag", "of spans: tag: [PERSON]; stars: ****; token: [PERSON_1]"},
    SanitizerParam{"revision", "",
                   "any word; change it when the files that the program reads have changed: all records are then asked "
                   "about again"},
    SanitizerParam{"texts-are-meant", "no",
                   "yes: count refusals, error messages and one text for many records as texts, not as failures"}};
constexpr int kMostIdleEnds = 5;
constexpr std::string_view kVersion = "command/1";

std::string how_it_ended(const ChildEnd& end) {
  using How = ChildEnd::How;
  if (end.how == How::kSilent) return "the command fell silent";
  if (end.how == How::kTooLong) return "the command wrote a line over 16 MiB";
  if (end.how == How::kSignalled) return fmt::format("the command died of signal {}", end.code);
  return end.code == 0 ? "the command gave no answer" : fmt::format("the command ended with exit code {}", end.code);
}

// Whose answer a line is that cannot be read: what stands behind its first "id":, where that can be. Inside a string of
// JSON these marks do not stand like that.
std::optional<std::string> id_in(std::string_view line, JsonParser& parser) {
  constexpr std::string_view kField = "\"id\"";
  constexpr std::string_view kSpace = " \t\r";
  const std::size_t field = line.find(kField);
  if (field == std::string_view::npos) return std::nullopt;
  std::size_t at = line.find_first_not_of(kSpace, field + kField.size());
  if (at == std::string_view::npos || line[at] != ':') return std::nullopt;
  at = line.find_first_not_of(kSpace, at + 1);
  if (at == std::string_view::npos) return std::nullopt;
  std::size_t end = std::min(line.find_first_of(",} \t\r", at), line.size());
  if (line[at] == '"') {
    for (end = at + 1; end < line.size() && line[end] != '"'; ++end) end += line[end] == '\\' ? 1 : 0;
    if (end++ >= line.size()) return std::nullopt;
  }
  try {
    Value id;
    const std::string row = fmt::format("{{\"id\":{}}}", line.substr(at, end - at));
    parser.parse(row, id, true);
    return id_of(id.items.at(0), "id");
  } catch (const Refusal&) {
    return std::nullopt;
  }
}

// What becomes of the spans of an answer.
struct SpanRules {
  text::Unit unit = text::Unit::kCodepoint;
  bool merge = false;  // with scrub's
  Masking masking = Masking::kTag;
};

// The records of one call, and which of them something was said of so far.
class Dialogue {
 public:
  // `refused` counts replacements that say the words they stand for.
  Dialogue(std::span<const SanitizeInput> inputs, const SpanRules& rules, OutputSink& sink,
           std::atomic<std::uint64_t>& refused)
      : inputs_(inputs), rules_(rules), sink_(sink), answered_(inputs.size()), refused_(refused) {
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
    Value answer;
    try {
      parser_.parse(line, answer, true);
      const Value* id = answer.is(Value::Kind::kObject) ? answer.member("id") : nullptr;
      if (id == nullptr) return;  // The record that it was meant for stays without an answer.
      const auto place = places_.find(id_of(*id, "id"));
      if (place == places_.end()) return;
      say(place->second, read(answer, inputs_[place->second].text));
    } catch (const Refusal& refusal) {
      const auto id = id_in(line, parser_);
      const auto place = id ? places_.find(*id) : places_.end();
      if (place == places_.end()) return;
      say(place->second, failed("the command's answer cannot be read: " + refusal.cause));
    }
  }

  void fail(std::size_t i, std::string why) {
    answered_[i] = true;
    sink_.take(i, failed(std::move(why)));
  }

  // The first record without an answer, from `from` on.
  [[nodiscard]] std::size_t open(std::size_t from) const {
    while (from < answered_.size() && answered_[from]) ++from;
    return from;
  }
  [[nodiscard]] std::uint64_t answers() const { return answers_; }

 private:
  static SanitizeOutput failed(std::string why) { return {std::nullopt, std::move(why), {}}; }

  void say(std::size_t i, SanitizeOutput output) {
    answers_ += 1;
    const bool again = answered_[i];
    answered_[i] = true;
    sink_.take(i, again ? failed("the command answered twice") : std::move(output));
  }

  [[nodiscard]] SanitizeOutput read(const Value& answer, std::string_view original) {
    try {
      if (auto error = error_of(answer.member("error"), true)) return failed(*std::move(error));
      if (const Value* spans = answer.member("spans"); !absent(spans, true)) {
        std::vector<MaskedSpan> all = text_spans(*spans, original, unit_of(answer));
        if (rules_.merge) {
          all = merged_with_scrub(original, made_safe(std::move(all), original));
          refused_ += without_hidden_words(original, all);
        }
        return mask(original, std::move(all), rules_.masking);
      }
      if (rules_.merge) return failed("the command's answer has no \"spans\" to merge with those of scrub");
      const Value* text = answer.member("text");
      if (text != nullptr && text->is(Value::Kind::kString)) return {std::string(text->text), std::nullopt, {}};
      return failed("the command's answer has neither \"text\" nor \"spans\" nor \"error\"");
    } catch (const Refusal& refusal) {
      return failed(refusal.cause);
    }
  }

  // What the program says for its spans, without what would put them back into the text.
  std::vector<MaskedSpan> made_safe(std::vector<MaskedSpan> spans, std::string_view original) {
    const std::string small = text::lower(original);
    for (MaskedSpan& span : spans) {
      span.type = safe_type(small, span.type);
      if (!span.with || !repeats_words(*span.with, original.substr(span.begin, span.end - span.begin))) continue;
      span.with.reset();
      ++refused_;
    }
    return spans;
  }

  [[nodiscard]] text::Unit unit_of(const Value& answer) const {
    const Value* said = answer.member("unit");
    if (absent(said, true)) return rules_.unit;
    const auto unit = said->is(Value::Kind::kString) ? unit_named(said->text) : std::nullopt;
    if (!unit) throw Refusal{"unit is none of codepoint, byte, utf16", "it says what the offsets count"};
    return *unit;
  }

  std::span<const SanitizeInput> inputs_;
  SpanRules rules_;
  OutputSink& sink_;
  std::vector<bool> answered_;
  std::unordered_map<std::string, std::size_t> places_;  // by key
  JsonParser parser_;
  std::uint64_t answers_ = 0;
  std::atomic<std::uint64_t>& refused_;
};

// Outputs where the caller wants them.
class Slots final : public OutputSink {
 public:
  explicit Slots(std::span<SanitizeOutput> outputs) : outputs_(outputs) {}
  void take(std::size_t input, SanitizeOutput output) override { outputs_[input] = std::move(output); }
  void wait() override {}
  [[nodiscard]] bool has_text() const override { return false; }

 private:
  std::span<SanitizeOutput> outputs_;
};

// A program that could not work may say so where its text should stand.
class Suspecting final : public OutputSink {
 public:
  Suspecting(std::span<const SanitizeInput> inputs, OutputSink& sink) : inputs_(inputs), sink_(sink) {}
  void take(std::size_t input, SanitizeOutput output) override {
    if (output.text) {
      if (const auto suspicion = model::suspected_failure(*output.text, inputs_[input].text)) {
        output = {};
        output.error = fmt::format("suspected: {}", model::words_of(*suspicion));
      }
    }
    sink_.take(input, std::move(output));
  }
  void wait() override { sink_.wait(); }
  [[nodiscard]] bool has_text() const override { return sink_.has_text(); }

 private:
  std::span<const SanitizeInput> inputs_;
  OutputSink& sink_;
};

struct Settings {
  std::string command;
  double timeout = 0;
  std::string revision;
  std::optional<std::uint64_t> seed;
  std::function<bool()> interrupted;
  bool meant = false;  // what looks like a failure is none
  std::string unit, merge, replacement;
  SpanRules rules;
  std::map<std::string, std::string> own = {};  // parameters of the program's
};

constexpr std::string_view kOwnPrefix = "RESIDUE_PARAM_";

class Command final : public Sanitizer {
 public:
  explicit Command(Settings settings) : settings_(std::move(settings)) {
    for (const std::string& file : program_files(settings_.command)) {
      programs_.push_back({{"file", file}, {"sha256", to_hex(storage::sha256_file(file))}});
    }
    // What is in our environment under such a name is no setting of the run.
    environment_ = Child::environment_without(kOwnPrefix);
    for (const auto& [name, value] : settings_.own) {
      environment_.push_back(fmt::format("{}{}={}", kOwnPrefix, name, value));
    }
  }

  [[nodiscard]] std::string spec() const override {
    Json params{{"command", settings_.command},
                {"timeout", settings_.timeout},
                {"unit", settings_.unit},
                {"merge", settings_.merge},
                {"replacement", settings_.replacement},
                {"revision", settings_.revision},
                {"texts-are-meant", settings_.meant ? "yes" : "no"}};
    for (const auto& [name, value] : settings_.own) params[name] = value;
    return Json{{"method", "command"}, {"version", kVersion}, {"params", params}, {"programs", programs_}}
        .sorted()
        .dump();
  }

  [[nodiscard]] std::vector<std::string> notes() const override {
    if (refused_ == 0) return {};
    return {fmt::format("{} replacements of the program say words that are hidden: tags stand there instead",
                        refused_.load())};
  }

  [[nodiscard]] bool texts_are_meant() const override { return settings_.meant; }

  // How long is waited decides no answer.
  [[nodiscard]] std::string asked() const override {
    TaggedHash hash("residue.command.v1");
    hash.field("version", kVersion)
        .field("command", settings_.command)
        .field("programs", programs_.sorted().dump())
        .field("revision", settings_.revision)
        .field("seed", settings_.seed ? std::to_string(*settings_.seed) : std::string());
    // What was stored before there were these settings is what the defaults give.
    if (settings_.unit != "codepoint") hash.field("unit", settings_.unit);
    if (settings_.rules.masking != Masking::kTag) hash.field("replacement", settings_.replacement);
    if (settings_.rules.merge) hash.field("merge", kScrubVersion);
    for (const auto& [name, value] : settings_.own) hash.field("own", name).field("value", value);
    return hash.bytes();
  }

  [[nodiscard]] SanitizeOutput sanitize(const SanitizeInput& input) const override {
    SanitizeOutput output;
    sanitize_all({&input, 1}, {&output, 1}, 1);
    return output;
  }

  void sanitize_all(std::span<const SanitizeInput> inputs, std::span<SanitizeOutput> outputs,
                    unsigned /*jobs*/) const override {
    Slots slots(outputs);
    sanitize_each(inputs, slots);
  }

  void sanitize_each(std::span<const SanitizeInput> inputs, OutputSink& whole) const override {
    Suspecting suspecting(inputs, whole);
    OutputSink& sink = settings_.meant ? whole : suspecting;
    Dialogue dialogue(inputs, settings_.rules, sink, refused_);
    int idle = 0;
    const auto interrupted = [&] {
      sink.wait();
      return settings_.interrupted && settings_.interrupted();
    };
    for (std::size_t next = 0; next < inputs.size();) {
      const std::uint64_t before = dialogue.answers();
      const auto patience = std::chrono::milliseconds(static_cast<std::int64_t>(settings_.timeout * 1000));
      const auto answers = [&](std::string_view line) {
        const std::uint64_t known = dialogue.answers();
        dialogue.take(line);
        return dialogue.answers() > known;  // Whoever writes what answers nothing is silent.
      };
      const ChildEnd end =
          run_child(settings_.command, dialogue.lines(next), patience, answers, interrupted, environment_);
      if (end.how == ChildEnd::How::kStopped) throw Error(Code::kInterrupted, "interrupted", "repeat the command");
      next = dialogue.open(next);
      if (next == inputs.size()) return;
      if (end.well()) {  // It had its say.
        for (; next < inputs.size(); next = dialogue.open(next)) dialogue.fail(next, how_it_ended(end));
        return;
      }
      idle = dialogue.answers() > before ? 0 : idle + 1;
      // Of a program that has answered, each end is of the record that it died on; waiting is for a few.
      const bool mute = dialogue.answers() == 0 && !sink.has_text();
      const bool hopeless = mute || end.how == ChildEnd::How::kSilent;
      if (idle >= kMostIdleEnds && hopeless) {
        throw Error(Code::kBadInput, fmt::format("{} {} times without an answer", how_it_ended(end), idle),
                    "try it by itself: echo '{\"id\":\"1\",\"text\":\"a\"}' | COMMAND");
      }
      dialogue.fail(next, how_it_ended(end));
      next = dialogue.open(next);
    }
  }

 private:
  const Settings settings_;
  Json programs_ = Json::array();
  std::vector<std::string> environment_;
  mutable std::atomic<std::uint64_t> refused_ = 0;
};

}  // namespace

std::span<const SanitizerParam> command_params() { return kParams; }

std::unique_ptr<Sanitizer> make_command(const SanitizerSetting& setting) {
  const std::string& command = setting.params.at("command");
  if (command.empty() && setting.store != nullptr) {
    throw Error(Code::kUsage, "command: which program?", "--param command='./mine.sh --option'");
  }
  const std::string& meant = setting.params.at("texts-are-meant");
  if (meant != "yes" && meant != "no") {
    throw Error(Code::kUsage, fmt::format("texts-are-meant={} is neither yes nor no", meant),
                "--param texts-are-meant=yes");
  }
  Settings settings{command,
                    number_param(setting, "timeout"),
                    setting.params.at("revision"),
                    setting.seeded ? std::optional(setting.seed) : std::nullopt,
                    setting.interrupted,
                    meant == "yes",
                    setting.params.at("unit"),
                    setting.params.at("merge"),
                    setting.params.at("replacement"),
                    {}};
  const auto unit = unit_named(settings.unit);
  if (!unit) {
    throw Error(Code::kUsage, fmt::format("command: unknown unit '{}'", settings.unit),
                "use unit=codepoint, byte or utf16");
  }
  if (settings.merge != "no" && settings.merge != "scrub") {
    throw Error(Code::kUsage, fmt::format("command: cannot merge with '{}'", settings.merge), "use merge=no or scrub");
  }
  for (const auto& [name, value] : setting.params) {
    if (std::ranges::find(kParams, name, &SanitizerParam::name) == kParams.end()) settings.own.emplace(name, value);
  }
  settings.rules = {*unit, settings.merge == "scrub", masking_named(settings.replacement, "command")};
  return std::make_unique<Command>(std::move(settings));
}

}  // namespace residue::ingest
