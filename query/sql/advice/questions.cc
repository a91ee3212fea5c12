#include "query/sql/advice/questions.h"

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "base/embedded.h"

namespace residue::query {

RESIDUE_EMBEDDED(questions)

namespace {

// 'words (--claims)': the level, which is cut off.
ReadLevel level_in(std::string_view& words) {
  for (const auto& [flag, level] :
       {std::pair{" (--claims)", ReadLevel::kClaims}, {" (--originals)", ReadLevel::kOriginals}}) {
    if (!words.ends_with(flag)) continue;
    words.remove_suffix(std::string_view(flag).size());
    return level;
  }
  return ReadLevel::kReleased;
}

}  // namespace

std::vector<Question> questions() {
  constexpr std::string_view kBegin = "-- ";
  std::vector<Question> all;
  std::string_view rest = embedded_questions();
  for (std::size_t at = rest.find(kBegin); at != std::string_view::npos; at = rest.find(kBegin)) {
    rest.remove_prefix(at + kBegin.size());
    const std::size_t line = rest.find('\n');
    std::string_view words = rest.substr(0, line);
    rest.remove_prefix(line + 1);
    const ReadLevel level = level_in(words);
    const std::size_t end = rest.find(";\n");
    all.push_back({words, rest.substr(0, end), level});
    rest.remove_prefix(end);
  }
  return all;
}

std::string_view questions_as_text() { return embedded_questions(); }

}  // namespace residue::query
