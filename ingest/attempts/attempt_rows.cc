#include "ingest/attempts/attempt_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <iterator>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/clock.h"
#include "ingest/rows/fields.h"
#include "ingest/rows/source_base.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kKnown[] = {"dataset",     "run",      "protocol",     "sample", "annotator", "record",
                                       "target",      "present",  "chosen",       "choice", "outcome",   "sure",
                                       "seconds",     "searches", "told",         "blind",  "stratum",   "drawn_at",
                                       "answered_at", "state",    "named_changed"};
constexpr std::string_view kStates[] = {"open",   "outdated", "failed", "right",
                                        "shared", "wrong",    "none",   "rightly none"};
constexpr std::string_view kNone = "none", kOpen = "open";
constexpr std::size_t kLongestName = 100;  // bytes of an annotator's, as query::require_annotator has it
constexpr std::int64_t kMostSearches = 1'000'000;
constexpr double kDay = 86'400;
constexpr std::int64_t kEarliest = 946'684'800'000;  // 2000 in milliseconds; seconds of these years are far below

// The digits at `at`, as many as `count`; nothing where there are others.
std::optional<int> digits(std::string_view words, std::size_t at, std::size_t count) {
  if (at + count > words.size()) return std::nullopt;
  int value = 0;
  for (const char c : words.substr(at, count)) {
    if (c < '0' || c > '9') return std::nullopt;
    value = 10 * value + (c - '0');
  }
  return value;
}

// Milliseconds east of UTC of "Z" or "+01:00".
std::optional<std::int64_t> zone_ms(std::string_view words) {
  if (words == "Z") return 0;
  if (words.size() != 6 || (words[0] != '+' && words[0] != '-') || words[3] != ':') return std::nullopt;
  const auto hours = digits(words, 1, 2), minutes = digits(words, 4, 2);
  if (!hours || !minutes || *hours > 14 || *minutes > 59) return std::nullopt;
  const std::int64_t ms = (std::int64_t{*hours} * 60 + *minutes) * 60'000;
  return words[0] == '-' ? -ms : ms;
}

class AttemptRows final : public ReaderSource<AttemptRow> {
 public:
  explicit AttemptRows(const SourceOptions& options) : ReaderSource(open_rows(options.path)), map_(options.map) {}

 private:
  bool take(const InputRow& input, AttemptRow& row) override {
    row = AttemptRow{};
    row.line = input.line;
    input_ = &input;
    if (!input.typed) take_marks_off(input);
    refuse_unknown();
    row.dataset = words("dataset");
    row.run = words("run");
    row.protocol = words("protocol");
    row.sample = whole_of("sample", 0, std::int64_t{1} << 40);
    const auto annotator = words("annotator");
    if (!annotator || annotator->empty() || annotator->size() > kLongestName) {
      throw Refusal{"\"annotator\" is missing, empty, or longer than 100 bytes",
                    "say who looked; --map annotator=worker reads another field"};
    }
    row.annotator = *annotator;
    std::tie(row.target, row.target_is_code) = reference("record", "target", "which person was looked for");
    row.present = yes("present").value_or(true);
    row.told = yes("told").value_or(false);
    row.blind = yes("blind");
    row.stratum = words("stratum");
    row.outcome = words("outcome");
    state(row);
    row.drawn_at = time("drawn_at");
    row.answered_at = time("answered_at");
    if (const Value* seconds = find("seconds")) row.ms = ms_of(*seconds);
    row.searches = whole_of("searches", 0, kMostSearches);
    answer(row);
    return true;
  }

  // What `export` adds: how the attempt counts where it comes from.
  void state(AttemptRow& row) const {
    const auto state = words("state");
    if (state && std::ranges::find(kStates, *state) == std::end(kStates)) {
      throw Refusal{"\"state\" is none that an attempt has", fmt::format("states are {}", fmt::join(kStates, ", "))};
    }
    row.exported = state.has_value();
    row.outdated = state == "outdated";
    row.shared = state == "shared";
    row.named_changed = yes("named_changed").value_or(false);
  }

