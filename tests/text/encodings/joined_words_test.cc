#include "text/encodings/joined_words.h"

#include <gtest/gtest.h>

#include <optional>

namespace residue::text {
namespace {

TEST(JoinedWords, UndoesJoinedWords) {
  EXPECT_EQ(without_joined_words("AnnHoltIs54YearsOldAndLivesInOslo.SheSellsATailorsClock,AndMore"),
            "Ann Holt Is 54 Years Old And Lives In Oslo. She Sells A Tailors Clock, And More");
  EXPECT_EQ(without_joined_words("S2VsdmluIENhcnJhd2F5IGlzIDMzIHllYXJzIG9sZCBhbmQgbGl2ZXMgaW4gU3Ry"), std::nullopt);
  EXPECT_EQ(without_joined_words("I like AnnHoltAndHerSister"), std::nullopt) << "a tag among words";
}

}  // namespace
}  // namespace residue::text
