#include "model/server/embeddings.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <utility>

#include "base/json.h"
#include "model/server/chat.h"

namespace residue::model {
namespace {

// Nothing for what is no base64 of whole singles.
std::optional<std::vector<float>> decode_base64(std::string_view text) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int value = c >= 'A' && c <= 'Z'   ? c - 'A'
                      : c >= 'a' && c <= 'z' ? c - 'a' + 26
                      : c >= '0' && c <= '9' ? c - '0' + 52
                      : c == '+'             ? 62
                      : c == '/'             ? 63
                                             : -1;
    if (value < 0) return std::nullopt;
    bits = bits << 6U | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(bits >> static_cast<unsigned>(count)));
  }
  if (bytes.empty() || bytes.size() % sizeof(float) != 0) return std::nullopt;
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// Nothing for anything but a vector.
std::optional<std::vector<float>> values_of(const Json& embedding) {
  if (embedding.is_string()) return decode_base64(embedding.string());
  if (!embedding.is_array() || embedding.empty()) return std::nullopt;
  std::vector<float> values;
  values.reserve(embedding.size());
  for (const Json& value : embedding) {
    if (!value.is_number()) return std::nullopt;
    values.push_back(static_cast<float>(value.get<double>()));
  }
  return values;
}

std::string fault_of(const std::vector<float>& values, std::size_t dimension) {
  if (dimension != 0 && values.size() != dimension) {
    return fmt::format("{} dimensions where {} are expected", values.size(), dimension);
  }
  bool direction = false;
  for (const float value : values) {
    if (!std::isfinite(value)) return "a value that is not finite";
    direction = direction || value != 0;
  }
  return direction ? "" : "a vector without a direction";
}

EmbeddingsReply unusable(EmbeddingsReply reply, std::string why) {
  reply.vectors.clear();
  reply.problem = std::move(why);
  return reply;
}

}  // namespace

const std::string& prefix_of(const Embedding& embedding, Side side) {
  return side == Side::kQuery ? embedding.query_prefix : embedding.passage_prefix;
}

std::string embedding_spec(const Embedding& embedding, Side side) {
  Json spec = *Json::parse(embedding_json(embedding));
  spec.erase("query_prefix");
  spec.erase("passage_prefix");
  spec["prefix"] = prefix_of(embedding, side);
  return spec.sorted().dump();
}

std::string embeddings_body(const Embedding& embedding, Side side, std::span<const std::string> texts) {
  Json body = {{"model", embedding.model}, {"encoding_format", "float"}, {"input", Json::array()}};
  if (embedding.dimensions) body["dimensions"] = *embedding.dimensions;
  for (const std::string& text : texts) body["input"].push_back(prefix_of(embedding, side) + text);
  return body.sorted().dump();
}

EmbeddingsReply read_embeddings(int status, std::string_view body, std::size_t texts, std::size_t dimension) {
  EmbeddingsReply reply;
  bool repeated = false;
  const Json json = Json::parse(body, repeated).value_or(Json());
  if (!json.is_object()) {
    // Some servers write NaN or Infinity, which JSON has not.
    const bool nan = body.find("NaN") != std::string_view::npos || body.find("Infinity") != std::string_view::npos;
    return unusable(reply, nan ? "a value that is not finite" : "the reply is not JSON");
  }
  const ChatReply counted = read_chat(status, body);
  reply.tokens = counted.tokens_in;
  reply.tokens_read = counted.tokens_read;
  if (json.contains("error") && !json["error"].is_null()) return unusable(reply, "a success with an error in it");
  if (status < 200 || status > 299) return unusable(reply, "not a success");
  if (repeated) return unusable(reply, "a key is given twice in the reply");
  const Json* data = json.find("data");
  if (data == nullptr || !data->is_array()) return unusable(reply, "no list of vectors");
  if (data->size() != texts) {
    return unusable(reply, fmt::format("{} vectors for {} texts", data->size(), texts));
  }
  reply.vectors.resize(texts);
  for (const Json& one : *data) {
    if (!one.is_object() || !one.contains("index") || !one.contains("embedding")) {
      return unusable(reply, "a vector without its index");
    }
    const Json& index = one["index"];
    if (!index.is_unsigned() || index.get<std::size_t>() >= texts)
      return unusable(reply, "an index that is none of the texts'");
    std::vector<float>& place = reply.vectors[index.get<std::size_t>()];
    if (!place.empty()) return unusable(reply, "an index that is there twice");
    auto values = values_of(one["embedding"]);
    if (!values) return unusable(reply, "a vector that is no list of numbers");
    if (dimension == 0) dimension = values->size();
    if (std::string fault = fault_of(*values, dimension); !fault.empty()) return unusable(reply, std::move(fault));
    place = *std::move(values);
  }
  return reply;
}

}  // namespace residue::model
