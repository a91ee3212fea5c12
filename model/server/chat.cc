#include "model/server/chat.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "model/replies/answer_words.h"
#include "model/replies/asking_words.h"
#include "model/server/answer_schema.h"

namespace residue::model {
namespace {

constexpr std::size_t kMaxReasonBytes = 300;

template <class T>
void put(Json& body, const char* name, const std::optional<T>& value) {
  if (value) body[name] = *value;
}

const Json* find(const Json& object, const char* name) {
  if (!object.is_object()) return nullptr;
  const Json* found = object.find(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

std::string text(const Json& object, const char* name) {
  const Json* value = find(object, name);
  return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
}

// What no request can have used was not counted: sums and prices would be made of it.
std::optional<std::int64_t> count(const Json& object, const char* name) {
  const Json* value = find(object, name);
  if (value == nullptr || !value->is_unsigned()) return std::nullopt;
  const auto tokens = value->get<std::uint64_t>();
  if (tokens > static_cast<std::uint64_t>(kMostTokens)) return std::nullopt;
  return static_cast<std::int64_t>(tokens);
}

// How a server says that the model ended: OpenAI's words, and those of others.
enum class Ending { kWhole, kCut, kRefused, kOther };
Ending ending_of(std::string_view reason) {
  struct Said {
    const char* word;
    Ending ending;
  };
  constexpr Said kSaid[] = {
      {"stop", Ending::kWhole},
      {"eos", Ending::kWhole},
      {"eos_token", Ending::kWhole},
      {"stop_sequence", Ending::kWhole},
      {"stop_token", Ending::kWhole},
      {"end_turn", Ending::kWhole},
      {"end_of_turn", Ending::kWhole},
      {"complete", Ending::kWhole},
      {"length", Ending::kCut},
      {"max_tokens", Ending::kCut},
      {"max_output_tokens", Ending::kCut},
      {"max_length", Ending::kCut},
      {"model_length", Ending::kCut},
      {"model_context_window_exceeded", Ending::kCut},
      {"content_filter", Ending::kRefused},
      {"refusal", Ending::kRefused},
      {"safety", Ending::kRefused},
      {"recitation", Ending::kRefused},
      {"prohibited_content", Ending::kRefused},
  };
  const std::string said = lower(reason);
  const auto* found = std::ranges::find(kSaid, said, &Said::word);
  return found == std::end(kSaid) ? Ending::kOther : found->ending;
}

// OpenAI's prompt_tokens have what came from a cache in them; where they are fewer than that, or under Anthropic's
// names, it is counted apart.
std::optional<std::int64_t> tokens_read(const Json& usage) {
  const std::optional<std::int64_t> tokens = count(usage, "prompt_tokens");
  if (!tokens) return std::nullopt;
  const Json* details = find(usage, "prompt_tokens_details");
  const std::int64_t cached = details == nullptr ? 0 : count(*details, "cached_tokens").value_or(0);
  return *tokens + (cached > *tokens ? cached : 0) + count(usage, "cache_read_input_tokens").value_or(0) +
         count(usage, "cache_creation_input_tokens").value_or(0);
}

// What has to be paid of an answer: some servers leave out of completion_tokens what the model thought, and say it in
// the details or in the sum alone. The greatest counts.
std::optional<std::int64_t> tokens_made(const Json& usage, const std::optional<std::int64_t>& read) {
  std::optional<std::int64_t> made = count(usage, "completion_tokens");
  if (find(usage, "completion_tokens") != nullptr && !made) return made;
  if (const Json* details = find(usage, "completion_tokens_details")) {
    const std::int64_t thought = count(*details, "reasoning_tokens").value_or(0);
    if (thought > made.value_or(0)) made = made.value_or(0) + thought;
  }
  const std::optional<std::int64_t> total = count(usage, "total_tokens");
  if (total && read && *total - *read > made.value_or(0)) made = *total - *read;
  return made;
}

// A prompt that is not empty has a token, and so has an answer: a server that says 0, or fewer, has not counted. The
// price of a request is not taken from such a count.
void read_usage(const Json& usage, ChatReply& reply) {
  reply.tokens_read = tokens_read(usage);
  const std::optional<std::int64_t> in = count(usage, "prompt_tokens");
  if (find(usage, "prompt_tokens") != nullptr && in.value_or(0) == 0) return;
  reply.tokens_in = in;
  reply.tokens_out = tokens_made(usage, reply.tokens_read);
}

// The words of a message: a text, or a list of parts of which those that the model thought are passed over. Nothing: it
// is neither, or has a part of another kind.
std::optional<std::string> words_of(const Json& content) {
  if (content.is_string()) return content.get<std::string>();
  if (!content.is_array()) return std::nullopt;
  std::string words;
  for (const Json& part : content) {
    const std::string type = text(part, "type");
    if (type == "thinking" || type == "reasoning" || type == "redacted_thinking") continue;
    const Json* said = find(part, "text");
    if ((type != "text" && type != "output_text") || said == nullptr || !said->is_string()) return std::nullopt;
    words += said->get<std::string>();
  }
  return words;
}

ChatReply unusable(ChatReply reply, const char* why) {
  reply.problem = why;
  reply.content.clear();
  return reply;
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) > 127;
}

// Words that say nothing about anybody.
bool is_common(std::string_view word) {
  static constexpr std::string_view kWords =
      " a access an and api are argument authentication bad be body by code completion context disabled does effort "
      "error "
      "exceeded "
      "exist expected extra field for format found has have image in incorrect input inputs integer internal invalid "
      "is it json key "
      "length "
      "limit max maximum message messages missing model must no not number object of on or parameter parameters "
      "penalty "
      "permission permitted please provided quota range reasoning request required response schema seed server string "
      "such "
      "support "
      "supported system temperature the this to token tokens too top type unauthorized unexpected unknown unrecognized "
      "unsupported user value was with you your ";
  return kWords.find(fmt::format(" {} ", word)) != std::string_view::npos;
}

}  // namespace

std::string chat_body(const Asking& asking, std::uint32_t sample, std::string_view system, std::string_view user,
                      const Json& schema) {
  Json messages = Json::array();
  if (!system.empty()) messages.push_back({{"content", system}, {"role", "system"}});
  messages.push_back({{"content", user}, {"role", "user"}});
  Json body = {{"model", asking.model}, {"messages", std::move(messages)}, {"stream", false}};
  put(body, "temperature", asking.temperature);
  put(body, "top_p", asking.top_p);
  put(body, "presence_penalty", asking.presence_penalty);
  put(body, "frequency_penalty", asking.frequency_penalty);
  put(body, "max_tokens", asking.max_tokens);
  put(body, "max_completion_tokens", asking.max_completion_tokens);
  put(body, "reasoning_effort", asking.reasoning_effort);
  if (asking.seed) body[asking.random_seed ? "random_seed" : "seed"] = *asking.seed + sample;
  for (const auto& [name, value] : asking.body) body[name] = Json::parse(value).value_or(Json());
  if (asking.form == AnswerForm::kSchema) {
    body["response_format"] = {
        {"json_schema", {{"name", "answer"}, {"schema", schema_as_sent(schema)}, {"strict", true}}},
        {"type", "json_schema"}};
  } else if (asking.form == AnswerForm::kObject) {
    body["response_format"] = {{"type", "json_object"}};
  }
  std::ranges::sort(body.items(), {}, &Json::Member::key);  // not what is below: schemas mean their order
  return body.dump();
}

ChatBodies::ChatBodies(const Asking& asking, std::string_view system, const Json& schema) : seed_(asking.seed) {
  // Where two bodies that differ in one byte begin to differ is where that byte stands, whatever else they hold.
  const auto written = [&](std::int64_t seed, const char* user) {
    Asking one = asking;
    if (seed_) one.seed = seed;
    return chat_body(one, 0, system, user, schema);
  };
  const auto difference = [](const std::string& a, const std::string& b) {
    return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  };
  const std::string whole = written(1, "1");
  const std::size_t user = difference(whole, written(1, "2"));
  before_user_ = whole.substr(0, user);
  after_user_ = whole.substr(user + 1);
  if (!seed_) return;
  const std::size_t seed = difference(whole, written(2, "1"));
  if (seed < user) throw Error(Code::kInternal, "a seed before the message", "please report this");
  after_seed_ = whole.substr(seed + 1);
  after_user_ = whole.substr(user + 1, seed - user - 1);
}

std::size_t quoted_bytes(std::string_view text) { return Json(text).dump().size() - 2; }

std::size_t ChatBodies::bytes(std::uint32_t sample, std::size_t user_bytes) const {
  return before_user_.size() + user_bytes + after_user_.size() + (seed_ ? std::to_string(*seed_ + sample).size() : 0) +
         after_seed_.size();
}

std::string ChatBodies::body(std::uint32_t sample, std::string_view user) const {
  const std::string quoted = Json(user).dump();
  std::string body;
  body.reserve(before_user_.size() + quoted.size() + after_user_.size() + after_seed_.size() + 20);
  body += before_user_;
  body.append(quoted, 1, quoted.size() - 2);
  body += after_user_;
  if (seed_) body += std::to_string(*seed_ + sample);
  body += after_seed_;
  return body;
}

ChatReply read_chat(int status, std::string_view body) {
  ChatReply reply;
  if (status == 0) return unusable(reply, "no reply");
  if (body.empty()) return unusable(reply, "an empty reply");
  bool repeated = false;
  const Json json = Json::parse(body, repeated).value_or(Json());
  if (!json.is_object()) return unusable(reply, "the reply is not JSON");
  reply.model = text(json, "model");
  reply.fingerprint = text(json, "system_fingerprint");
  if (const Json* usage = find(json, "usage")) read_usage(*usage, reply);
  if (find(json, "error") != nullptr) return unusable(reply, "a success with an error in it");
  if (status < 200 || status > 299) return unusable(reply, "not a success");
  if (repeated) return unusable(reply, "a key is given twice in the reply");
  const Json* choices = find(json, "choices");
  if (choices == nullptr || !choices->is_array() || choices->empty()) return unusable(reply, "no choice");
  const Json& choice = choices->front();
  const Json* message = find(choice, "message");
  if (message == nullptr) return unusable(reply, "no message");
  if (find(*message, "refusal") != nullptr) return unusable(reply, "refused");
  const Ending ending = ending_of(text(choice, "finish_reason"));
  if (ending == Ending::kCut) return unusable(reply, "truncated");
  if (ending == Ending::kRefused) return unusable(reply, "refused");
  if (ending != Ending::kWhole) return unusable(reply, "it did not stop by itself");
  const Json* content = find(*message, "content");
  std::optional<std::string> words = content == nullptr ? std::nullopt : words_of(*content);
  if (!words) return unusable(reply, "no content");
  reply.content = std::move(*words);
  if (reply.content.empty()) return unusable(reply, "empty content");
  if (unfinished_reasoning(reply.content)) return unusable(reply, "its reasoning has no end");
  if (reply.tokens_out == 0) reply.tokens_out.reset();
  return reply;
}

bool no_completion(std::string_view body) {
  const Json json = Json::parse(body).value_or(Json());
  if (!json.is_object() || find(json, "error") != nullptr) return true;
  const Json* choices = find(json, "choices");
  if (choices == nullptr || !choices->is_array() || choices->empty()) return true;
  const Json& choice = choices->front();
  const Json* message = find(choice, "message");
  return message != nullptr && message->is_object() && message->empty() && find(choice, "finish_reason") == nullptr;
}

std::string safe_reason(std::string_view body) {
  Json json = Json::parse(body).value_or(Json());
  if (json.is_array() && json.size() == 1) json = Json(json.front());  // Google's
  std::string message;
  if (const Json* error = find(json, "error")) {
    message = error->is_string() ? error->get<std::string>() : text(*error, "message");
  } else if (const Json* detail = find(json, "detail"); detail != nullptr && detail->is_array() && !detail->empty()) {
    message = text(detail->front(), "msg");  // Mistral's, which says where besides
    if (const Json* place = find(detail->front(), "loc"); place != nullptr && place->is_array()) {
      for (const Json& part : *place) message += part.is_string() ? " " + part.string() : std::string();
    }
  }
  // A server may repeat a text in any spelling: only words that say nothing about anybody are shown, and where two
  // others have come, nothing more is.
  std::string out;
  std::size_t masked = 0;
  for (std::size_t at = 0; at < message.size() && masked < 2 && out.size() < kMaxReasonBytes;) {
    std::size_t end = at;
    while (end < message.size() && is_word(message[end])) ++end;
    if (end == at) {
      const char c = message[at++];
      const bool shown = std::string_view(" .,:;'()-").find(c) != std::string_view::npos;
      if (shown || out.empty() || out.back() != ' ') out.push_back(shown ? c : ' ');
      continue;
    }
    const std::string_view word = std::string_view(message).substr(at, end - at);
    if (is_common(lower(word))) {
      out += word;
    } else {
      out += "...";
      ++masked;
    }
    at = end;
  }
  return out;
}

}  // namespace residue::model
