// Forgetting: what still holds bytes of a text that is to go, beside the text itself.
//
//   a frame compressed against it ──────────────┐
//   a frame whose dictionary was trained on it ─┴─> rewritten in steps; then the text and the dictionary go
//   an answer that quotes it ─────────────────────> erased; the log keeps its place
//   bytes between the entries of a page ──────────> all entries move to a new file
//
// Every step follows from what is stored: killed anywhere, the next one goes on.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <unordered_set>
#include <vector>

#include "base/digest.h"
#include "base/ids.h"
#include "base/progress.h"
#include "storage/facts/address.h"
#include "storage/facts/facts.h"

namespace residue::storage {

class AnswerCheck;  // answer_check.h

// The caller holds the writer lock, and nobody reads texts that are to go.
class Forgetting {
 public:
  // Looks at every frame. Only the texts in `keep` are to stay.
  Forgetting(Facts& facts, const std::unordered_set<std::int64_t>& keep);

  // What is to go, newest first: a text is compressed against an older one, and must be decoded to be erased.
  [[nodiscard]] const std::vector<TextId>& free() const { return free_; }  // no text that stays needs them
  [[nodiscard]] std::vector<TextId> held() const;                          // after rewrite(): none is needed any more

  // Rewrites the frames of texts that stay and need what goes: with a dictionary trained on such texts, or without.
  // Returns how many. Error{try again} on a full disk, with the steps before it done.
  std::uint64_t rewrite(const ProgressFunction& progress);

  // After rewrite(): the dictionaries that were trained on a text that goes. Returns how many.
  std::uint64_t erase_dictionaries();

  // Texts that stay, cannot be read, and need what should go, which therefore stays: found by rewrite().
  [[nodiscard]] std::uint64_t damaged() const { return damaged_; }

  // Erases all answers to these votes. Returns how many.
  static std::uint64_t erase_answers(Facts& facts, const std::set<VoteKey>& votes);

  // The text of this address.
  static std::optional<TextId> find(const Facts& facts, const Address& address);

  // The id that the next new text gets.
  static std::int64_t next_text(const Facts& facts);

  // Every entry of `from` into the new environment `to`, of the same store: none of its pages was ever another one, or
  // holds more than its entries.
  static void copy(const Facts& from, Facts& to);

 private:
  friend class AnswerCheck;
  class Rewriting;
  struct Frame {
    TextId id;
    TextId original;               // or 0
    std::uint64_t dictionary = 0;  // or 0
    PrivacyClass cls = PrivacyClass::kSanitized;
  };
  static Facts::State& state_of(const Facts& facts) { return *facts.state_; }
  void find_dictionaries(const std::unordered_set<std::int64_t>& keep, std::uint64_t staying);

  Facts& facts_;
  std::vector<TextId> free_, held_;
  std::vector<Frame> frames_;                // to rewrite
  std::vector<std::uint64_t> dictionaries_;  // to erase, ascending
  std::set<std::uint64_t> needed_dictionaries_;
  std::set<TextId> needed_texts_;
  std::uint64_t damaged_ = 0;
};

}  // namespace residue::storage
