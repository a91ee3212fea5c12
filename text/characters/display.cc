// What unicode.h says about terminals.
#include <fmt/format.h>
#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "text/characters/break_iterator.h"
#include "text/characters/harmless.h"
#include "text/characters/unicode.h"

namespace residue::text {
namespace {

constexpr std::string_view kEllipsis = "…";
constexpr char32_t kIllFormed = 0xFFFD;

bool is_plain(char c) { return c >= 0x20 && c < 0x7F; }

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return is_plain(c); });
}

bool is_control(char32_t value) { return value < 0x20 || (value >= 0x7F && value < 0xA0); }

// Characters that reorder or break what a terminal shows around them.
bool is_layout(char32_t value) {
  return value == 0x061C || value == 0x200E || value == 0x200F || (value >= 0x2028 && value <= 0x202E) ||
         (value >= 0x2066 && value <= 0x206F) || (value >= 0xFFF9 && value <= 0xFFFB);
}

std::size_t width_of(char32_t value) {
  const auto c = static_cast<UChar32>(value);
  if (is_control(value) || is_layout(value)) return 1;
  switch (u_charType(c)) {
    case U_NON_SPACING_MARK:
    case U_ENCLOSING_MARK:
    case U_FORMAT_CHAR:
      return value == 0xAD ? 1 : 0;
    default:
      break;
  }
  const int width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH ? 2 : 1;
}

// Width of one grapheme: that of its widest character; flags and emoji presentation make it wide.
std::size_t grapheme_width(std::string_view grapheme) {
  std::size_t width = 0;
  std::size_t flags = 0;
  for (std::size_t at = 0; at < grapheme.size();) {
    const CodePoint c = code_point_at(grapheme, at);
    at += c.bytes;
    if (c.value == 0xFE0F && width > 0) width = 2;
    if (c.value >= 0x1F1E6 && c.value <= 0x1F1FF) ++flags;
    width = std::max(width, width_of(c.value));
  }
  return flags == 2 ? 2 : width;
}

// Calls `f(grapheme)` for every grapheme in order until it returns false.
template <class F>
void each_grapheme(std::string_view text, F&& f) {
  thread_local BreakIterator graphemes(BreakIterator::Kind::kGrapheme);
  graphemes.set_text(text);
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = graphemes.next();
    if (!f(text.substr(begin, end - begin))) return;
    begin = end;
  }
}

void append_visible(std::string& out, std::string_view grapheme) {
  bool broken = false;
  for (std::size_t at = 0; at < grapheme.size();) {
    const CodePoint c = code_point_at(grapheme, at);
    at += c.bytes;
    if (c.value == '\t' || c.value == '\n' || c.value == '\r') {
      if (at == 1) out += ' ';  // CR LF is one grapheme.
    } else if (is_control(c.value) || is_layout(c.value)) {
      append_utf8(out, kIllFormed);
    } else {
      // What is left of one broken sequence is one grapheme to ICU: shown once.
      const bool ill_formed = c.value == kIllFormed && c.bytes == 1;
      if (!ill_formed || !broken) append_utf8(out, c.value);
      broken = ill_formed;
    }
  }
}

}  // namespace

bool drives_terminal(char32_t value) { return is_control(value) || is_layout(value); }

std::size_t display_width(std::string_view text) {
  if (is_plain(text)) return text.size();
  std::size_t width = 0;
  each_grapheme(text, [&](std::string_view grapheme) {
    width += grapheme_width(grapheme);
    return true;
  });
  return width;
}

std::string cut_to_width(std::string_view text, std::size_t width) {
  if (is_plain(text)) {
    if (text.size() <= width) return std::string(text);
    return width == 0 ? std::string() : std::string(text.substr(0, width - 1)).append(kEllipsis);
  }
  std::string out;
  std::size_t used = 0;
  std::size_t fits = 0;  // Bytes of `out` that leave a column for the ellipsis.
  bool cut = false;
  each_grapheme(text, [&](std::string_view grapheme) {
    const std::size_t columns = grapheme_width(grapheme);
    if (used + columns > width) {
      cut = true;
      return false;
    }
    used += columns;
    append_visible(out, grapheme);
    if (used < width) fits = out.size();
    return true;
  });
  if (!cut) return out;
  if (width == 0) return {};
  out.resize(fits);
  return out.append(kEllipsis);
}

std::string escape_controls(std::string_view text, Breaks breaks) {
  if (is_plain(text)) return std::string(text);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = code_point_at(text, at);
    at += c.bytes;
    if (breaks == Breaks::kKeep && (c.value == '\n' || c.value == '\t')) {
      out += static_cast<char>(c.value);
    } else if (is_control(c.value)) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned>(c.value));
    } else if (is_layout(c.value)) {
      fmt::format_to(std::back_inserter(out), "\\u{{{:x}}}", static_cast<unsigned>(c.value));
    } else {
      append_utf8(out, c.value);
    }
  }
  return out;
}

std::string escape_controls_in_json(std::string_view document) {
  std::string out;
  for (std::size_t at = 0; at < document.size();) {
    const CodePoint c = code_point_at(document, at);
    at += c.bytes;
    if (c.value != '\n' && c.value != '\t' && drives_terminal(c.value)) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c.value));
    } else {
      append_utf8(out, c.value);
    }
  }
  return out;
}

}  // namespace residue::text
