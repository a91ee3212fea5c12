#include "model/replies/rewritten.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/replies/answer_words.h"
#include "model/replies/around_text.h"
#include "model/replies/asking_words.h"
#include "model/replies/content_words.h"
#include "model/replies/refusal.h"

namespace residue::model {
namespace {

constexpr std::size_t kLongText = 8;  // words

std::string bare_lower(std::string_view text) {
  std::string out = lower(text);
  const auto is_word = [](unsigned char c) { return std::isalnum(c) != 0 || c >= 0x80; };
  while (!out.empty() && !is_word(static_cast<unsigned char>(out.back()))) out.pop_back();
  const auto first = std::ranges::find_if(out, [&](char c) { return is_word(static_cast<unsigned char>(c)); });
  out.erase(out.begin(), first);
  return out;
}

// Words that stand for a text where there is none, or speak about the text instead of being it.
bool is_placeholder(std::string_view text, std::string_view original) {
  const std::string said = bare_lower(text);
  if (said.empty()) return true;
  static constexpr std::array<std::string_view, 12> kWords = {
      "n/a",  "na",        "none",    "null",       "nil",       "empty",
      "text", "no output", "no text", "no changes", "unchanged", "no changes needed"};
  if (std::ranges::find(kWords, std::string_view(said)) != kWords.end()) return bare_lower(original) != said;
  const auto comments = [](const std::string& words) {
    return begins_with_any(
        words,
        {"no changes", "no personal information", "no personally", "the text contains no", "the provided text",
         "the text is unchanged", "the text has been anonymi", "the text was anonymi", "the text has been rewritten",
         "the text has been paraphrased", "the whole text after", "the whole text in other", "the whole text with the",
         "i have anonymized", "i have anonymised", "as an ai", "as a language model", "request blocked", "error:"});
  };
  return comments(said) && !comments(bare_lower(original));
}

std::size_t word_count(std::string_view text) {
  std::size_t count = 0;
  bool inside = false;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    count += !space && !inside ? 1 : 0;
    inside = !space;
  }
  return count;
}

// Three words in a row, each once, in lower case and without what stands around them.
std::set<std::array<std::string, 3>> triples_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n\t\r", at), text.size());
    if (std::string word = bare_lower(text.substr(at, end - at)); !word.empty()) words.push_back(std::move(word));
    at = end + 1;
  }
  std::set<std::array<std::string, 3>> triples;
  for (std::size_t i = 2; i < words.size(); ++i) triples.insert({words[i - 2], words[i - 1], words[i]});
  return triples;
}

// Another text: much shorter than a long one, and not a word in common.
bool is_about_nothing_of(std::string_view text, std::string_view original) {
  const std::size_t words = word_count(original);
  return words >= kLongText && 2 * word_count(text) < words && !shares_words(text, original);
}

std::size_t lone_hashes(std::string_view text) {
  std::size_t count = 0;
  for (const std::string_view line : lines_of(text)) count += bare(line) == "#" ? 1 : 0;
  return count;
}

// Behind the one line that `size_of` measures (bytes that are no text); nothing where there are none or several.
template <class SizeOf>
std::optional<Parted> parted_at(std::string_view words, const SizeOf& size_of) {
  std::optional<Parted> found;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find('\n', at), words.size());
    const std::string_view line = words.substr(at, end - at);
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    if (const std::size_t size = size_of(line.substr(begin)); size > 0) {
      if (found) return std::nullopt;
      found = Parted{trimmed(words.substr(0, at)), trimmed(words.substr(at + begin + size))};
    }
    at = end + 1;
  }
  return found;
}

// At the first line that is a single '#'.
std::optional<Parted> parted_at_hash(std::string_view words) {
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = std::min(words.find('\n', at), words.size());
    if (bare(words.substr(at, end - at)) == "#") {
      return Parted{trimmed(words.substr(0, at)), trimmed(words.substr(std::min(end + 1, words.size())))};
    }
    at = end + 1;
  }
  return std::nullopt;
}

}  // namespace

Rewritten rewritten(std::string_view answer, std::string_view original) {
  if (declines_to_reword(trimmed(answer), original)) return {{}, "refused"};
  const TextAlone alone = text_alone(answer, original);
  if (alone.problem != nullptr) return {{}, alone.problem};
  const std::string_view text = alone.text;
  if (text.empty()) return {{}, "no text"};
  if (declines_to_reword(text, original)) return {{}, "refused"};
  if (is_placeholder(text, original)) return {{}, "words in the place of a text"};
  if (!is_of_tags(text) && (is_about_nothing_of(text, original) || has_nothing_of(text, original))) {
    return {{}, "it shares no word with the text"};
  }
  return {text, nullptr};
}

bool swapped(const Parted& parts, std::string_view original) {
  const auto source = triples_of(original);
  if (word_count(original) < kLongText) return false;
  const auto common = [&](std::string_view text) {
    const auto triples = triples_of(text);
    const auto known = std::ranges::count_if(triples, [&](const auto& one) { return source.contains(one); });
    const auto share = [&](std::size_t of) {
      return of == 0 ? 0.0 : static_cast<double>(known) / static_cast<double>(of);
    };
    return std::pair(share(triples.size()), share(source.size()));
  };
  const auto [of_before, source_in_before] = common(parts.before);
  const auto [of_text, source_in_text] = common(parts.text);
  return of_before >= 0.5 && source_in_before >= 0.5 && of_text < 0.25 && source_in_text < 0.25;
}

std::optional<Parted> parted(std::string_view words, std::string_view original) {
  const std::size_t lone = lone_hashes(words);
  if (lone > 0) {
    const std::size_t own = lone_hashes(original);
    if (own >= lone) return std::nullopt;  // whose they are cannot be told
    std::optional<Parted> parts = parted_at_hash(words);
    if (lone == own + 1) return parts;
    // One more: behind it the model speaks again.
    if (own > 0 || lone > 2) return std::nullopt;
    const std::optional<Parted> again = parted_at_hash(parts->text);
    if (!again || !(only_remarks(again->text))) return std::nullopt;
    return Parted{parts->before, again->before};
  }
  const auto begins_with_hash = [](std::string_view line) { return line.starts_with('#'); };
  if (!has_line(original, begins_with_hash) && has_line(words, begins_with_hash)) {
    return parted_at(words, [](std::string_view line) {
      return is_heading(line) ? line.size() : std::min(line.find_first_not_of('#'), line.size());
    });
  }
  const auto is_rule = [](std::string_view line) {
    return line.size() >= 3 && line.find_first_not_of("-*_=") == std::string_view::npos;
  };
  if (!has_line(original, is_rule) && has_line(words, is_rule)) {
    return parted_at(words, [&](std::string_view line) { return is_rule(trimmed(line)) ? line.size() : 0; });
  }
  if (has_line(original, [](std::string_view line) { return label_of(line) > 0; })) return std::nullopt;
  return parted_at(words, label_of);
}

}  // namespace residue::model
