// Words as Unicode segments text (UAX #29, ICU's root rules): letters, numbers, kana, ideographs.
#pragma once

#include <string_view>
#include <vector>

#include "text/characters/unicode.h"

namespace residue::text {

// Replaces `out` by the words of `text`, in order; what lies between them (space, punctuation, emoji, NUL, ill-formed
// bytes) is left out. Safe from several threads.
void words(std::string_view text, std::vector<Span>& out);

// Calls `f(std::string_view)` for every word, in order.
template <class F>
void for_each_word(std::string_view text, F&& f) {
  std::vector<Span> spans;
  words(text, spans);
  for (const Span& span : spans) f(slice(text, span));
}

// Every word by ICU alone: the definition that words() is tested against. Slow.
std::vector<Span> words_by_icu(std::string_view text);

// Whether some word stands outside tags ("[NAME] <b> ****" has none).
bool has_word_outside_tags(std::string_view text);

}  // namespace residue::text
