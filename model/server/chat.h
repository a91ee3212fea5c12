// The chat-completions interface: bodies to send, replies to read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "model/server/endpoint.h"

namespace residue::model {

// The body of one request. An empty `system` message is left out. `schema`: what a strict answer has to look like, sent
// where the endpoint is asked in that form, its fields in their order (answer_schema.h); all other keys in byte order.
std::string chat_body(const Asking& asking, std::uint32_t sample, std::string_view system, std::string_view user,
                      const Json& schema);

// Of a text inside a JSON string, without its quotes. Of two texts of which the first ends in ASCII it is the sum.
std::size_t quoted_bytes(std::string_view text);

// The bodies of many requests that differ in sample and user message alone, each the same bytes as chat_body() gives:
// what they share is written out once.
class ChatBodies {
 public:
  ChatBodies(const Asking& asking, std::string_view system, const Json& schema);
  [[nodiscard]] std::string body(std::uint32_t sample, std::string_view user) const;

  // Of a body whose user message has so many bytes in JSON (quoted_bytes).
  [[nodiscard]] std::size_t bytes(std::uint32_t sample, std::size_t user_bytes) const;

 private:
  std::optional<std::int64_t> seed_;
  std::string before_user_, after_user_;  // up to the seed's number, if there is one
  std::string after_seed_;
};

// A request that used more is one that its server cannot count.
inline constexpr std::int64_t kMostTokens = 1'000'000'000;

// What a reply says, if it is a whole one: `problem` is empty and `content` the model's words. Otherwise `problem` says
// what is wrong with it, in words of ours: "truncated", "refused", "HTTP 200 with an error" ...
struct ChatReply {
  std::string content;
  std::string problem;
  std::string model, fingerprint;                     // as the server names them
  std::optional<std::int64_t> tokens_in, tokens_out;  // as the server counts them; nothing above kMostTokens
  std::optional<std::int64_t> tokens_read;            // of the prompt, with those that it counts apart (a cache's)
};
ChatReply read_chat(int status, std::string_view body);

// Whether a reply is none of a model's at all, of chat or completions: no JSON, an error, no choice. What stood between
// may be mended: it says nothing about what the model would answer.
bool no_completion(std::string_view body);

// The sample whose seed an answer is asked for with after `unusable` ones: the same seed may give the same answer.
constexpr std::uint32_t sample_after(std::uint32_t sample, std::uint32_t unusable) { return sample + 1'000 * unusable; }

// The server's reason in an error's body, fit to be printed: of its words those that such messages consist of, "..."
// for any other, and nothing after the second such, because servers repeat what was sent in many spellings. Empty if
// there is none.
std::string safe_reason(std::string_view body);

}  // namespace residue::model
