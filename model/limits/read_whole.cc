#include "model/limits/read_whole.h"

#include <algorithm>
#include <array>
#include <utility>

namespace residue::model {
namespace {

constexpr std::uint64_t kCharactersPerToken = 4;

enum Kind : std::uint8_t { kSign = 0, kWord = 1, kSpace = 2 };

constexpr std::array<Kind, 128> kinds() {
  std::array<Kind, 128> all{};
  for (const char c : {' ', '\n', '\t', '\r', '\f', '\v'}) all[static_cast<std::size_t>(c)] = kSpace;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if ((i >= 'a' && i <= 'z') || (i >= 'A' && i <= 'Z') || (i >= '0' && i <= '9')) all[i] = kWord;
  }
  return all;
}
constexpr std::array<Kind, 128> kKinds = kinds();

// Of the three bytes of a character from U+0800 to U+FFFF: is it of a script without spaces between words?
bool is_dense(unsigned char first, unsigned char second) {
  const unsigned point = (first & 0x0FU) << 12U | (second & 0x3FU) << 6U;  // to 64 exactly
  struct Range {
    unsigned from, to;
  };
  static constexpr std::array<Range, 5> kRanges = {{{0x0E00, 0x0FFF},    // Thai, Lao, Tibetan
                                                    {0x1000, 0x107F},    // Burmese
                                                    {0x1780, 0x17FF},    // Khmer
                                                    {0x3040, 0x30FF},    // kana
                                                    {0x3400, 0x9FFF}}};  // Chinese characters
  return std::ranges::any_of(kRanges, [&](const Range& range) { return point >= range.from && point <= range.to; });
}

// Words as they go by.
class Counter {
 public:
  // Every byte that is sent goes through here: no branch that depends on whether it is a letter.
  void take(char c) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || dense_ != 0) {
      take_other(byte);
      return;
    }
    lead_ = 0;
    const std::uint64_t kind = kKinds[byte], space = kind >> 1U;
    sum_ += word_ & space;
    word_ = (word_ | kind) & (space ^ 1U) & 1U;
  }
  void end_word() {
    sum_ += word_ * std::max<std::uint64_t>(1, dense_ / kCharactersPerToken);
    word_ = 0;
    dense_ = 0;
    lead_ = 0;
  }
  [[nodiscard]] std::uint64_t sum() const { return sum_; }

 private:
  void take_other(unsigned char byte) {
    const unsigned char lead = std::exchange(lead_, byte >= 0xE0 ? byte : 0);
    if (byte < 0x80) {
      if (kKinds[byte] == kSpace) end_word();
      return;  // in a word as it is
    }
    word_ = 1;
    if (lead != 0 && lead < 0xF0 && is_dense(lead, byte)) ++dense_;
  }

  std::uint64_t sum_ = 0, dense_ = 0, word_ = 0;  // word_: 1 in a word
  unsigned char lead_ = 0;
};

// The JSON string that begins at `at`, behind its quote; returns where it ends, at its quote.
std::size_t take_string(std::string_view body, std::size_t at, Counter& counter) {
  for (; at < body.size() && body[at] != '"'; ++at) {
    if (body[at] != '\\') {
      counter.take(body[at]);
      continue;
    }
    if (++at == body.size()) break;
    const char c = body[at];
    if (c == 'n' || c == 't' || c == 'r' || c == 'f') counter.end_word();
    if (c == 'u') at = std::min(at + 4, body.size() - 1);
  }
  counter.end_word();
  return at;
}

}  // namespace

std::uint64_t least_tokens(std::string_view text) {
  Counter counter;
  for (const char c : text) counter.take(c);
  counter.end_word();
  return counter.sum();
}

// A quote inside a string has a backslash before it, so that a text cannot look like a key.
std::uint64_t least_tokens_of(std::string_view body) {
  Counter counter;
  constexpr std::string_view kContent = R"("content":")", kInput = R"("input":[)";
  for (std::size_t at = body.find(kContent); at != std::string_view::npos; at = body.find(kContent, at)) {
    at = take_string(body, at + kContent.size(), counter);
  }
  std::size_t at = body.find(kInput);
  if (at == std::string_view::npos) return counter.sum();
  for (at += kInput.size(); at < body.size() && body[at] != ']'; ++at) {
    if (body[at] == '"') at = take_string(body, at + 1, counter);
  }
  return counter.sum();
}

std::string_view unread(std::uint64_t least, std::optional<std::int64_t> counted) {
  if (!counted || *counted < kLeastContext) return {};
  return static_cast<std::uint64_t>(*counted) < least ? std::string_view(kUnread) : std::string_view();
}

std::optional<std::int64_t> PromptGrowth::cap() const {
  if (least_.size() >= kPrompts &&
      static_cast<double>(*least_.rbegin()) >= kLonger * static_cast<double>(*least_.begin()))
    return most_;
  return plateau_.floor();
}

bool PromptGrowth::add(Seen seen, std::vector<Seen>& suspect) {
  const std::int64_t counted = seen.counted;
  if (counted < kLeastContext || seen.least == 0) return false;
  if (counted > most_) {
    most_ = counted;
    least_.clear();
    near_.erase(near_.begin(), near_.lower_bound(near_from()));
  }
  if (counted == most_) least_.insert(seen.least);
  plateau_.add(seen.bytes, counted);
  if (counted >= near_from()) near_.emplace(counted, std::move(seen));
  const auto cap = this->cap();
  if (!cap) {
    cut_from_.reset();
    return false;
  }
  for (auto cut = near_.lower_bound(*cap); cut != near_.end(); cut = near_.erase(cut)) {
    cut_from_ = std::min(cut_from_.value_or(cut->second.least), cut->second.least);
    if (cut->second.usable) suspect.push_back(std::move(cut->second));
  }
  return counted >= *cap;
}

void CutPrompts::remember(std::vector<PromptGrowth::Seen> earlier, std::vector<PromptGrowth::Seen>& suspect) {
  remembers_ = true;
  std::vector<PromptGrowth::Seen> found;
  for (PromptGrowth::Seen& one : earlier) ever_.add(std::move(one), found);
  tell(std::move(found), suspect);
}

bool CutPrompts::add(PromptGrowth::Seen seen, std::vector<PromptGrowth::Seen>& suspect) {
  std::vector<PromptGrowth::Seen> found;
  const bool now = command_.add(seen, found);
  const bool ever = ever_.add(std::move(seen), found);
  tell(std::move(found), suspect);
  for (const PromptGrowth* growth : {&command_, &ever_}) {
    const auto from = growth->cut_from();
    if ((now || ever) && from) cut_from_ = std::min(cut_from_.value_or(*from), *from);
  }
  return now || ever;
}

void CutPrompts::tell(std::vector<PromptGrowth::Seen> found, std::vector<PromptGrowth::Seen>& suspect) {
  for (PromptGrowth::Seen& one : found) {
    if (told_.emplace(one.vote, one.attempt).second) suspect.push_back(std::move(one));
  }
}

}  // namespace residue::model
