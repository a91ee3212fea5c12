// Names that the end of a line cuts.
#include <gtest/gtest.h>

#include "tests/text/identifiers/found.h"

namespace residue::text {
namespace {

using enum EntityType;

TEST(SplitNames, GoOnBehindALineEnd) {
  expect_all(kName, {{"Mr Cengiz\nPolatkan came.", "Mr Cengiz\nPolatkan"},
                     {"Dear Dr.\nOyelaran, hello", "Dr.\nOyelaran"},
                     {"John\nHartwigsen was here", "John\nHartwigsen"},
                     {"Mr Cengiz\r\n  Polatkan", "Mr Cengiz\r\n  Polatkan"},
                     {"Mr\tPolatkan, Mr  Oyelaran", "Mr\tPolatkan|Mr  Oyelaran"},
                     {"Maria Elena van\nBerendonk", "Maria Elena van\nBerendonk"},
                     {"Mr Jan K.\nBerendonk", "Mr Jan K.\nBerendonk"}});
}

TEST(SplitNames, EndWhereTheyAreWhole) {
  expect_all(kName, {{"Mr Cengiz\n\nPolatkan", "Mr Cengiz"},
                     {"Mr Cengiz    Polatkan", "Mr Cengiz"},
                     {"Dear Dr. Oyelaran\nThanks for it", "Dr. Oyelaran"},
                     {"Anna Smith\nDirector of Sales", "Anna Smith"},
                     {"John\nMary\nPeter", "John|Mary|Peter"},
                     {"Name: John\nOccupation: none", "John"},
                     {"Mr Oyelaran\nMedication none", "Mr Oyelaran"},
                     {"Mr Oyelaran\nHospital", "Mr Oyelaran"},
                     {"Mr Oyelaran\nMonday", "Mr Oyelaran"},
                     {"Mr Oyelaran\nand the rest", "Mr Oyelaran"}});
}

}  // namespace
}  // namespace residue::text
