// Surrogates of names in capitals.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "ingest/surrogates/surrogates.h"
#include "ingest/surrogates/written_names.h"
#include "tests/ingest/surrogates/seeded_draws.h"

namespace residue::ingest {
namespace {

TEST(Capitals, AreThoseOfAllLetters) {
  EXPECT_EQ(in_case("Fran\u00E7ois", "BERG"), "FRAN\u00C7OIS");
  EXPECT_EQ(in_case("Fran\u00E7ois", "Berg"), "Fran\u00E7ois");
}

TEST(Capitals, LeaveParticlesThatTheyAre) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Surrogates record(seeded_draws(seed)->of({"r-1", ""}), Consistency::kRecord);
    const std::string made = record.of(text::EntityType::kName, "Mr VAN DER BERG");
    EXPECT_TRUE(made.starts_with("Mr VAN DER ")) << made;
    EXPECT_EQ(made.find("BERG"), std::string::npos) << made;
  }
}

}  // namespace
}  // namespace residue::ingest
