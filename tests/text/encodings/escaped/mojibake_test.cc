#include "text/encodings/escaped/mojibake.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/text/encodings/plain_text.h"
#include "text/characters/unicode.h"
#include "text/encodings/escaped/bytes.h"

namespace residue::text {
namespace {

TEST(Mojibake, UndoesUtf8ReadAsOtherBytes) {
  const std::string plain = "Élodie — “José” Müller’s Łódź, Ærø; 5 €, ÓSCAR and Œuvre";
  const auto misread = [](std::string_view text, bool windows) {
    std::string out;
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      const char32_t other = windows && byte >= 0x80 && byte < 0xA0 ? windows_1252(byte) : 0;
      append_utf8(out, other != 0 ? other : byte);
    }
    return out;
  };
  for (const bool windows : {false, true}) {
    EXPECT_EQ(read(misread(plain, windows)), plain);
    EXPECT_EQ(read(misread(misread(plain, windows), windows)), plain) << "twice";
  }
  EXPECT_EQ(read(misread("Мама мыла раму", true)), "Мама мыла раму");
  EXPECT_EQ(without_mojibake("Ã“scar and QUALITÄ“"), "Óscar and QUALITē") << "where another one is certain";
}

}  // namespace
}  // namespace residue::text
