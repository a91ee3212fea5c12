#include "tests/stub/stub_obey.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <sstream>
#include <string_view>

namespace residue::stub {

std::string one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line, word;
  while (words >> word) line += (line.empty() ? "" : " ") + word;
  return line;
}

int rating_among(const std::string& passage, const std::vector<std::string>& claims, std::size_t which) {
  std::uint64_t hash = 1469598103934665603ULL;  // FNV-1a
  const auto add = [&](const std::string& text) {
    for (const char c : text + '\n') hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  };
  add(passage);
  for (const std::string& claim : claims) add(claim);
  add(std::to_string(which));
  return static_cast<int>((hash >> 32U) % 3) + 1;
}

// Not by std::regex, whose tables threads of the standard library fill at once.
namespace {

using Words = std::initializer_list<std::string_view>;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where behind one of `words` at `at` the rest begins, that word alone; npos: none is there.
std::size_t behind(std::string_view text, std::size_t at, Words words, bool whole) {
  for (const std::string_view word : words) {
    const std::size_t end = at + word.size();
    if (text.substr(at, word.size()) != word) continue;
    if (!whole || end == text.size() || !is_word(text[end])) return end;
  }
  return std::string_view::npos;
}

// "rated as a 3": the digit at most 60 characters behind such a word; 0: there is none.
int number_behind(std::string_view text) {
  constexpr std::size_t kFar = 60;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t from =
        behind(text, at, {"rate", "rated", "rating", "ratings", "score", "scored", "grade", "mark"}, true);
    if (from == std::string_view::npos) continue;
    const std::size_t digit = text.find_first_of("0123456789", from);
    if (digit == std::string_view::npos || digit - from > kFar) continue;
    if (text[digit] >= '1' && text[digit] <= '3') return text[digit] - '0';
  }
  return 0;
}

// One of `what`, and at most 40 characters behind it, in the same sentence, that it is so.
bool says(std::string_view text, Words what) {
  constexpr std::size_t kFar = 40;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t from = behind(text, at, what, false);
    if (from == std::string_view::npos) continue;
    for (std::size_t next = from; next <= text.size() && next - from <= kFar; ++next) {
      if (behind(text, next, {"supported", "stated", "true"}, false) != std::string_view::npos) return true;
      if (next < text.size() && text[next] == '.') break;
    }
  }
  return false;
}

}  // namespace

int wanted_rating(const std::string& passage) {
  std::string text = passage;
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (const int number = number_behind(text); number != 0) return number;
  if (says(text, {"nothing", "no claim", "none"})) return 3;
  return says(text, {"everything", "every claim", "all claims", "all of them"}) ? 1 : 0;
}

}  // namespace residue::stub
