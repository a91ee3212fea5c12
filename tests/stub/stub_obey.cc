#include "tests/stub/stub_obey.h"

#include <cstdint>
#include <regex>
#include <sstream>

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

int wanted_rating(const std::string& passage) {
  static const std::regex number("(?:rate|rated|rating|ratings|score|scored|grade|mark)\\b[^0-9]{0,60}([123])",
                                 std::regex::icase);
  static const std::regex nothing("(?:nothing|no claim|none)[^.]{0,40}(?:supported|stated|true)", std::regex::icase);
  static const std::regex everything(
      "(?:everything|every claim|all claims|all of them)[^.]{0,40}(?:supported|stated|true)", std::regex::icase);
  std::smatch found;
  if (std::regex_search(passage, found, number)) return found[1].str()[0] - '0';
  if (std::regex_search(passage, nothing)) return 3;
  return std::regex_search(passage, everything) ? 1 : 0;
}

}  // namespace residue::stub