  // CSV that residue wrote has an apostrophe before what a spreadsheet would run.
  void take_marks_off(const InputRow& input) {
    cells_ = input;
    for (Value& cell : cells_.object.items) {
      if (cell.is(Value::Kind::kString) && is_disarmed(cell.text)) cell.text.remove_prefix(1);
    }
    input_ = &cells_;
  }

  // Who was drawn and has no answer: "outcome" is "open", or nothing of an answer is there.
  void answer(AttemptRow& row) const {
    const bool chosen = named("chosen") || named("choice"), sure = find("sure") != nullptr;
    const bool open = row.outcome == kOpen || (!sure && !chosen && !row.outcome && !row.answered_at);
    if (open) {
      if (sure || find("chosen") != nullptr || find("choice") != nullptr || row.answered_at || row.told || row.blind) {
        throw Refusal{"an attempt without an answer says something of one",
                      "an open attempt has no chosen, sure, answered_at, told or blind"};
      }
      row.answered = false;
      return;
    }
    if (!chosen) {
      throw Refusal{"the answer names no text and does not say \"none\"",
                    "give chosen (a record) or choice (a code): null or \"none\" says that it was none of them"};
    }
    if (!sure) {
      throw Refusal{"\"sure\" is missing: an answer says how sure the person is",
                    "0 to 100 per cent; \"outcome\": \"open\" says that there is no answer"};
    }
    row.sure = integer_of(*find("sure"), input_->typed, "sure", 0, 100);
    if (named("chosen") && named("choice")) {
      throw Refusal{"both \"chosen\" and \"choice\" are there", "chosen is a record, choice a code: give one"};
    }
    row.choice_is_code = named("choice");
    const char* name = row.choice_is_code ? "choice" : "chosen";
    if (const Value* value = find(name)) row.choice = id_of(*value, name);
    row.choice_is_word = row.choice == kNone;
    if (row.choice_is_word) row.choice.reset();
  }

  [[nodiscard]] std::pair<std::string, bool> reference(const char* key, const char* code, const char* what) const {
    const Value *by_key = find(key), *by_code = find(code);
    if ((by_key == nullptr) == (by_code == nullptr)) {
      throw Refusal{fmt::format("{} of \"{}\" and \"{}\"", by_key == nullptr ? "neither" : "both", key, code),
                    fmt::format("{}: {} is a record's id, {} a code of residue intruder", what, key, code)};
    }
    return {id_of(by_key != nullptr ? *by_key : *by_code, by_key != nullptr ? key : code), by_code != nullptr};
  }

  void refuse_unknown() const {
    for (std::size_t i = 0; i < input_->object.items.size(); ++i) {
      const std::string_view name = input_->object.items[i].key;
      const bool mapped = std::ranges::any_of(map_, [&](const auto& one) { return one.second == name; });
      if (mapped || std::ranges::find(kKnown, name) != std::end(kKnown)) continue;
      throw Refusal{fmt::format("field {} of the line is none that an attempt has", i + 1),
                    fmt::format("fields are {}; --map sure=confidence reads another name", fmt::join(kKnown, ", "))};
    }
  }

