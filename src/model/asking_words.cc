#include "model/asking_words.h"

#include <nlohmann/json.hpp>
#include <set>

#include "model/digest.h"
#include "storage/files.h"

namespace residue::model {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMarkerBytes = 16;

// An answer of its own that quotes a tag somewhere is not cut there.
bool opens_json(std::string_view text) {
  return text.starts_with('{') || text.starts_with('[') || text.starts_with('`');
}

}  // namespace

std::string marker_line(std::string_view spec, std::string_view text) {
  for (std::uint64_t round = 0;; ++round) {
    const std::string bytes =
        Digest("residue.fence.v1").field("spec", spec).field("passage", text).field("round", round).bytes();
    std::string hex = storage::to_hex(std::string_view(bytes).substr(0, kMarkerBytes));
    if (text.find(hex) == std::string_view::npos) return hex;
  }
}

std::string fenced(std::string_view what, std::string_view spec, std::string_view text) {
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

Json parse_once(std::string_view text, bool& repeated) {
  std::vector<std::set<std::string>> open;
  const auto watch = [&](int /*depth*/, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::object_start) open.emplace_back();
    if (event == Json::parse_event_t::object_end) open.pop_back();
    if (event == Json::parse_event_t::key) {
      repeated = !open.back().insert(value.get<std::string>()).second || repeated;
    }
    return true;
  };
  return Json::parse(text, watch, false);
}

}  // namespace residue::model
