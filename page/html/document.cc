#include "page/html/document.h"

#include <cstdint>

#include "base/digest.h"

namespace residue::page {
namespace {

std::string source_of(std::string_view words) { return "'sha256-" + base64(sha256(words)) + "'"; }

std::string without_tags(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
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
    out += "<script type=\"application/json\" id=\"data\">" + without_tags(document.data) + "</script>\n";
  }
  for (std::size_t i = 0; i < document.scripts.size(); ++i) {
    out += i + 1 == document.scripts.size() ? "<script type=\"module\">" : "<script>";
    out += document.scripts[i];
    out += "</script>\n";
  }
  return out + "</body>\n</html>\n";
}

}  // namespace residue::page
