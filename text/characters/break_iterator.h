// One of ICU's break iterators over UTF-8, made once per thread and used for many texts.
#pragma once

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include <cstddef>
#include <memory>
#include <string_view>

namespace residue::text {

// Making one costs far more than using it: keep it thread_local. Not for several threads at once.
class BreakIterator {
 public:
  enum class Kind { kGrapheme, kWord, kSentence };

  // Throws Error{internal} when ICU's data is missing.
  explicit BreakIterator(Kind kind);
  ~BreakIterator();
  BreakIterator(const BreakIterator&) = delete;
  BreakIterator& operator=(const BreakIterator&) = delete;

  // Starts before the first character of `text`, which must live as long as next() is called.
  void set_text(std::string_view text);

  // The byte behind the next segment; the length of the text at its end, and from then on.
  std::size_t next();

  // Whether the segment that next() ended is a word (letters, numbers, kana, ideographs). Only for kWord.
  [[nodiscard]] bool is_word() const;

 private:
  std::unique_ptr<icu::BreakIterator> iterator_;
  UText bytes_ = UTEXT_INITIALIZER;
  std::size_t size_ = 0;
};

}  // namespace residue::text
