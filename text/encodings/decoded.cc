#include "text/encodings/decoded.h"

#include <utility>

#include "text/encodings/entities.h"
#include "text/encodings/leet.h"
#include "text/encodings/look_alikes.h"
#include "text/encodings/spacing.h"

namespace residue::text {

namespace {

constexpr int kDeepest = 4;  // What one step uncovers is another's to undo.

std::optional<std::string> decoded_once(std::string_view text) {
  std::optional<std::string> out;
  const auto undo = [&](auto how) {
    if (auto found = how(out ? std::string_view(*out) : text)) out = std::move(found);
  };
  undo(without_entities);
  undo(without_separators);
  undo(without_spacing);
  undo(without_look_alikes);
  undo(without_leet);
  return out;
}

}  // namespace

std::optional<std::string> decoded(std::string_view text) {
  std::optional<std::string> out = decoded_once(text);
  for (int deep = 1; out && deep < kDeepest; ++deep) {
    auto further = decoded_once(*out);
    if (!further) break;
    out = std::move(further);
  }
  return out;
}

}  // namespace residue::text
