#include "verbs/runs/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace residue::verbs {
namespace {

constexpr std::size_t kMaxBytes = 64;

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

}  // namespace

void check_owner_name(std::string_view what, std::string_view name) {
  const auto good = [](char c) { return is_plain(c) || std::string_view("._:/@-").find(c) != std::string_view::npos; };
  if (!name.empty() && name.size() <= kMaxBytes && is_plain(name.front()) && std::ranges::all_of(name, good)) return;
  throw Error(
      Code::kUsage, fmt::format("this is no name of a {}", what),
      fmt::format("letters, digits and . _ - : / @, the first a letter or digit, at most {} signs: nightly, v2, "
                  "paper/table-3",
                  kMaxBytes));
}

}  // namespace residue::verbs
