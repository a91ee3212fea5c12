#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "ingest/rows/fields.h"
#include "ingest/rows/presets.h"
#include "ingest/rows/source_base.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kKnown[] = {"judge", "claim", "passage", "run", "sample", "rating"};
constexpr std::int64_t kMaxSample = 1'000'000;

class JudgmentRows final : public ReaderSource<JudgmentRow> {
 public:
  JudgmentRows(const JudgmentSourceOptions& options, const Preset* preset, std::unique_ptr<RowReader> reader)
      : ReaderSource(std::move(reader)),
        preset_(preset),
        otherwise_{options.judge, options.run},
        reversed_(options.reversed_scale),
        judge_("judge", options),
        claim_("claim", options),
        passage_("passage", options),
        run_("run", options),
        sample_("sample", options),
        rating_("rating", options) {}

 private:
  bool take(const InputRow& input, JudgmentRow& row) override {
    if (preset_ != nullptr) {
      row = preset_judgment(preset_->name, input);
      return true;
    }
    row = JudgmentRow{};
    row.line = input.line;
    const auto need = [&](Field& field) -> const Value& {
      const Value* value = field.find(input);
      if (absent(value, input.typed)) {
        throw Refusal{"field \"" + field.name() + "\" is missing",
                      "a line is {\"judge\", \"claim\", \"passage\", \"rating\"}; name other fields with --map"};
      }
      return *value;
    };
    const Value* judge = judge_.find(input);
    row.judge = absent(judge, input.typed) && otherwise_.judge ? *otherwise_.judge : string_of(need(judge_), "judge");
    row.rating = rating_of(need(rating_), input.typed);
    if (reversed_) row.rating = static_cast<std::uint8_t>(4 - row.rating);
    if (const Value* sample = sample_.find(input); !absent(sample, input.typed)) {
      row.sample = static_cast<std::uint64_t>(integer_of(*sample, input.typed, "sample", 0, kMaxSample));
    }
    row.claim = text_of(need(claim_), "claim");
    const Value* run = run_.find(input);
    const Value* passage = passage_.find(input);
    if (!absent(run, input.typed) && !absent(passage, input.typed)) {
      throw Refusal{"\"run\" and \"passage\" both say what was read", "write one of them"};
    }
    if (!absent(run, input.typed) || (otherwise_.run && absent(passage, input.typed))) {
      row.run = absent(run, input.typed) ? *otherwise_.run : string_of(*run, "run");
      ClaimReference reference = claim_of(row.claim, "claim");
      row.claim = std::move(reference.record);
      row.n = reference.n;
    } else {
      row.passage = text_of(need(passage_), "passage");
    }
    return true;
  }

  static std::uint8_t rating_of(const Value& value, bool typed) {
    const auto whole = value.is(Value::Kind::kReal) || !typed ? whole_number(value.text) : std::nullopt;
    return static_cast<std::uint8_t>(whole && *whole >= 1 && *whole <= 3 ? *whole
                                                                         : integer_of(value, typed, "rating", 1, 3));
  }

  const Preset* preset_;
  const struct { std::optional<std::string> judge, run; } otherwise_;  // of rows that name none
  bool reversed_;
  Field judge_, claim_, passage_, run_, sample_, rating_;
};

}  // namespace

std::unique_ptr<RowSource<JudgmentRow>> open_judgments(const JudgmentSourceOptions& options) {
  const Preset* preset = find_preset(options, PresetVerb::kJudgments);
  check_map(options, kKnown);
  return std::make_unique<JudgmentRows>(options, preset, open_rows(options.path));
}

std::unique_ptr<RowSource<JudgmentRow>> open_judgments(const JudgmentSourceOptions& options,
                                                       std::unique_ptr<RowReader> reader) {
  return std::make_unique<JudgmentRows>(options, nullptr, std::move(reader));
}

}  // namespace residue::ingest
