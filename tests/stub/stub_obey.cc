#include "tests/stub/stub_obey.h"

#include <regex>
#include <sstream>

namespace residue::stub {

std::string one_line(const std::string& text) {
  std::istringstream words(text);
  std::string line, word;
  while (words >> word) line += (line.empty() ? "" : " ") + word;
  return line;
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
