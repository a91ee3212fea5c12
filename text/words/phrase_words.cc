#include "text/words/phrase_words.h"

#include <algorithm>
#include <array>

#include "text/words/analyzer.h"
#include "text/words/as_analyzed.h"
#include "text/words/placeholders.h"
#include "text/words/words.h"

namespace residue::text {
namespace {

constexpr std::size_t kLeastSigns = 3;
constexpr std::string_view kBlock = "\xE2\x96\x88";

// Whether a row of signs that stand for letters is in `text`, which holds no words.
bool has_mask_signs(std::string_view text) {
  if (text.find(kBlock) != std::string_view::npos) return true;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of(text[at], at), text.size());
    if ((text[at] == '*' || text[at] == '#' || text[at] == '_') && end - at >= kLeastSigns) return true;
    at = end;
  }
  return false;
}

bool is_mask_word(std::string_view word) {
  if (word.find_first_not_of('_') == std::string_view::npos) return true;
  if (!is_ascii(word)) return false;
  if (is_placeholder(word)) return true;
  if (word.size() < 8) return false;  // no word of kMaskWords is shorter
  const std::string small = ' ' + lower(word) + ' ';
  static const std::string words = ' ' + std::string(kMaskWords) + ' ';
  return words.find(small) != std::string::npos;
}

// Words of `text` outside of masks.
std::vector<PhraseWord> phrase_words(std::string_view text) {
  std::vector<Span> spans;
  words(text, spans);
  std::vector<PhraseWord> found;
  found.reserve(spans.size());
  bool begins_run = true;
  std::size_t behind = 0;  // the last word or placeholder
  for (const Span& span : spans) {
    if (span.begin < behind) continue;  // inside of a placeholder
    const std::string_view between = text.substr(behind, span.begin - behind);
    begins_run = begins_run || has_mask_signs(between);
    std::size_t closed = behind;
    for (std::size_t at = between.find_first_of("[<{"); at != std::string_view::npos;
         at = between.find_first_of("[<{", at + 1)) {
      const std::size_t end = placeholder_end(text, behind + at);
      if (end > behind + at) closed = std::max(closed, end);
    }
    if (closed > behind) {
      begins_run = true;
      behind = closed;
      if (span.begin < closed) continue;
    }
    const std::string_view word = slice(text, span);
    behind = span.end;
    if (is_mask_word(word)) {
      begins_run = true;
      continue;
    }
    found.push_back({span, begins_run});
    begins_run = false;
  }
  return found;
}

std::string term_of(std::string_view word) {
  std::string store;
  return Analyzer::plain().term(as_analyzed(word, store));
}

}  // namespace

PhraseText::PhraseText(std::string_view written) {
  std::string store;
  read_ = as_analyzed(written, store);
  words_ = phrase_words(read_);
}

std::optional<std::vector<Span>> PhraseText::as_written(std::string_view written) const {
  std::vector<Span> spans;
  if (written == read_) {
    for (const PhraseWord& word : words_) spans.push_back(word.span);
    return spans;
  }
  const std::vector<PhraseWord> other = phrase_words(written);
  if (other.size() != words_.size()) return std::nullopt;
  for (std::size_t i = 0; i < other.size(); ++i) {
    const std::string_view word = slice(written, other[i].span), read = slice(read_, words_[i].span);
    if (word != read && term_of(word) != Analyzer::plain().term(read)) return std::nullopt;
    spans.push_back(other[i].span);
  }
  return spans;
}

void PhraseVocabulary::add(const PhraseText& text, std::vector<std::uint32_t>& out) {
  out.clear();
  for (const PhraseWord& word : text.words()) {
    const std::string_view read = slice(text.read(), word.span);
    auto known = read_.find(read);
    if (known == read_.end()) {
      const auto next = static_cast<std::uint32_t>(terms_.size() + 1);
      const std::uint32_t number = terms_.try_emplace(Analyzer::plain().term(read), next).first->second;
      known = read_.emplace(read, number).first;
    }
    if (word.begins_run && !out.empty()) out.push_back(kRunEnd);
    out.push_back(known->second);
  }
}

void PhraseVocabulary::find(const PhraseText& text, std::vector<std::uint32_t>& out) const {
  out.clear();
  for (const PhraseWord& word : text.words()) {
    const std::string_view read = slice(text.read(), word.span);
    std::uint32_t number = kNoWord;
    if (const auto known = read_.find(read); known != read_.end()) {
      number = known->second;
    } else if (const auto term = terms_.find(Analyzer::plain().term(read)); term != terms_.end()) {
      number = term->second;
    }
    if (word.begins_run && !out.empty()) out.push_back(kRunEnd);
    out.push_back(number);
  }
}

}  // namespace residue::text
