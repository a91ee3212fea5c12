#include "ingest/rows/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "text/characters/unicode.h"

namespace residue::ingest {
namespace {

bool is_alnum(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

}  // namespace

void check_name(std::string_view what, std::string_view name) {
  const bool run = what == "run";
  const bool good = !name.empty() && name.size() <= 64 && is_alnum(name.front()) &&
                    std::all_of(name.begin(), name.end(), [&](char c) {
                      return is_alnum(c) || c == '.' || c == '_' || c == '-' || (run && c == '@');
                    });
  if (good) return;
  throw Error(Code::kUsage, fmt::format("\"{}\" cannot be the name of a {}", name, what),
              fmt::format("a name has 1 to 64 letters, digits, '.', '_'{} and '-', and begins with a letter or digit",
                          run ? ", '@'" : ""));
}

bool is_control(std::string_view run) { return run == "none" || run == "remove-all"; }

std::optional<Problem> check_key(std::string_view key) {
  if (key.empty()) return Problem{"the id is empty", "give every row an id, or name its field with --id"};
  if (key.size() > kMaxKeyBytes) {
    return Problem{fmt::format("the id is longer than {} bytes", kMaxKeyBytes), "name the field of the id with --id"};
  }
  if (key.find('\0') != std::string_view::npos) return Problem{"the id contains NUL", "remove the NUL"};
  return std::nullopt;
}

bool is_blank(std::string_view text) { return !text::has_visible(text); }

}  // namespace residue::ingest