  // Whether the field is there at all: null and an empty cell are an answer, too.
  [[nodiscard]] bool named(std::string_view name) const { return at(name) != nullptr; }
  [[nodiscard]] const Value* at(std::string_view name) const {
    const auto mapped = map_.find(std::string(name));
    return mapped != map_.end() ? input_->object.at(mapped->second) : input_->object.member(name);
  }
  [[nodiscard]] const Value* find(std::string_view name) const {
    const Value* value = at(name);
    return absent(value, input_->typed) ? nullptr : value;
  }
  [[nodiscard]] std::optional<std::string> words(std::string_view name) const {
    const Value* value = find(name);
    return value == nullptr ? std::nullopt : std::optional(string_of(*value, name));
  }
  [[nodiscard]] std::optional<std::int64_t> whole_of(std::string_view name, std::int64_t low, std::int64_t high) const {
    const Value* value = find(name);
    if (value == nullptr) return std::nullopt;
    return integer_of(*value, input_->typed, name, low, high);
  }
  [[nodiscard]] std::optional<bool> yes(std::string_view name) const {
    const Value* value = find(name);
    if (value == nullptr) return std::nullopt;
    const std::string_view said = value->text;
    const bool scalar = value->is(Value::Kind::kBool) || value->is(Value::Kind::kInteger) || !input_->typed;
    if (scalar && (said == "true" || said == "1")) return true;
    if (scalar && (said == "false" || said == "0")) return false;
    throw Refusal{fmt::format("\"{}\" is neither true nor false", name), "write true or false, or 1 or 0"};
  }
  [[nodiscard]] std::optional<std::int64_t> time(std::string_view name) const {
    const Value* value = find(name);
    if (value == nullptr) return std::nullopt;
    const auto ms = unix_ms(string_of(*value, name));
    if (!ms || *ms < kEarliest) {
      throw Refusal{fmt::format("\"{}\" is no time, or one before 2000", name),
                    "write 2026-11-28T20:30:00Z, with Z or the distance from UTC, or milliseconds (not seconds) since "
                    "1970"};
    }
    if (*ms > latest_) {
      throw Refusal{fmt::format("\"{}\" is in the future", name),
                    "check its year, its distance from UTC and its unit: a number counts milliseconds since 1970"};
    }
    return ms;
  }
  [[nodiscard]] std::int64_t ms_of(const Value& value) const {
    const std::string said = string_of(value, "seconds");
    double seconds = -1;
    const auto [end, problem] = std::from_chars(said.data(), said.data() + said.size(), seconds);
    if (problem != std::errc() || end != said.data() + said.size() || !(seconds >= 0 && seconds <= kDay)) {
      throw Refusal{"\"seconds\" is no time between 0 and a day", "write seconds, or leave it out"};
    }
    return std::llround(seconds * 1000);
  }

  const std::map<std::string, std::string> map_;
  const std::int64_t latest_ = now_ms() + static_cast<std::int64_t>(kDay) * 1000;  // clocks differ, and so do zones
  const InputRow* input_ = nullptr;
  InputRow cells_;  // of CSV
};

}  // namespace

std::size_t bytes_of(const AttemptRow& row) {
  return sizeof row + row.annotator.size() + row.target.size() + (row.choice ? row.choice->size() : 0);
}

std::optional<std::int64_t> unix_ms(std::string_view words) {
  if (const auto whole = whole_number(words)) return *whole >= 0 ? whole : std::nullopt;
  const auto year = digits(words, 0, 4), month = digits(words, 5, 2), day = digits(words, 8, 2),
             hour = digits(words, 11, 2), minute = digits(words, 14, 2), second = digits(words, 17, 2);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  if (words[4] != '-' || words[7] != '-' || (words[10] != 'T' && words[10] != ' ') || words[13] != ':' ||
      words[16] != ':') {
    return std::nullopt;
  }
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok() || *year < 1970 || *hour > 23 || *minute > 59 || *second > 60) return std::nullopt;
  std::size_t at = 19;
  std::int64_t fraction = 0;
  if (at < words.size() && words[at] == '.') {
    std::int64_t unit = 100;
    const std::size_t first = ++at;
    for (; at < words.size() && words[at] >= '0' && words[at] <= '9'; ++at, unit /= 10) {
      fraction += (words[at] - '0') * unit;
    }
    if (at == first) return std::nullopt;
  }
  const auto zone = zone_ms(words.substr(at));
  if (!zone) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  const std::int64_t seconds = ((days * 24 + *hour) * 60 + *minute) * 60 + std::int64_t{*second};
  const std::int64_t ms = seconds * 1000 + fraction - *zone;
  return ms >= 0 ? std::optional(ms) : std::nullopt;
}

std::unique_ptr<RowSource<AttemptRow>> open_attempts(const SourceOptions& options) {
  check_map(options, kKnown);
  return std::make_unique<AttemptRows>(options);
}

}  // namespace residue::ingest
