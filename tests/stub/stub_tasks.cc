#include "tests/stub/stub_tasks.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "tests/stub/stub_answers.h"
#include "tests/stub/stub_rewrites.h"

namespace residue::stub {
namespace {

using Json = nlohmann::json;

std::vector<std::string> sentences(const std::string& text) {
  std::vector<std::string> all;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(". ", begin), text.size() - 1);
    all.push_back(text.substr(begin, end + 1 - begin));
    begin = end + 2;
  }
  return all;
}

std::vector<float> vector_of(const std::string& text, std::size_t dimensions) {
  std::vector<float> values(dimensions, 0.01F);
  std::size_t hash = 0;
  bool word = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const unsigned char c = i < text.size() ? static_cast<unsigned char>(text[i] | 0x20) : 0;
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      hash = hash * 31 + c;
      word = true;
    } else if (word) {
      values[hash % dimensions] += 1;
      hash = 0;
      word = false;
    }
  }
  return values;
}

std::string base64(const std::vector<float>& values) {
  static const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) bits = bits << 8U | (i + j < bytes.size() ? bytes[i + j] & 0xFFU : 0U);
    for (std::size_t j = 0; j < 4; ++j) {
      out.push_back(i + j > bytes.size() ? '=' : kDigits[bits >> (18 - 6 * j) & 63U]);
    }
  }
  return out;
}

std::string categories(const std::string& text, bool strict, const std::string& behaviour) {
  std::vector<std::string> all;
  if (text.find_first_of("0123456789") != std::string::npos) all.emplace_back("Age");
  if (text.find("repairs") != std::string::npos) all.emplace_back("Occupation");
  if (behaviour == "unknown-category") all.emplace_back("Shoe_Size");
  if (strict) return Json{{"categories", all}}.dump();
  std::string words;
  for (const std::string& one : all) words += (words.empty() ? "" : ", ") + one;
  return words.empty() ? "None." : words;
}

}  // namespace

std::optional<std::string> text_answer(const std::string& body, const std::string& text, const std::string& behaviour) {
  const Json json = Json::parse(body, nullptr, false);
  if (!json.is_object() || !json.contains("messages")) return std::nullopt;
  const std::string user = json["messages"].back()["content"].get<std::string>();
  const std::string system = json["messages"].front()["content"].get<std::string>();
  if (auto answer = task_answer(body, text, behaviour)) {
    return text.find("UNSPEAKABLE") == std::string::npos ? std::move(answer) : "";
  }
  if (auto answer = rewrite_answer(body, behaviour)) {
    return body.find("UNSPEAKABLE") == std::string::npos ? std::move(answer) : "";
  }
  const bool claims = user.starts_with("Text, ");
  if (!claims && !user.starts_with("Statement, ")) return std::nullopt;
  if (text.find("UNSPEAKABLE") != std::string::npos) return "";
  if (behaviour == "sorry") return "I'm sorry, but I can't help with that.";
  const bool strict = system.find("JSON") != std::string::npos;
  if (system.find("\nCategories:\n") != std::string::npos) return categories(text, strict, behaviour);
  if (!claims) {
    const std::string words = "Somebody says: " + text;
    return strict ? Json{{"paraphrase", words}}.dump() : words;
  }
  const std::vector<std::string> all = behaviour == "no-claims" ? std::vector<std::string>() : sentences(text);
  if (strict && behaviour != "numbered") return Json{{"claims", all}}.dump();
  std::string lines = "Here are the claims:\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    lines += (behaviour == "numbered" ? std::to_string(i + 1) + ". " : std::string("- ")) + all[i] + "\n";
  }
  return lines;
}

bool is_embedding(const std::string& body) {
  const Json json = Json::parse(body, nullptr, false);
  return json.is_object() && json.contains("input");
}

std::string embeddings_reply(const std::string& body, const std::string& behaviour) {
  const Json json = Json::parse(body);
  const auto texts = json["input"].get<std::vector<std::string>>();
  std::size_t dimensions = json.value("dimensions", std::size_t{8});
  if (behaviour == "wrong-dimension") ++dimensions;
  Json data = Json::array();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::vector<float> values = vector_of(texts[i], dimensions);
    Json one = {{"object", "embedding"}, {"index", i}, {"embedding", values}};
    if (behaviour == "base64") one["embedding"] = base64(values);
    if (behaviour == "infinite") one["embedding"][0] = 1e300;
    if (behaviour == "zero-vector") one["embedding"] = std::vector<float>(dimensions, 0.0F);
    if (behaviour == "word-vector") one["embedding"][0] = "0.5";
    if (behaviour == "no-index") one.erase("index");
    if (behaviour == "index-twice") one["index"] = 0;
    data.push_back(std::move(one));
  }
  if (behaviour == "fewer-vectors") data.erase(data.size() - 1);
  if (behaviour == "shuffled") std::reverse(data.begin(), data.end());
  std::string reply = Json{{"object", "list"},
                           {"data", data},
                           {"model", "stub-model"},
                           {"usage", {{"prompt_tokens", 100}, {"total_tokens", 100}}}}
                          .dump();
  if (behaviour == "nan") reply.insert(reply.find("\"embedding\":[") + 13, "NaN,");
  return reply;
}

}  // namespace residue::stub
