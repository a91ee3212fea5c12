// The two sides of a comparison by words, each read once: an original, and a text that was linked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "text/characters/unicode.h"
#include "text/measures/rouge.h"

namespace residue::query {

using TokenList = std::vector<std::uint32_t>;  // of one tokenizer

// What a text says by itself.
struct Findings {
  struct Identifier {
    std::size_t begin = 0;
    std::string reads;
  };
  std::vector<text::Span> sentences;
  std::vector<Identifier> identifiers;  // in order
};
Findings find_in(std::string_view text);

// An original in tokens.
struct OriginalWords {
  std::string text;
  bool readable = true;
  TokenList whole;
  std::vector<TokenList> sentences;
};
OriginalWords original_words(text::RougeTokenizer& tokenizer, std::string text, const Findings& found);

// The same without accents.
OriginalWords without_accents(text::RougeTokenizer& tokenizer, const OriginalWords& words, const Findings& found);

// A linked text in tokens.
struct LinkedWords {
  bool readable = true;
  TokenList written;
  std::optional<TokenList> also;     // decoded, or without what is invisible, where that is another text
  std::string said;                  // decoded
  std::string reads;                 // as it reads, written and decoded
  std::optional<std::string> plain;  // `reads` without accents, where it has some
};
LinkedWords linked_words(text::RougeTokenizer& tokenizer, std::string_view linked);

// Both by the texts' ids, for one thread. What was returned is valid until make_room().
class OverlapTexts {
 public:
  [[nodiscard]] text::RougeTokenizer& tokenizer() { return tokenizer_; }

  // Forgets all where it is much.
  void make_room();

  // `read` gives the text, `findings` what is found in it; called only where it is not known.
  template <class Read, class Find>
  const OriginalWords& original(TextId id, const Read& read, const Find& findings) {
    const auto [place, added] = originals_.try_emplace(id.value);
    if (added) {
      std::string text = read(id);
      const auto found = findings(text);
      place->second = original_words(tokenizer_, std::move(text), *found);
      bytes_ += bytes_of(place->second);
    }
    return place->second;
  }
  template <class Read>
  const LinkedWords& linked(TextId id, const Read& read) {
    const auto [place, added] = linked_.try_emplace(id.value);
    if (added) {
      place->second = linked_words(tokenizer_, read(id));
      bytes_ += bytes_of(place->second);
    }
    return place->second;
  }
  // The tokens of a claim.
  template <class Read>
  const TokenList& claim(TextId id, const Read& read) {
    const auto [place, added] = claims_.try_emplace(id.value);
    if (added) {
      place->second = tokenizer_.tokens(read(id));
      bytes_ += sizeof place->second + place->second.size() * sizeof place->second[0];
    }
    return place->second;
  }

 private:
  static std::size_t bytes_of(const OriginalWords& words);
  static std::size_t bytes_of(const LinkedWords& words);

  text::RougeTokenizer tokenizer_{true};
  std::unordered_map<std::int64_t, OriginalWords> originals_;
  std::unordered_map<std::int64_t, LinkedWords> linked_;
  std::unordered_map<std::int64_t, TokenList> claims_;
  std::size_t bytes_ = 0;
};

}  // namespace residue::query
