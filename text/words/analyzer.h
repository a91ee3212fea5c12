// Text to index terms: what a linker counts as the same word.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"

namespace residue::text {

// Immutable; one object serves all threads.
class Analyzer {
 public:
  // UAX #29 words of what is read (text/encodings/decoded.h, text/characters/as_read.h) without a trailing 's,
  // lower-case, without Lucene's 33 stop words, without accents, Porter's stem (kMartin). Accents do not
  // count: who drops them from a text would look private otherwise. Words of ASCII are its words.
  static const Analyzer& fsp();
  // UAX #29 words of what is read without a trailing 's, lower-case, without accents.
  static const Analyzer& plain();

  // "fsp/5" or "plain/6": part of every index key; the number rises when a term changes.
  [[nodiscard]] std::string_view name() const { return name_; }

  // Replaces `out` by the terms of `text`, in order, repeats included. A term has 1 to 245 bytes and no NUL: a longer
  // one is cut to 200 bytes at a character, then "#" and the 16 hexadecimal digits of hash_bytes(term).
  void terms(std::string_view text, std::vector<std::string>& out) const;

  // The term of one of its words (text/words.h), as terms() has it; empty where that leaves it out.
  [[nodiscard]] std::string term(std::string_view word) const;

 private:
  Analyzer(std::string_view name, bool full) : name_(name), full_(full) {}

  std::string_view name_;
  bool full_;
};

// The terms of many texts, counted: a word that was met before is looked up. For one thread at a time.
class TermCounter {
 public:
  // `analyzer` outlives it.
  explicit TermCounter(const Analyzer& analyzer) : analyzer_(analyzer) {}

  struct Count {
    std::uint32_t term = 0;
    std::uint32_t times = 0;
  };

  // The different terms of `text`, in the order in which they come. Valid until the next call.
  std::span<const Count> count(std::string_view text);

  [[nodiscard]] const std::string& spelling(std::uint32_t term) const { return spellings_[term]; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view word) const { return hash_bytes(word); }
  };
  using Numbers = std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>>;

  std::uint32_t number_of(std::string_view word);

  const Analyzer& analyzer_;
  Numbers words_;  // as they are written; kNone: no term
  Numbers terms_;
  std::vector<std::string> spellings_;
  std::vector<std::uint32_t> places_;  // of a term in counts_, where it stands there
  std::vector<Count> counts_;
};

}  // namespace residue::text
