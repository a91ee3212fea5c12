#include "text/encodings/escaped/escapes.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "tests/text/encodings/plain_text.h"

namespace residue::text {
namespace {

std::string each(std::string_view text, std::string_view format, bool letters_alone = false) {
  std::string out;
  for (const char c : text) {
    const bool is_letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
    if (letters_alone && !is_letter) {
      out += c;
      continue;
    }
    std::array<char, 16> spelled{};
    (void)std::snprintf(spelled.data(), spelled.size(), std::string(format).c_str(), static_cast<unsigned>(c));
    out += spelled.data();
  }
  return out;
}

TEST(Escapes, UndoesNumbersOfCharacters) {
  for (const std::string_view format : {"\\u%04x", "\\u{%X}", "\\U%08x", "\\x%02x", "%%%02X", "%%%02x", "=%02X"}) {
    EXPECT_EQ(read(each(kPlain, format)), kPlain) << format;
    EXPECT_EQ(read(each(kPlain, format, true)), kPlain) << format;
  }
  EXPECT_EQ(without_escapes("Jos\\u00e9 \\ud83d\\ude00 \\uD83D \\u0000"), "José 😀 \\uD83D \\u0000");
  EXPECT_EQ(without_escapes("Jos%C3%A9 5%25 Z=C3=BCrich HR=72 Jos\\xc3\\xa9"), "José 5%25 Zürich HR=72 José");
  EXPECT_EQ(without_escapes("Ann=20Holt=2C M=FCller=\n=20lives=20in=20Oslo"), "Ann Holt, Müller lives in Oslo");
  EXPECT_EQ(without_escapes("\\x4a\\xf6\\x72g"), "Jörg") << "Windows-1252 where it is no UTF-8";
  EXPECT_EQ(without_escapes("https://a.example.org/%41%42%43%C3%A9 is it"), std::nullopt);
  EXPECT_EQ(without_escapes("Ann%20Holt 10%20"), "Ann Holt 10%20");
  EXPECT_EQ(without_escapes("%4A%6F%68%6E, 54%25"), "John, 54%");
}

TEST(Escapes, UndoesBackslashesOfJson) {
  EXPECT_EQ(without_escapes(R"(Name: Ann\nAge: 54\n\tShe said \"no\".)"), "Name: Ann\nAge: 54\n She said \"no\".");
  EXPECT_EQ(without_escapes("Address:\\nOslo"), "Address:\nOslo");
  EXPECT_EQ(read("Ann\\\\nHolt\\\\nhere"), "Ann\nHolt\nhere") << "three times";
  std::string lines;
  for (const char c : kPlain) lines += c == ' ' ? std::string("\\n") : std::string(1, c);
  EXPECT_EQ(read(lines), kPlain) << "ends of lines for spaces";
}

}  // namespace
}  // namespace residue::text
