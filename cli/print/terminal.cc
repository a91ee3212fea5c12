#include "cli/print/terminal.h"

#include <algorithm>
#include <array>

#include "text/characters/harmless.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

constexpr std::array kStyles = {kBold, kMarked, kPlain};

std::string spelled(std::string_view bytes, Spelling spelling) {
  return spelling == Spelling::kJson ? text::escape_controls_in_json(bytes) : text::escape_controls(bytes);
}

}  // namespace

std::string for_terminal(std::string_view bytes, Spelling spelling, bool styles) {
  if (!styles) return spelled(bytes, spelling);
  std::string out;
  while (!bytes.empty()) {
    const std::size_t escape = std::min(bytes.find('\x1b'), bytes.size());
    out += spelled(bytes.substr(0, escape), spelling);
    bytes.remove_prefix(escape);
    const auto* const own =
        std::find_if(kStyles.begin(), kStyles.end(), [&](std::string_view style) { return bytes.starts_with(style); });
    const std::size_t size = own != kStyles.end() ? own->size() : std::min<std::size_t>(1, bytes.size());
    out += own != kStyles.end() ? std::string(*own) : spelled(bytes.substr(0, size), spelling);
    bytes.remove_prefix(size);
  }
  return out;
}

}  // namespace residue::cli
