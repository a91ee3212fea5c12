#include "tests/stub/stub_rewrites.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace residue::stub {
namespace {

using Json = nlohmann::json;
using Pairs = std::vector<std::pair<std::string, std::string>>;

bool has(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

// The text between the marker lines behind the line that begins with `title`.
std::string text_under(const std::string& user, const std::string& title) {
  const std::size_t begin = user.find(title + ", ");
  if (begin == std::string::npos) return {};
  const std::size_t line = user.find('\n', begin) + 1;
  const std::string marker = user.substr(line, user.find('\n', line) - line);
  const std::size_t first = line + marker.size() + 1;
  return user.substr(first, user.find("\n" + marker, first) - first);
}

std::string replaced(std::string text, const Pairs& pairs) {
  for (const auto& [from, to] : pairs) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
      text.replace(at, from.size(), to);
    }
  }
  return text;
}

std::string pseudonymized(const std::string& text, bool strict, const std::string& behaviour) {
  static const Pairs kNames = {{"Ann", "Ruth"}, {"Bob", "Tom"}, {"Graz", "Linz"}, {"Oslo", "Bergen"}};
  Pairs done;
  for (const auto& one : kNames) {
    if (has(text, one.first) && !has(text, "about " + one.first)) done.push_back(one);
  }
  std::string now = replaced(text, done);
  if (behaviour == "other-words") now += " Thank you.";
  if (behaviour == "unlisted") done.clear();
  Json list = Json::array();
  std::string lines;
  for (const auto& [from, to] : done) {
    list.push_back({{"reason", "as the stub sees it"}, {"original", from}, {"replacement", to}});
    lines += from + " -> " + to + "\n";
  }
  if (strict) return Json{{"replacements", list}, {"text", now}}.dump();
  return "Sure, here it is.\n" + lines + (behaviour == "no-separator" ? "" : "#\n") + now;
}

// "now -> then" lines taken back, in any case of letters of the first.
std::string restored(const std::string& user) {
  Pairs pairs;
  const std::string lines = text_under(user, "Replacements");
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    const std::string line = lines.substr(at, end - at);
    const std::size_t arrow = line.find(" -> ");
    if (arrow != std::string::npos) pairs.emplace_back(line.substr(0, arrow), line.substr(arrow + 4));
    at = end + 1;
  }
  return replaced(text_under(user, "Text"), pairs);
}

}  // namespace

std::optional<std::string> rewrite_answer(const std::string& body, const std::string& behaviour) {
  const Json json = Json::parse(body, nullptr, false);
  const std::string user = json["messages"].back()["content"].get<std::string>();
  const std::string system = json["messages"].front()["content"].get<std::string>();
  const bool strict = has(system, "JSON");
  if (json["messages"].size() == 1) {
    if (!user.starts_with("Write ") && !user.starts_with("Which ")) return std::nullopt;
    return "Dear reader, " + user;
  }
  if (has(system, R"("original":"Ann")") || has(system, "original -> replacement")) {
    return pseudonymized(text_under(user, "Text"), strict, behaviour);
  }
  if (has(system, R"({"reason":"what you changed)") || has(system, "Answer with the whole text and nothing")) {
    const std::string text = restored(user);
    return strict ? Json{{"reason", "as the stub sees it"}, {"text", text}}.dump() : text;
  }
  if (has(system, R"("relevant":false})") || has(system, "relevant or irrelevant")) {
    const bool relevant = has(text_under(user, "Request"), "about " + text_under(user, "Entity"));
    if (strict) return Json{{"reason", "as the stub sees it"}, {"relevant", relevant}}.dump();
    return relevant ? "relevant" : "irrelevant";
  }
  return std::nullopt;
}

}  // namespace residue::stub
