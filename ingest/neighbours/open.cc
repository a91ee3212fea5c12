#include "ingest/neighbours/open.h"

#include <fmt/format.h>

#include <cctype>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/neighbours/eval_archive.h"
#include "ingest/neighbours/inspect.h"
#include "ingest/neighbours/presidio.h"
#include "ingest/neighbours/promptfoo.h"
#include "ingest/neighbours/tau_eval.h"
#include "ingest/read/byte_source.h"
#include "ingest/rows/presets.h"

namespace residue::ingest {
namespace {

constexpr std::size_t kHead = 4096;
constexpr std::string_view kInspect = "inspect", kPromptfoo = "promptfoo", kPresidio = "presidio",
                           kTauEval = "tau-eval";

// The first bytes of a JSON text, token by token.
class Head {
 public:
  explicit Head(std::string_view bytes) : bytes_(bytes) {}

  bool sign(char c) { return skip(), at_ < bytes_.size() && bytes_[at_] == c && (++at_, true); }
  bool member(std::string_view name) { return word('"' + std::string(name) + '"') && sign(':'); }
  bool word(std::string_view word) {
    skip();
    if (!bytes_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool number() {
    skip();
    const std::size_t from = at_;
    while (at_ < bytes_.size() && std::isdigit(static_cast<unsigned char>(bytes_[at_])) != 0) ++at_;
    return at_ > from;
  }
  // A string without escapes.
  bool string() {
    if (!sign('"')) return false;
    const std::size_t end = bytes_.find_first_of("\"\\", at_);
    if (end == std::string_view::npos || bytes_[end] == '\\') return false;
    at_ = end + 1;
    return true;
  }

 private:
  void skip() {
    while (at_ < bytes_.size() && std::string_view(" \t\r\n").find(bytes_[at_]) != std::string_view::npos) ++at_;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
};

// {"version": 2, "status": "success", "eval": {
bool is_inspect(std::string_view bytes) {
  Head head(bytes);
  return head.sign('{') && head.member("version") && head.number() && head.sign(',') && head.member("status") &&
         head.string() && head.sign(',') && head.member("eval") && head.sign('{');
}

// {"evalId": "...", "results": {"version": 3, "timestamp":   or without the id
bool is_promptfoo(std::string_view bytes) {
  Head head(bytes);
  if (!head.sign('{')) return false;
  if (head.member("evalId") && !((head.word("null") || head.string()) && head.sign(','))) return false;
  return head.member("results") && head.sign('{') && head.member("version") && head.number() && head.sign(',') &&
         head.member("timestamp");
}

// Rows with a note before theirs.
template <class Row>
class Noted final : public RowSource<Row> {
 public:
  Noted(std::unique_ptr<RowSource<Row>> rows, std::string note) : rows_(std::move(rows)), note_(std::move(note)) {}

  RowResult next(Row& row, RowError& bad) override { return rows_->next(row, bad); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return rows_->bytes_read(); }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return rows_->bytes_total(); }
  [[nodiscard]] bool whole() const override { return rows_->whole(); }
  [[nodiscard]] std::vector<std::string> notes() const override {
    std::vector<std::string> notes = rows_->notes();
    notes.insert(notes.begin(), note_);
    return notes;
  }

 private:
  std::unique_ptr<RowSource<Row>> rows_;
  std::string note_;
};

std::string read_as(std::string_view program) {
  return fmt::format("read as {} (--preset {})", program == kInspect ? "a log of inspect_ai" : "results of promptfoo",
                     program);
}

// The same rows, as JSON Lines would have them.
template <class Options>
Options plain(const Options& options) {
  Options same = options;
  same.preset.clear();
  same.map.clear();
  same.only.clear();
  return same;
}

void refuse(const char* flag, bool given, const std::string& preset, const char* remedy) {
  if (given) throw Error(Code::kUsage, fmt::format("{} cannot be used with --preset {}", flag, preset), remedy);
}

}  // namespace

std::string_view recognised(const std::string& path) {
  if (path == "-" || !std::filesystem::is_regular_file(path)) return {};
  if (is_archive(path)) return kInspect;
  InputBuffer input(open_bytes(path));
  input.begin();
  while (input.view().size() < kHead && input.more()) {
  }
  const std::string_view head = input.view().substr(0, kHead);
  return is_inspect(head) ? kInspect : is_promptfoo(head) ? kPromptfoo : std::string_view();
}

std::unique_ptr<RowSource<VariantRow>> open_run(const VariantSourceOptions& options) {
  if (options.preset.empty() && !options.spans) {
    if (const std::string_view program = recognised(options.path); !program.empty()) {
      VariantSourceOptions named = options;
      named.preset = program;
      return std::make_unique<Noted<VariantRow>>(open_run(named), read_as(program));
    }
  }
  const Preset* preset = options.spans ? nullptr : find_preset(options, PresetVerb::kRun);
  if (preset == nullptr || !preset->neighbour) return open_variants(options);
  refuse("--id auto", options.numbered(), options.preset, "name the place of the id in an item, or give no --id");
  VariantSourceOptions rows = plain(options);
  rows.id = "id";
  rows.text = "text";
  rows.originals = true;
  if (preset->name == kInspect) return open_variants(rows, open_inspect_run(options));
  if (preset->name == kPromptfoo) return open_variants(rows, open_promptfoo_run(options));
  if (preset->name == kTauEval) return open_variants(rows, open_tau_eval_run(options));
  rows.text.reset();
  rows.spans = true;
  return open_variants(rows, open_presidio_run(options));
}

std::unique_ptr<RowSource<JudgmentRow>> open_judgments_of(const JudgmentSourceOptions& options) {
  if (options.preset.empty() && recognised(options.path) == kInspect) {
    JudgmentSourceOptions named = options;
    named.preset = kInspect;
    return std::make_unique<Noted<JudgmentRow>>(open_judgments_of(named), read_as(kInspect));
  }
  const Preset* preset = find_preset(options, PresetVerb::kJudgments);
  if (preset == nullptr || !preset->neighbour) {
    if (options.scorer) throw Error(Code::kUsage, "--scorer is for logs of inspect_ai", "add --preset inspect");
    return open_judgments(options);
  }
  return open_judgments(plain(options), open_inspect_judgments(options));
}

std::unique_ptr<RowSource<AnswerRow>> open_answers_of(const AnswerSourceOptions& options) {
  if (options.preset.empty() && !options.labels) {
    if (const std::string_view program = recognised(options.path); !program.empty()) {
      AnswerSourceOptions named = options;
      named.preset = program;
      return std::make_unique<Noted<AnswerRow>>(open_answers_of(named), read_as(program));
    }
  }
  const Preset* preset = find_preset(options, PresetVerb::kAnswers);
  if (preset == nullptr || !preset->neighbour) {
    if (options.scorer) throw Error(Code::kUsage, "--scorer is for logs of inspect_ai", "add --preset inspect");
    return open_answers(options);
  }
  if (!options.task) {
    throw Error(Code::kUsage, "which task do the answers belong to?", "add --task choice, or another one");
  }
  if (options.task == "attributes") {
    throw Error(Code::kUsage, "guesses of attributes are not read from files of other programs",
                "write them as JSON Lines: docs/formats.md");
  }
  if (!options.run && !options.map.contains("run")) {
    throw Error(Code::kUsage, "the texts of which run did the model read?",
                "add --run NAME; --run none where it read the originals");
  }
  return open_answers(plain(options),
                      preset->name == kInspect ? open_inspect_answers(options) : open_promptfoo_answers(options));
}

}  // namespace residue::ingest
