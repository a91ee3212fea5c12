// What the linked text has in common with the original, word for word: ROUGE, and personal identifiers.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "query/score/scores.h"
#include "text/measures/rouge.h"

namespace residue::query {

struct LinkedTexts {
  std::string original;
  std::string known;                           // what the attacker says
  std::vector<std::string> known_claims;       // A(x)
  std::optional<std::string> linked;           // nothing: nothing is compared with it
  std::optional<std::string> linked_original;  // of the record whose sanitized text that is
};

// For each auxiliary claim the original's sentence of highest recall (the first of equals) carries it, and is left out
// in the metrics that are without auxiliary claims. Identifiers are those of text/recognizers.h, each string once
// however it is written; a string occurs where what it reads (text/as_read.h) is found in what the other text reads,
// within words too.
LinkedOverlap compare(text::RougeTokenizer& tokenizer, const LinkedTexts& texts);

// The same texts by their ids; 0 is the empty text.
struct LinkedIds {
  TextId original, known;
  std::vector<TextId> known_claims;
  std::optional<TextId> linked = {}, linked_original = {};
};

// What comparing found out, for other attackers and runs: most of it is of the original and what is known of it alone,
// and attackers who find the same record compare the same texts. Any number of threads may use one.
class OverlapMemory {
 public:
  explicit OverlapMemory(std::size_t most_bytes = std::size_t{128} << 20U);
  ~OverlapMemory();
  OverlapMemory(const OverlapMemory&) = delete;
  OverlapMemory& operator=(const OverlapMemory&) = delete;

  // As compare() of the texts that `read` gives for the ids; of what is remembered none is read.
  LinkedOverlap compare(const LinkedIds& ids, const std::function<std::string(TextId)>& read);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace residue::query
