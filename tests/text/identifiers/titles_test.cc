// Titles before names, and where they are words.
#include <gtest/gtest.h>

#include <string>

#include "tests/text/identifiers/found.h"

namespace residue::text {
namespace {

using enum EntityType;

TEST(Titles, StandBeforeNames) {
  for (const char* title : {"Judge",   "Justice",   "Lord",      "Lady",          "Sir",
                            "General", "Colonel",   "Captain",   "Lieutenant",    "Lt.",
                            "Major",   "Inspector", "Detective", "Officer",       "Sergeant",
                            "Sgt.",    "President", "Minister",  "Senator",       "Governor",
                            "Mayor",   "Father",    "Sister",    "Brother",       "Bishop",
                            "Rabbi",   "Imam",      "Nurse",     "Attorney",      "Mister",
                            "Herr",    "Herrn",     "Frau",      "Hr.",           "M.",
                            "Mme",     "Mlle",      "Dr. med.",  "Don",           "Senhor",
                            "Senhora", "Pan",       "Pani",      "Major General", "Detective Sergeant"}) {
    const std::string name = std::string(title) + " Oyelaran";
    EXPECT_EQ(found(name + " came.", kName), name);
  }
  expect_all(kName, {{"a letter of General Sir Hew Oyelaran", "General Sir Hew Oyelaran"},
                     {"to Don de la Oyelaran", "Don de la Oyelaran"}});
}

TEST(Titles, AreWordsBeforeOtherWords) {
  expect_all(kName, {{"the General Assembly", ""},
                     {"a Major General spoke", ""},
                     {"the President of Chad", ""},
                     {"the Justice Department", ""},
                     {"a Sister Company", ""},
                     {"Father Christmas", ""},
                     {"General Motors", ""},
                     {"the Judge said", ""},
                     {"Officer Training, Nurse Practitioner", ""},
                     {"Attorney General", ""},
                     {"Lord Chief Justice", ""},
                     {"the Mayor. She left", ""},
                     {"General Information, Major Development", ""},
                     {"Prime Minister on Monday", ""},
                     {"The Minister The", ""}});
}

}  // namespace
}  // namespace residue::text
