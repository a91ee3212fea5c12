#include "ingest/files/unknown_names.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "ingest/files/dataset.h"
#include "tests/ingest/store_fixture.h"

namespace residue::ingest::testing {
namespace {

TEST(Difference, SaysHowTwoIdsDifferWithoutQuotingThem) {
  struct Case {
    const char *key, *nearest;
    std::optional<std::string> said;
  };
  const Case table[] = {
      {"Anna", "anna", "differs in upper and lower case alone"},
      {"anna ", "anna", "differs in the white space around it alone"},
      {"r-012", "r-12", "differs in the zeros before a number alone"},
      {"r-0", "r-00", "differs in the zeros before a number alone"},
      {"r-13", "r-12", std::nullopt},
      {"r12", "r-12", "has one character more, the 2nd"},
      {"r--12", "r-12", "lacks one character, the 3rd"},
      {"z\xc3\xb6rx", "z\xc3\xb6ry", "has another 4th character"},
      {"anan", "anna", "has another 3rd character"},
      {"note_12", "note-013", "differs in 3 characters"},
  };
  for (const Case& one : table) {
    SCOPED_TRACE(one.key);
    EXPECT_EQ(difference(one.key, one.nearest), one.said);
  }
}

class UnknownRecords : public StoreTest {};

TEST_F(UnknownRecords, AreComparedWithThoseThatAreThere) {
  VectorSource<RecordRow> source({record("Smith, John", "x"), record("Doe, Jane", "y")});
  ingest_dataset(store(), "d", source, file());
  UnknownNames names(store().db(), "d");
  EXPECT_EQ(names.record("Smith, Jon", "").cause,
            "no record with this id in dataset d: the nearest id has one character more, the 10th");
  EXPECT_EQ(names.record("completely different", "").cause, "no record with this id in dataset d");
  EXPECT_EQ(names.run("nnoe").cause, "no run with this name in dataset d; did you mean \"none\"?");
}

}  // namespace
}  // namespace residue::ingest::testing
