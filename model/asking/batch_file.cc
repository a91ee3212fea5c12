#include "model/asking/batch_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include "base/digest.h"
#include "base/error.h"
#include "base/json.h"
#include "model/limits/read_whole.h"
#include "storage/disk/files.h"
#include "storage/facts/facts.h"

namespace residue::model {
namespace {

constexpr std::size_t kMaxCode = 40;
constexpr std::size_t kMaxDepth = 64;  // the library writes nested values by recursion

const Json* member(const Json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const Json* found = object.find(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

constexpr std::size_t kBits = 5;
constexpr std::string_view kDigits32 = "abcdefghijklmnopqrstuvwxyz234567";
constexpr std::size_t kLength32 = (8 * kDigestBytes + kBits - 1) / kBits;
constexpr std::string_view kDigits16 = "0123456789abcdef";

// Of 64 hexadecimal digits there is room for nothing else, so with a length the key is written in base 32.
std::string base32(std::string_view bytes) {
  std::string digits;
  unsigned held = 0;
  std::size_t bits = 0;
  for (const char c : bytes) {
    held = held << 8U | static_cast<unsigned char>(c);
    for (bits += 8; bits >= kBits; bits -= kBits) digits += kDigits32[held >> (bits - kBits) & 31U];
    held &= 31U;
  }
  if (bits > 0) digits += kDigits32[held << (kBits - bits) & 31U];
  return digits;
}

// The bytes of digits of `bits` bits each, in either case; nothing for anything else.
std::optional<VoteKey> key_of(std::string_view text, std::string_view digits, std::size_t bits) {
  std::string bytes;
  unsigned held = 0;
  std::size_t holds = 0;
  for (const char c : text) {
    const std::size_t value = digits.find(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
    if (value == std::string_view::npos) return std::nullopt;
    held = held << bits | static_cast<unsigned>(value);
    holds += bits;
    if (holds < 8) continue;
    holds -= 8;
    bytes += static_cast<char>(held >> holds);
    held &= (1U << holds) - 1;
  }
  if (bytes.size() != kDigestBytes || held != 0) return std::nullopt;
  return VoteKey(bytes);
}

// The vote key, and the number that stands behind it unless the file is of an older version; nothing for anything else.
std::optional<VoteKey> vote_of(std::string_view id, std::uint64_t& least_tokens) {
  if (id.size() < kLength32 + 2 || id[kLength32] != '-') return key_of(id, kDigits16, 4);
  const std::string_view number = id.substr(kLength32 + 1);
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), least_tokens);
  if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
  return key_of(id.substr(0, kLength32), kDigits32, kBits);
}

std::size_t after_string(std::string_view json, std::size_t at) {
  for (++at; json[at] != '"'; ++at) {
    if (json[at] == '\\') ++at;
  }
  return at + 1;
}

std::size_t after_space(std::string_view json, std::size_t at) {
  while (at < json.size() && (json[at] == ' ' || json[at] == '\t' || json[at] == '\r' || json[at] == '\n')) ++at;
  return at;
}

std::size_t after_value(std::string_view json, std::size_t at) {
  if (json[at] == '"') return after_string(json, at);
  std::size_t depth = 0;
  while (at < json.size()) {
    const char c = json[at];
    if (c == '"') {
      at = after_string(json, at);
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}' || c == ']')) return at;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at + 1;
    ++at;
  }
  return at;
}

// Whether brackets outside of strings are nested deeper than anybody means. `json` may be anything.
bool too_deep(std::string_view json) {
  std::size_t depth = 0;
  bool quoted = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (quoted) {
      if (c == '\\') ++at;
      quoted = c != '"';
      continue;
    }
    quoted = c == '"';
    if ((c == '{' || c == '[') && ++depth > kMaxDepth) return true;
    if ((c == '}' || c == ']') && depth > 0) --depth;
  }
  return false;
}

// The bytes of a member's value in the text of an object, which is known to be JSON: a reply is kept as it came, and
// not as a library writes it again. Of repeated names the last, as the parser has it.
std::string_view slice(std::string_view object, std::string_view name) {
  std::string_view found;
  std::size_t at = after_space(object, 0) + 1;
  while ((at = after_space(object, at)) < object.size() && object[at] == '"') {
    const std::size_t end = after_string(object, at);
    const std::string_view key = object.substr(at + 1, end - at - 2);
    const std::size_t value = after_space(object, after_space(object, end) + 1);
    at = after_value(object, value);
    if (key == name) {
      found = object.substr(value, at - value);
      while (!found.empty() && static_cast<unsigned char>(found.back()) <= ' ') found.remove_suffix(1);
    }
    at = after_space(object, at);
    if (at < object.size() && object[at] == ',') ++at;
  }
  return found;
}

std::string body_of(const Json& value, std::string_view raw) {
  if (value.is_string()) return value.get<std::string>();
  return raw.empty() ? value.sorted().dump() : std::string(raw);  // a name that is written with escapes is not found
}

// The code of an error, if it is a word of a protocol and no text.
std::string error_words(const Json& error) {
  const Json* code = member(error, "code");
  if (code == nullptr || !code->is_string()) return "an error";
  const auto word = code->get<std::string>();
  const bool plain = !word.empty() && word.size() <= kMaxCode && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
  return plain ? "error " + word : "an error";
}

void read_reply(const Json& json, std::string_view line, BatchAnswer& answer) {
  const auto read_status = [&answer](const Json& at) {
    const Json* status = member(at, "status_code");
    if (status != nullptr && status->is_integer() && status->integer() >= 100 && status->integer() <= 999) {
      answer.status = status->get<int>();
    }
  };
  if (const Json* response = member(json, "response"); response != nullptr && response->is_object()) {
    read_status(*response);
    const std::string_view raw = slice(line, "response");
    if (const Json* body = member(*response, "body")) {
      answer.body = body_of(*body, slice(raw, "body"));
    } else if (member(*response, "choices") != nullptr) {
      answer.body = std::string(raw);
    }
  } else if (const Json* body = member(json, "body")) {
    read_status(json);
    answer.body = body_of(*body, slice(line, "body"));
  } else if (member(json, "choices") != nullptr) {
    read_status(json);
    answer.body = std::string(line);
  }
}

std::string without_id(std::string_view reply) {
  if (too_deep(reply)) return std::string(reply);
  Json json = Json::parse(reply).value_or(Json());
  if (!json.is_object()) return std::string(reply);
  json.erase("custom_id");
  return json.sorted().dump();
}

}  // namespace

