#include "text/encodings/fonts.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "text/characters/as_read.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

constexpr std::size_t kFewest = 8;

// Mathematical letters and digits, letterlike signs, and Roman numerals.
bool may_be_font(char32_t c) {
  return (c >= 0x1D400 && c <= 0x1D7FF) || (c >= 0x2100 && c <= 0x214F) || (c >= 0x2160 && c <= 0x217F);
}

struct Shaped {
  Span span;
  std::string reads;
};

}  // namespace

std::optional<std::string> without_fonts(std::string_view text) {
  const auto has = [&](std::string_view begin) { return text.find(begin) != std::string_view::npos; };
  if (!has("\xF0\x9D") && !has("\xE2\x84") && !has("\xE2\x85")) return std::nullopt;
  std::vector<Shaped> found;
  std::size_t woven = 0;
  bool after_letter = false, after_font = false;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    const Span span{at, at + c.bytes};
    std::string reads = may_be_font(c.value) ? as_read(slice(text, span), Letters::kKept) : std::string();
    const bool font = !reads.empty() && (is_alpha(reads[0]) || is_digit(reads[0]));
    const bool letter = font || (c.value < 0x80 && is_alpha(static_cast<char>(c.value)));
    woven += (font && after_letter) || (letter && !font && after_font) ? 1 : 0;
    if (font) found.push_back({span, std::move(reads)});
    after_letter = letter;
    after_font = font;
    at += c.bytes;
  }
  if (woven < kFewest) return std::nullopt;
  std::string out;
  std::size_t copied = 0;
  for (const Shaped& one : found) {
    out.append(text, copied, one.span.begin - copied);
    out += one.reads;
    copied = one.span.end;
  }
  out.append(text, copied);
  return out;
}

}  // namespace residue::text
