// Text to index terms: what a linker counts as the same word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/characters/unicode.h"
#include "text/words/word_numbers.h"

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

// The terms of many texts as numbers: a word that was met before is looked up. For one thread at a time.
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

  // The terms of `text` in the order in which they come, repeats included. Valid until the next call.
  std::span<const std::uint32_t> sequence(std::string_view text);

  // Of a term of the last text; terms of earlier ones may have been forgotten since.
  [[nodiscard]] const std::string& spelling(std::uint32_t term) const { return spellings_[term]; }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  std::uint32_t number_of(std::string_view word);
  void forget_if_many();
  template <class F>
  void each_term(std::string_view text, const F& take);

  const Analyzer& analyzer_;
  WordNumbers words_;  // as they are written; kNone: no term
  WordNumbers terms_;
  std::string store_;
  std::vector<Span> spans_;
  std::vector<std::uint32_t> sequence_;
  std::vector<std::string> spellings_;
  std::vector<std::uint32_t> places_;  // of a term in counts_, where it stands there
  std::vector<Count> counts_;
};

}  // namespace residue::text