std::string batch_line(const VoteKey& vote, std::string_view body) {
  return fmt::format(R"({{"custom_id":"{}-{}","method":"POST","url":"/v1/chat/completions","body":{}}})"
                     "\n",
                     base32(vote.bytes()), least_tokens_of(body), body);
}

BatchAnswer read_batch_line(std::string_view line) {
  BatchAnswer answer;
  const auto none = [&answer](const char* problem) {
    answer.problem = problem;
    return answer;
  };
  if (too_deep(line)) return none("nested too deeply");
  const Json json = Json::parse(line).value_or(Json());
  if (!json.is_object()) return none("not a JSON object");
  const Json* id = member(json, "custom_id");
  if (id == nullptr || !id->is_string()) return none("no custom_id");
  const Json* body = member(json, "body");
  if (member(json, "method") != nullptr || (body != nullptr && member(*body, "messages") != nullptr)) {
    return none("a request, not an answer");
  }
  answer.vote = vote_of(id->get<std::string>(), answer.least_tokens);
  read_reply(json, line, answer);
  const Json* error = member(json, "error");
  if (answer.status < 200 || answer.status > 299) {
    answer.failed = true;
    answer.reason = fmt::format("HTTP {}", answer.status);
  } else if (answer.body.empty()) {
    answer.failed = true;
    answer.reason = error != nullptr ? error_words(*error) : "no reply in it";
  }
  if (answer.failed) {
    answer.line = sha256(json.sorted().dump());
  }
  return answer;
}

bool same_reply(std::string_view a, std::string_view b) { return a == b || without_id(a) == without_id(b); }

BatchWriter::BatchWriter(std::filesystem::path folder, std::uint64_t lines_per_file)
    : folder_(std::move(folder)), lines_per_file_(std::min(lines_per_file, kBatchLines)) {
  std::error_code failed;
  if (!std::filesystem::exists(folder_, failed)) storage::make_private_directory(folder_);
  std::filesystem::directory_iterator entries(folder_, failed);
  if (failed) {
    throw Error(Code::kUsage, fmt::format("{} is not a folder that can be read", folder_.string()),
                "name another with -o");
  }
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    // What a process that was killed left.
    if (name.starts_with(".part-") && name.ends_with(".tmp")) std::filesystem::remove(entry.path(), failed);
    if (!name.starts_with("part-") || !name.ends_with(".jsonl")) continue;
    throw Error(Code::kUsage, fmt::format("{} has parts of an earlier export", folder_.string()),
                "name another folder, so that two exports do not mix");
  }
}

BatchWriter::~BatchWriter() {
  if (published_) return;
  std::error_code failed;
  for (const BatchFile& file : files_) std::filesystem::remove(temporary(file.name), failed);
}

std::filesystem::path BatchWriter::temporary(const std::string& name) const { return folder_ / ("." + name + ".tmp"); }

void BatchWriter::add(std::string_view line) {
  if (line.size() > kBatchBytes) {
    throw Error(Code::kBadInput, fmt::format("a request of {} bytes is larger than a batch file may be", line.size()),
                "let residue eval ask for it");
  }
  if (open_lines_ == lines_per_file_ || open_.size() + line.size() > kBatchBytes) close_file();
  open_.append(line);
  ++open_lines_;
}

void BatchWriter::close_file() {
  if (open_lines_ == 0) return;
  files_.push_back({fmt::format("part-{:05}.jsonl", files_.size() + 1), open_lines_, open_.size()});
  storage::write_new_file(temporary(files_.back().name), open_);
  open_.clear();
  open_lines_ = 0;
}

const std::vector<BatchFile>& BatchWriter::publish() {
  close_file();
  for (const BatchFile& file : files_) {
    std::error_code failed;
    std::filesystem::rename(temporary(file.name), folder_ / file.name, failed);
    if (failed) {
      throw Error(Code::kIo, fmt::format("cannot name {}: {}", (folder_ / file.name).string(), failed.message()),
                  "check the folder and its permissions");
    }
  }
  storage::sync_path(folder_);
  published_ = true;
  return files_;
}

}  // namespace residue::model
