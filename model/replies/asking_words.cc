#include "model/replies/asking_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "base/digest.h"
#include "base/json.h"

namespace residue::model {
namespace {

constexpr std::size_t kMarkerBytes = 16;

// An answer of its own that quotes a tag somewhere is not cut there.
bool opens_json(std::string_view text) {
  return text.starts_with('{') || text.starts_with('[') || text.starts_with('`');
}

// The end of the object that begins at `open`: behind the brace that closes it; 0 where none does.
std::size_t object_end(std::string_view words, std::size_t open) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t at = open; at < words.size(); ++at) {
    const char c = words[at];
    if (quoted) {
      if (c == '\\') ++at;
      quoted = c != '"';
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return at + 1;
    }
  }
  return 0;
}

}  // namespace

std::string marker_line(const SpecDigest& spec, std::string_view text) {
  for (std::uint64_t round = 0;; ++round) {
    const std::string bytes =
        TaggedHash("residue.fence.v1").field("spec", spec).field("passage", text).field("round", round).bytes();
    std::string hex = to_hex(std::string_view(bytes).substr(0, kMarkerBytes));
    if (text.find(hex) == std::string_view::npos) return hex;
  }
}

std::string fenced(std::string_view what, const SpecDigest& spec, std::string_view text) {
  return fmt::format("{0}, between the marker lines {1}:\n{1}\n{2}\n{1}\n", what, marker_line(spec, text), text);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::string_view without_reasoning(std::string_view text) {
  constexpr std::string_view kThought = "</think>";
  text = trimmed(text);
  // Chat templates often put the opening tag into the prompt: then the answer has the closing one only.
  const std::size_t thought = text.find(kThought);
  const std::string_view first = text.substr(0, thought);
  if (thought == std::string_view::npos || (!text.starts_with("<think>") && opens_json(first))) return text;
  return trimmed(text.substr(thought + kThought.size()));
}

bool unfinished_reasoning(std::string_view content) {
  static constexpr std::pair<std::string_view, std::string_view> kTags[] = {
      {"<think>", "</think>"},         {"<thinking>", "</thinking>"}, {"<thought>", "</thought>"},
      {"<reasoning>", "</reasoning>"}, {"[think]", "[/think]"},       {"\u25c1think\u25b7", "\u25c1/think\u25b7"}};
  content = trimmed(content);
  if (content.find_first_of("<[\xE2") == std::string_view::npos) return false;
  std::string small(content);
  for (char& c : small) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const auto begins_line = [&](std::size_t at) {
    while (at > 0 && (small[at - 1] == ' ' || small[at - 1] == '\t')) --at;
    return at == 0 || small[at - 1] == '\n' || small[at - 1] == '>' || small[at - 1] == ']';
  };
  return std::ranges::any_of(kTags, [&](const auto& tag) {
    if (opens_json(content) && !small.starts_with(tag.first)) return false;
    const std::size_t open = small.rfind(tag.first), close = small.rfind(tag.second);
    if (open == std::string::npos || !begins_line(open)) return false;
    return close == std::string::npos || close < open;
  });
}

std::string_view unwrapped(std::string_view text) {
  text = without_reasoning(text);
  if (text.starts_with("```") && text.ends_with("```") && text.size() >= 6) {
    const std::size_t line = text.find('\n');
    if (line != std::string_view::npos && line < text.size() - 3) {
      text = trimmed(text.substr(line + 1, text.size() - 3 - line - 1));
    }
  }
  return text;
}

const Json* list_in(const Json& json, std::string_view key) {
  const Json* list = json.is_object() ? json.find(key) : &json;
  return list != nullptr && list->is_array() ? list : nullptr;
}

bool has_nul(const Json& json) {
  if (json.is_string()) return json.string().find('\0') != std::string::npos;
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) {
      if (key.find('\0') != std::string::npos || has_nul(value)) return true;
    }
  } else if (json.is_array()) {
    return std::ranges::any_of(json, has_nul);
  }
  return false;
}

std::string_view one_object_in(std::string_view words) {
  constexpr int kMostTries = 64;
  std::string_view found;
  std::size_t at = words.find('{');
  for (int tries = 0; at != std::string_view::npos; ++tries) {
    if (tries == kMostTries) return words;
    const std::size_t end = object_end(words, at);
    if (end > 0 && Json::parse(words.substr(at, end - at))) {
      if (!found.empty()) return words;
      found = words.substr(at, end - at);
    }
    at = words.find('{', end > 0 ? end : at + 1);
  }
  return found.empty() ? words : found;
}

}  // namespace residue::model
