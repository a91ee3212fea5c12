#include "text/break_iterator.h"

#include <unicode/locid.h>
#include <unicode/ubrk.h>

#include "base/error.h"

namespace residue::text {
namespace {

void check(UErrorCode status) {
  if (U_FAILURE(status)) {
    throw Error(Code::kInternal, "ICU cannot segment text", "check that the ICU data package (libicu72) is complete");
  }
}

icu::BreakIterator* make(BreakIterator::Kind kind) {
  UErrorCode status = U_ZERO_ERROR;
  icu::BreakIterator* made = nullptr;
  switch (kind) {
    case BreakIterator::Kind::kGrapheme:
      made = icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status);
      break;
    case BreakIterator::Kind::kWord:
      made = icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status);
      break;
    case BreakIterator::Kind::kSentence:
      made = icu::BreakIterator::createSentenceInstance(icu::Locale::getEnglish(), status);
      break;
  }
  check(status);
  return made;
}

}  // namespace

BreakIterator::BreakIterator(Kind kind) : iterator_(make(kind)) {}

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
