#include "text/encodings/escaped/markup.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "tests/text/encodings/plain_text.h"

namespace residue::text {
namespace {

TEST(Markup, UndoesMarkup) {
  std::string bold, commented, paragraphs, spans, word;
  for (const char c : std::string(kPlain) + " ") {
    if (c != ' ') {
      word += c;
      continue;
    }
    bold += word.substr(0, 1) + "<b></b>" + word.substr(1) + ' ';
    commented += word.substr(0, 1) + "<!-- x -->" + word.substr(1) + ' ';
    paragraphs += "<p>" + word + "</p>";
    spans += word.substr(0, 1) + "<SPAN class='x'>" + word.substr(1) + "</SPAN>" + ' ';
    word.clear();
  }
  EXPECT_EQ(read(bold), std::string(kPlain) + " ");
  EXPECT_EQ(read(commented), std::string(kPlain) + " ");
  EXPECT_EQ(read(spans), std::string(kPlain) + " \nx");
  std::string words = read(paragraphs);
  std::erase_if(words, [last = 'x'](char c) mutable { return std::exchange(last, c) == ' ' && c == ' '; });
  EXPECT_EQ(words, " " + std::string(kPlain) + " ");
  EXPECT_EQ(without_markup("Ann<br>Holt<br/>of<BR />Oslo"), "Ann Holt of Oslo");
  EXPECT_EQ(without_markup("K<!-- Ann lives here -->elvin <a href=\"Oslo\">x</a>"), "Kelvin x\nAnn lives here\nOslo");
  EXPECT_EQ(without_markup("<!-- Ann lives in Oslo -->"), std::nullopt) << "it is the text";
  EXPECT_EQ(without_markup("a<b>c, <NAME> <b> <b> <b>"), std::nullopt) << "nothing is closed";
}

}  // namespace
}  // namespace residue::text
