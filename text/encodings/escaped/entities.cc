#include "text/encodings/escaped/entities.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "base/ascii.h"
#include "text/characters/unicode.h"
#include "text/encodings/escaped/bytes.h"

namespace residue::text {
namespace {

constexpr int kDeepest = 4;

// U+00A0 to U+00FF, in order.
constexpr std::string_view kLatin1[] = {
    "nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",    "copy",   "ordf",
    "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn", "sup2",   "sup3",   "acute",  "micro",
    "para",   "middot", "cedil",  "sup1",   "ordm",   "raquo",  "frac14", "frac12", "frac34", "iquest", "Agrave",
    "Aacute", "Acirc",  "Atilde", "Auml",   "Aring",  "AElig",  "Ccedil", "Egrave", "Eacute", "Ecirc",  "Euml",
    "Igrave", "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde", "Ograve", "Oacute", "Ocirc",  "Otilde", "Ouml",
    "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",  "Uuml",   "Yacute", "THORN",  "szlig",  "agrave", "aacute",
    "acirc",  "atilde", "auml",   "aring",  "aelig",  "ccedil", "egrave", "eacute", "ecirc",  "euml",   "igrave",
    "iacute", "icirc",  "iuml",   "eth",    "ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide",
    "oslash", "ugrave", "uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml"};

struct Name {
  std::string_view name;
  char32_t value;
};
constexpr Name kOthers[] = {
    {"amp", '&'},       {"lt", '<'},       {"gt", '>'},        {"quot", '"'},      {"apos", '\''},
    {"OElig", 0x152},   {"oelig", 0x153},  {"Scaron", 0x160},  {"scaron", 0x161},  {"Yuml", 0x178},
    {"fnof", 0x192},    {"circ", 0x2C6},   {"tilde", 0x2DC},   {"ensp", 0x2002},   {"emsp", 0x2003},
    {"thinsp", 0x2009}, {"zwnj", 0x200C},  {"zwj", 0x200D},    {"ndash", 0x2013},  {"mdash", 0x2014},
    {"lsquo", 0x2018},  {"rsquo", 0x2019}, {"sbquo", 0x201A},  {"ldquo", 0x201C},  {"rdquo", 0x201D},
    {"bdquo", 0x201E},  {"bull", 0x2022},  {"hellip", 0x2026}, {"permil", 0x2030}, {"lsaquo", 0x2039},
    {"rsaquo", 0x203A}, {"euro", 0x20AC},  {"trade", 0x2122},  {"AMP", '&'},       {"LT", '<'},
    {"GT", '>'},        {"QUOT", '"'},     {"Tab", '\t'},      {"NewLine", '\n'},  {"excl", '!'},
    {"num", '#'},       {"dollar", '$'},   {"percnt", '%'},    {"lpar", '('},      {"rpar", ')'},
    {"ast", '*'},       {"plus", '+'},     {"comma", ','},     {"period", '.'},    {"sol", '/'},
    {"colon", ':'},     {"semi", ';'},     {"equals", '='},    {"quest", '?'},     {"commat", '@'},
    {"lsqb", '['},      {"lbrack", '['},   {"bsol", '\\'},     {"rsqb", ']'},      {"rbrack", ']'},
    {"Hat", '^'},       {"lowbar", '_'},   {"grave", '`'},     {"lcub", '{'},      {"lbrace", '{'},
    {"verbar", '|'},    {"vert", '|'},     {"rcub", '}'},      {"rbrace", '}'},    {"hyphen", 0x2010}};

struct Reference {
  char32_t value = 0;
  std::size_t bytes = 0;  // 0: none
};

int digit_value(char c, int base) {
  if (is_digit(c)) return c - '0';
  const char low = static_cast<char>(c | 0x20);
  return base == 16 && low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

Reference numbered(std::string_view text) {
  std::size_t at = 2;
  const int base = at < text.size() && (text[at] | 0x20) == 'x' ? 16 : 10;
  if (base == 16) ++at;
  const std::size_t first = at;
  constexpr char32_t kLast = 0x10FFFF;
  char32_t value = 0;
  for (int digit = 0; at < text.size() && (digit = digit_value(text[at], base)) >= 0; ++at) {
    value = std::min(kLast + 1, value * static_cast<char32_t>(base) + static_cast<char32_t>(digit));
  }
  if (at == first) return {};
  if (value >= 0x80 && value < 0xA0) value = windows_1252(static_cast<unsigned char>(value));
  if (value == 0 || value > kLast || (value >= 0xD800 && value < 0xE000)) return {};
  return {value, at + (at < text.size() && text[at] == ';' ? 1 : 0)};
}

Reference named(std::string_view text) {
  constexpr std::size_t kLongest = 8;
  const std::size_t end = text.substr(0, kLongest + 2).find(';');
  if (end == std::string_view::npos) return {};
  const std::string_view name = text.substr(1, end - 1);
  if (const auto* found = std::find(std::begin(kLatin1), std::end(kLatin1), name); found != std::end(kLatin1)) {
    return {static_cast<char32_t>(0xA0 + (found - std::begin(kLatin1))), end + 1};
  }
  for (const Name& other : kOthers) {
    if (other.name == name) return {other.value, end + 1};
  }
  return {};
}

}  // namespace

std::optional<std::string> without_entities(std::string_view text) {
  std::optional<std::string> out;
  for (int deep = 0; deep < kDeepest; ++deep) {
    const std::string_view before = out ? std::string_view(*out) : text;
    std::string after;
    std::size_t copied = 0;
    for (std::size_t at = before.find('&'); at != std::string_view::npos; at = before.find('&', at + 1)) {
      const std::string_view here = before.substr(at);
      const Reference found = here.starts_with("&#") ? numbered(here) : named(here);
      if (found.bytes == 0) continue;
      after += before.substr(copied, at - copied);
      append_utf8(after, found.value);
      at += found.bytes - 1;
      copied = at + 1;
    }
    if (copied == 0) break;
    after += before.substr(copied);
    out = std::move(after);
  }
  return out;
}

}  // namespace residue::text
