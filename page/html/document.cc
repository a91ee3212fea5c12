#include "page/html/document.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

#include "base/digest.h"
#include "text/characters/unicode.h"

namespace residue::page {
namespace {

constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string source_of(std::string_view words) { return "'sha256-" + base64(sha256(words)) + "'"; }

// Of JSON: what would begin a tag, drive a terminal or turn the order of letters in an editor is spelled.
std::string only_text(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t at = 0; at < json.size();) {
    const auto first = static_cast<unsigned char>(json[at]);
    const std::size_t length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    const std::string_view letter = json.substr(at, length);
    at += length;
    if (letter == "<") {
      out += "\\u003c";
    } else if (length == 1 || text::escape_controls(letter) == letter) {
      out += letter;
    } else {
      std::uint32_t code = first & (0xffU >> (length + 1));
      for (const char c : letter.substr(1)) code = (code << 6U) | (static_cast<unsigned char>(c) & 0x3fU);
      if (code >= 0x10000) {  // as JSON has it: two halves
        out += fmt::format("\\u{:04x}", 0xd800U + ((code - 0x10000) >> 10U));
        code = 0xdc00U + (code & 0x3ffU);
      }
      out += fmt::format("\\u{:04x}", code);
    }
  }
  return out;
}

}  // namespace

std::string base64(std::string_view bytes) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::size_t left = bytes.size() - at;
    const auto byte = [&](std::size_t i) -> std::uint32_t {
      return i < left ? static_cast<unsigned char>(bytes[at + i]) : 0U;
    };
    const std::uint32_t bits = (byte(0) << 16U) | (byte(1) << 8U) | byte(2);
    for (std::size_t i = 0; i < 4; ++i) out += i > left ? '=' : kLetters[(bits >> (18 - 6 * i)) & 63U];
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view letters) {
  std::string out;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::size_t value = letters[i] == '=' ? 0 : kLetters.find(letters[i]);
    if (value == std::string_view::npos) return std::nullopt;
    bits = (bits << 6U) | static_cast<std::uint32_t>(value);
    if (i % 4 != 3) continue;
    for (const int shift : {16, 8, 0}) out += static_cast<char>((bits >> shift) & 0xffU);
    bits = 0;
  }
  const std::size_t padding = letters.ends_with("==") ? 2 : letters.ends_with('=') ? 1 : 0;
  if (out.size() < padding) return std::nullopt;
  out.resize(out.size() - padding);
  // Padding elsewhere, or letters that are no whole byte: another text.
  return base64(out) == letters ? std::optional(out) : std::nullopt;
}

std::string document_text(const Document& document) {
  std::string scripts;
  for (const std::string& script : document.scripts) scripts += " " + source_of(script);
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src " +
         source_of(document.style) + "; script-src" + (scripts.empty() ? std::string(" 'none'") : scripts) +
         "; base-uri 'none'; form-action 'none'\">\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  out += "<meta name=\"referrer\" content=\"no-referrer\">\n";
  out += "<title>" + escaped(document.title) + "</title>\n<style>";
  out += document.style;
  out += "</style>\n</head>\n<body>\n";
  out += document.body.str();
  if (!document.data.empty()) {
    out += "<script type=\"application/json\" id=\"data\">" + only_text(document.data) + "</script>\n";
  }
  for (std::size_t i = 0; i < document.scripts.size(); ++i) {
    out += i + 1 == document.scripts.size() ? "<script type=\"module\">" : "<script>";
    out += document.scripts[i];
    out += "</script>\n";
  }
  return out + "</body>\n</html>\n";
}

}  // namespace residue::page
