// Text to index terms: what a linker counts as the same word (METRICS section 2, "term definition").
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace residue::text {

// Immutable; one object serves all threads.
class Analyzer {
 public:
  // UAX #29 words of what is read (text/as_read.h) without a trailing 's, lower-case, without Lucene's 33 stop words,
  // Porter's stem (kMartin).
  static const Analyzer& fsp();
  // UAX #29 words of what is read without a trailing 's, lower-case.
  static const Analyzer& plain();

  // "fsp/2" or "plain/3": part of every index key; the number rises when a term changes.
  [[nodiscard]] std::string_view name() const { return name_; }

  // Replaces `out` by the terms of `text`, in order, repeats included. A term has 1 to 245 bytes and no NUL: a longer
  // one is cut to 200 bytes at a character, then "#" and the 16 hexadecimal digits of hash_bytes(term).
  void terms(std::string_view text, std::vector<std::string>& out) const;

 private:
  Analyzer(std::string_view name, bool full) : name_(name), full_(full) {}

  std::string_view name_;
  bool full_;
};

}  // namespace residue::text
