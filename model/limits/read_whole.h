// Whether a model can have read all of a prompt, by what its server counted: a judge who saw the end of a text alone
// says that the rest does not support a claim, and a leak looks private.
//
//   prompt ─> least_tokens ─┐
//   reply ─> prompt_tokens ─┴─> fewer than it must have, or no more than a shorter prompt has: not read whole
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "model/limits/plateau.h"

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

// Prompts to one model, by how many tokens were counted: where the count stops growing while prompts grow, in words or
// in bytes (plateau.h), the server has a fixed context and cuts what is longer.
class PromptGrowth {
 public:
  struct Seen {
    VoteKey vote;
    std::uint32_t attempt = 0;
    std::uint64_t least = 0;   // tokens of its prompt
    std::int64_t counted = 0;  // by its server
    bool usable = true;        // false: the answer is of no use already; its prompt is evidence all the same
    bool earlier = false;      // it was there before this command
    std::uint64_t bytes = 0;   // of its request; 0: not known
  };

  // True if this answer is to a prompt that was cut. Then it is put behind `suspect`, and so are the usable ones before
  // it with the same count, each once. The shortest prompt is one of them: that it ended exactly where the context does
  // is less likely than that it was cut as well.
  bool add(Seen seen, std::vector<Seen>& suspect);

  // The shortest prompt that was found to be cut, in least_tokens(). Nothing: none was, or longer ones are read now.
  [[nodiscard]] std::optional<std::uint64_t> cut_from() const { return cut_from_; }

 private:
  static constexpr std::size_t kPrompts = 4;  // of different lengths with the same count
  static constexpr double kLonger = 1.3;      // the longest of them than the shortest

  // Smaller counts are next to the largest no more, whatever comes.
  [[nodiscard]] std::int64_t near_from() const { return most_ - most_ / 40; }

  // The least count of prompts that were cut.
  [[nodiscard]] std::optional<std::int64_t> cap() const;

  std::int64_t most_ = 0;                   // tokens counted
  std::set<std::uint64_t> least_;           // of prompts with that count
  Plateau plateau_;                         // by bytes
  std::multimap<std::int64_t, Seen> near_;  // by count: those next to the largest that are not known to be cut
  std::optional<std::uint64_t> cut_from_;
};

// The same over all that is known of a model. What this command sees is judged by itself, too: a server whose context
// has become smaller never comes up to what was counted once.
class CutPrompts {
 public:
  [[nodiscard]] bool remembers() const { return remembers_; }

  // What earlier commands saw. Those of it that cannot be believed are put behind `suspect`.
  void remember(std::vector<PromptGrowth::Seen> earlier, std::vector<PromptGrowth::Seen>& suspect);

  // As PromptGrowth says; none is put behind `suspect` twice.
  bool add(PromptGrowth::Seen seen, std::vector<PromptGrowth::Seen>& suspect);

  // The shortest prompt that is cut, by what this command has seen of it. Nothing: none was.
  [[nodiscard]] std::optional<std::uint64_t> cut_from() const { return cut_from_; }

 private:
  void tell(std::vector<PromptGrowth::Seen> found, std::vector<PromptGrowth::Seen>& suspect);

  PromptGrowth command_, ever_;
  bool remembers_ = false;
  std::optional<std::uint64_t> cut_from_;
  std::set<std::pair<VoteKey, std::uint32_t>> told_;
};

}  // namespace residue::model
