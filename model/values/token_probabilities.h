// How probable a language model finds the words of a text, each behind those before it: the completions interface with
// `echo`, which gives the log-probabilities of the prompt's own tokens.
//
//   prompts ─> saved replies ─(not there)─> /v1/completions ─> saved ─> tokens with their places and probabilities
//
// OpenAI's older interface, as vLLM and llama-cpp-python offer it. A server that does not know `echo`, or gives no
// probabilities of the prompt, gives no usable answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "model/asking/asker.h"

namespace residue::model {

// Bytes [begin, end) of the prompt, and ln P behind all tokens before them; nothing where the server gave none, as it
// does for the first.
struct PromptToken {
  std::size_t begin = 0, end = 0;
  std::optional<double> log;
};

struct PromptTokens {
  std::vector<PromptToken> tokens;  // together the prompt; where characters are cut, several have the same place
  std::string problem;              // why the reply cannot be used, in words of ours
};

// Everything that an answer depends on but the prompt: canonical JSON.
std::string probabilities_spec(const Asking& asking);
std::string probabilities_body(const Asking& asking, std::string_view prompt);

PromptTokens read_probabilities(int status, std::string_view body, std::string_view prompt);

// The probability of bytes [begin, end): the product of those of the tokens that have any of them (ZSTS). Nothing where
// one has none.
std::optional<double> probability_of(std::span<const PromptToken> tokens, std::size_t begin, std::size_t end);

// Asks one endpoint about texts of one dataset; what was answered is never asked again.
class ProbabilityAsker {
 public:
  // Error{usage} for an endpoint that makes vectors.
  ProbabilityAsker(storage::Store& store, Endpoint endpoint, std::string dataset, AskSession& session);

  // By prompt; without a usable answer `problem` says why ("no reply": nobody gave one). Throws as model::ask().
  // `texts`: for each prompt the text that it is of, or of all together nothing.
  std::vector<PromptTokens> ask(std::span<const std::string> prompts, std::span<const std::string_view> texts = {});

  // What is known of one prompt, without asking; nothing while more would be asked.
  [[nodiscard]] std::optional<PromptTokens> known(const storage::Facts::Reader& reader, std::string_view prompt) const;

  [[nodiscard]] VoteKey vote(std::string_view prompt) const;
  [[nodiscard]] std::string body(std::string_view prompt) const { return probabilities_body(endpoint_.asking, prompt); }
  [[nodiscard]] const Endpoint& endpoint() const { return endpoint_; }
  [[nodiscard]] const std::string& spec() const { return spec_; }
  [[nodiscard]] const SpecDigest& digest() const { return digest_; }

 private:
  struct Found {
    PromptTokens read;  // of the first usable reply, or the problem of the last one
    std::uint32_t unusable = 0, last = 0;
    bool settled = false;
  };
  [[nodiscard]] Found look_up(const storage::Facts::Reader& reader, std::string_view prompt) const;
  [[nodiscard]] std::vector<Question> open_questions(std::span<const std::string> prompts, std::uint64_t& left) const;

  storage::Store& store_;
  const Endpoint endpoint_;
  const std::string dataset_;
  AskSession& session_;
  const std::string spec_;
  const SpecDigest digest_;
};

}  // namespace residue::model
