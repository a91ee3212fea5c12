#include "ingest/mask/gazetteers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.h"

namespace residue::ingest {
namespace {

using text::NameBits;

class GazetteersTest : public ::testing::Test {
 protected:
  GazetteersTest() {
    std::string name = (std::filesystem::temp_directory_path() / "residue-lists-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
  }
  ~GazetteersTest() override { std::filesystem::remove_all(dir_); }

  std::string write(const std::string& path, const std::string& bytes) const {
    std::filesystem::create_directories((dir_ / path).parent_path());
    std::ofstream(dir_ / path) << bytes;
    return (dir_ / path).string();
  }
  [[nodiscard]] Gazetteers load(const GazetteerPlan& plan) const { return load_gazetteers(plan, dir_.string()); }
  Code code(const GazetteerPlan& plan) const {
    try {
      static_cast<void>(load(plan));
    } catch (const Error& error) {
      return error.code();
    }
    return Code::kInternal;
  }

  std::filesystem::path dir_;
};

GazetteerPlan plan(const std::string& lists, const std::string& names = "") { return {lists, names, "", ""}; }

void write_packages(const auto& write) {
  write("iso-codes/json/iso_3166-1.json",
        R"({"3166-1": [{"alpha_2": "QQ", "name": "Freedonia", "official_name": "Freedonia, Republic of"}]})");
  write("iso-codes/json/iso_3166-2.json", R"({"3166-2": [{"code": "QQ-1", "name": "Upper Grund [Grundia]"}]})");
  write("zoneinfo/zone.tab", "# comment\nQQ\t+0000+00000\tEurope/Port_Zandar\tcomments\n");
  write("dict/propernames.gz", "Quixano\nZebulon\n");
  write("misc/cities.dat.gz", "Population  : 7\nName        : Ankh Morpork\n Country    : QQ\n");
  write("rubygems-integration/all/gems/faker-9.9/lib/locales/qq.yml",
        "qq:\n  name:\n    male_first_name: [Xander, 'Yorick']\n    last_name: [\"Zzyx\", Quux]\n    prefix: [Dr]\n");
  write("rubygems-integration/all/gems/faker-9.9/lib/locales/en/name.yml", "    first_name: [Wilhelmus]\n");
  write("perl5/Data/Faker/Name.pm",
        "register(\n\tlast_name => [qw(\n\t\tOakenshield\n\t)],\n\tfirst_name => [qw(Thorin)],\n");
}

TEST_F(GazetteersTest, ReadsWhatIsInstalled) {
  write_packages([this](const std::string& path, const std::string& bytes) { write(path, bytes); });
  const Gazetteers all = load(plan("debian"));
  ASSERT_EQ(all.sources.size(), 6U);
  EXPECT_EQ(all.sources[0].name, "own");
  EXPECT_EQ(all.sources[1].name, "iso-codes");
  struct Case {
    const char* name;
    std::uint8_t kind;
  };
  for (const Case& c : std::initializer_list<Case>{{"Freedonia", NameBits::kPlace},
                                                   {"Upper Grund", NameBits::kPlace},
                                                   {"Port Zandar", NameBits::kPlace},
                                                   {"quixano", NameBits::kFirst},
                                                   {"Ankh Morpork", NameBits::kPlace},
                                                   {"Yorick", NameBits::kFirst},
                                                   {"Zzyx", NameBits::kLast},
                                                   {"Wilhelmus", NameBits::kFirst},
                                                   {"Oakenshield", NameBits::kLast},
                                                   {"Thorin", NameBits::kFirst},
                                                   {"Oslo", NameBits::kPlace}}) {
    EXPECT_TRUE(all.names->bits_of(c.name).has(c.kind)) << c.name;
  }
  EXPECT_EQ(all.names->bits_of("Dr").bits & NameBits::kLast, 0);
  EXPECT_EQ(load(plan("tzdata")).sources.size(), 2U);
  EXPECT_FALSE(load(plan("tzdata")).names->bits_of("Freedonia").has(NameBits::kPlace));
}

TEST_F(GazetteersTest, DigestsSayWhatWasRead) {
  write("zoneinfo/zone.tab", "QQ\t+0000+00000\tEurope/Port_Zandar\n");
  const std::string before = load(plan("tzdata")).sources[1].sha256;
  EXPECT_EQ(before.size(), 64U);
  EXPECT_EQ(load(plan("tzdata")).sources[1].sha256, before);
  write("zoneinfo/zone.tab", "QQ\t+0000+00000\tEurope/Port_Zander\n");
  EXPECT_NE(load(plan("tzdata")).sources[1].sha256, before);
}

TEST_F(GazetteersTest, ReadsFilesOfUsers) {
  GazetteerPlan files;
  files.names = write("names.txt", "Rubija\nMashuu Samurakami\n\n");
  files.places = write("places.txt", "Tj\u00E6reborg\nNew Grund\n");
  files.organisations = write("firms.txt", "Persint\n");
  const Gazetteers lists = load(files);
  ASSERT_EQ(lists.sources.size(), 4U);
  EXPECT_EQ(lists.sources[1].name, "names.txt");
  EXPECT_TRUE(lists.names->bits_of("Rubija").has(NameBits::kFirst));
  EXPECT_TRUE(lists.names->bits_of("Samurakami").has(NameBits::kLast));
  EXPECT_TRUE(lists.names->bits_of("TJ\u00C6REBORG").has(NameBits::kPlace));
  EXPECT_TRUE(lists.names->bits_of("Persint").has(NameBits::kOrganisation));
  EXPECT_EQ(lists.names->find("New Grund is", 0).end, 9U);
}

TEST_F(GazetteersTest, RefusesWhatIsNotThereOrIsNoList) {
  EXPECT_EQ(code(plan("debian")), Code::kNotFound);
  EXPECT_EQ(code(plan("iso-codes")), Code::kNotFound);
  EXPECT_EQ(code(plan("wordlist")), Code::kUsage);
  EXPECT_EQ(code(plan("")), Code::kUsage);
  EXPECT_EQ(code(plan("own", "/nowhere/names.txt")), Code::kNotFound);
  EXPECT_EQ(code(plan("own", write("bad.txt", "\xFF\xFE"))), Code::kBadInput);
  write("iso-codes/json/iso_3166-1.json", "[]");
  write("iso-codes/json/iso_3166-2.json", "[]");
  EXPECT_EQ(code(plan("iso-codes")), Code::kBadInput);
}

}  // namespace
}  // namespace residue::ingest
