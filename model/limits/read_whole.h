// Whether a model can have read all of a prompt, by what its server counted: a judge who saw the end of a text alone
// says that the rest does not support a claim, and a leak looks private.
//
//   prompt ─> least_tokens ─┐
//   reply ─> prompt_tokens ─┴─> fewer than it must have, or no more than a shorter prompt has: not read whole
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"

namespace residue::model {

inline constexpr char kUnread[] = "the model did not read all of the prompt";
inline constexpr char kTooLong[] = "longer than what the model reads";

// A smaller count is none of a whole prompt: no model reads so little, and some servers leave out what they had read
// before, or say 0 or 1.
inline constexpr std::int64_t kLeastContext = 128;

// Fewer tokens no tokenizer makes of it: one for each word between spaces that has a letter or a digit; where words are
// not told apart by spaces (Chinese, Japanese, Thai, Lao, Tibetan, Burmese, Khmer) one for four characters. Measured on
// 532 translations of the Universal Declaration of Human Rights with the tokenizers of GPT-4o, Llama 2, Gemma 3, Claude
// and Qwen 3: no token of theirs goes over a space; a word has 1.17 tokens in the language that has the fewest
// (English), a character of these scripts 0.36 (Thai; Gemma 3). A long run of one character counts as one word.
std::uint64_t least_tokens(std::string_view text);

// The same of what a request says to the model: the contents of its messages, or the texts that are to be embedded.
std::uint64_t least_tokens_of(std::string_view body);

// kUnread, or empty: `counted` may be all of a prompt with at least so many tokens. Where either is not known it may.
std::string_view unread(std::uint64_t least, std::optional<std::int64_t> counted);

// The prompts of one command to one model, by how many tokens were counted: where the count stops growing while prompts
// grow, the server has a fixed context and cuts what is longer.
class PromptGrowth {
 public:
  // An answer that looked usable.
  struct Seen {
    VoteKey vote;
    std::uint32_t attempt = 0;
    std::uint64_t least = 0;   // tokens of its prompt
    std::int64_t counted = 0;  // by its server
  };

  // True if this answer is to a prompt that was cut. It is then put behind `suspect`, and the earlier ones that were as
  // well, each once.
  bool add(Seen seen, std::vector<Seen>& suspect);

 private:
  static constexpr std::size_t kPrompts = 4;  // of different lengths with the same count
  static constexpr double kLonger = 1.3;      // the longest of them than the shortest

  [[nodiscard]] bool fixed() const;

  std::int64_t most_ = 0;                         // tokens counted
  std::map<std::uint64_t, std::uint64_t> least_;  // of prompts with that count: how many
  std::vector<Seen> at_most_;                     // answers to them, while they look usable
};

}  // namespace residue::model
