// What models put around a text although nobody asked for it, taken off: each only where the original has no such thing
// itself.
//
//   marker lines ─ announcement, heading or label ─ fence ─ TEXT ─ remarks ─ quotation marks
#pragma once

#include <cstddef>
#include <string_view>

#include "model/replies/asking_words.h"

namespace residue::model {

struct TextAlone {
  std::string_view text;          // a part of the answer; may be empty
  const char* problem = nullptr;  // why it cannot be told what is the text; null: none
};

// "Here is the anonymized text:" before the text or on its line; "**Paraphrased text:**", "# Anonymized text"; a code
// fence; "Note: ...", "(Note: ...)", "I replaced the age with ...", "Let me know if ..." behind it; quotation marks
// around all of it. Marker lines that do not enclose it, words around a fence that are none of these, and several
// versions leave open what the text is, as does a last paragraph about the work that names what the text before it
// hides. Words that are the original's for the half are the author's, and stay.
TextAlone text_alone(std::string_view answer, std::string_view original);

// Without the marker lines that enclose the text, and the words above them that a model read in its message.
std::string_view without_markers(std::string_view text, std::string_view original);

// Whether a marker line, or the words above one, stand in the text, and not in the original.
bool has_marker(std::string_view text, std::string_view original);

// Bytes of the label that a line begins with ("Anonymized text: "), its colon and the marks around both; 0: it has
// none.
std::size_t label_of(std::string_view line);

// Whether a line is nothing but a label ("# Anonymized text", "**Paraphrased version**").
bool is_heading(std::string_view line);

// Whether each line, or the first line of each paragraph, is a remark about the text.
bool only_remarks(std::string_view words);

// Of its lines, each trimmed.
template <class Is>
bool has_line(std::string_view text, const Is& is) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (is(trimmed(text.substr(0, end)))) return true;
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
  return false;
}

}  // namespace residue::model
