#include "query/sql/levels/face_words.h"

#include <array>
#include <string_view>

namespace residue::query {
namespace {

struct Words {
  std::string_view flag, package, extension;
};

// A flag that an extension has nothing for says what it stands for.
constexpr std::array<Words, 6> kWords = {{
    {"--claims", "level='claims'", "residue_open('PATH', 'claims')"},
    {"--originals", "level='originals'", "residue_open('PATH', 'originals')"},
    {"--timeout S", "timeout=", "interrupting it"},
    {"--limit", "limit=", "LIMIT"},
    {"--no-text", "texts left out", "texts left out"},
    {"--lexicon FILE", "lexicon=FILE", "a file"},
}};

}  // namespace

std::string in_words_of(Face face, std::string text) {
  for (const auto& [flag, package, extension] : kWords) {
    const std::string_view word = face == Face::kPackage ? package : extension;
    for (auto at = text.find(flag); at != std::string::npos; at = text.find(flag, at + word.size())) {
      text.replace(at, flag.size(), word);
    }
  }
  return text;
}

}  // namespace residue::query
