#include "text/characters/break_iterator.h"

#include <unicode/locid.h>
#include <unicode/ubrk.h>

#include <array>
#include <cstdint>

#include "base/error.h"

namespace residue::text {
namespace {

void check(UErrorCode status) {
  if (U_FAILURE(status)) {
    throw Error(Code::kInternal, "ICU cannot segment text", "check that the ICU data package (libicu72) is complete");
  }
}

using Owned = std::unique_ptr<icu::BreakIterator>;

Owned make(BreakIterator::Kind kind) {
  UErrorCode status = U_ZERO_ERROR;
  Owned made;
  switch (kind) {
    case BreakIterator::Kind::kGrapheme:
      made.reset(icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
      break;
    case BreakIterator::Kind::kWord:
      made.reset(icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
      break;
    case BreakIterator::Kind::kSentence:
      made.reset(icu::BreakIterator::createSentenceInstance(icu::Locale::getEnglish(), status));
      break;
  }
  check(status);
  return made;
}

// Copies of one per process: ICU makes the first of a kind from its data files and hands them over in ways that
// ThreadSanitizer does not see; a copy costs a fraction.
Owned copied(BreakIterator::Kind kind) {
  static const std::array<Owned, 3> first = {make(BreakIterator::Kind::kGrapheme), make(BreakIterator::Kind::kWord),
                                             make(BreakIterator::Kind::kSentence)};
  Owned copy(first.at(static_cast<std::size_t>(kind))->clone());
  if (!copy) check(U_MEMORY_ALLOCATION_ERROR);
  return copy;
}

}  // namespace

BreakIterator::BreakIterator(Kind kind) : iterator_(copied(kind)) {}

BreakIterator::~BreakIterator() { utext_close(&bytes_); }

void BreakIterator::set_text(std::string_view text) {
  UErrorCode status = U_ZERO_ERROR;
  // ICU refuses a null pointer even for nothing.
  utext_openUTF8(&bytes_, text.empty() ? "" : text.data(), static_cast<std::int64_t>(text.size()), &status);
  iterator_->setText(&bytes_, status);
  check(status);
  iterator_->first();
  size_ = text.size();
}

std::size_t BreakIterator::next() {
  const std::int32_t end = iterator_->next();
  return end == icu::BreakIterator::DONE ? size_ : static_cast<std::size_t>(end);
}

bool BreakIterator::is_word() const { return iterator_->getRuleStatus() >= UBRK_WORD_NONE_LIMIT; }

}  // namespace residue::text
