// Stores are opened by the residue that knows their tables, or refused with a reason.
#include "storage/catalog/schema.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/hash.h"
#include "storage/migrate.h"
#include "storage/store.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

// Without comments, and with one space for any white space.
std::string essence(std::string_view sql) {
  std::string out;
  for (std::size_t at = 0; at < sql.size();) {
    if (sql.substr(at, 2) == "--") {
      at = std::min(sql.find('\n', at), sql.size());
    } else if (sql[at] == ' ' || sql[at] == '\n') {
      if (!out.empty() && out.back() != ' ') out += ' ';
      ++at;
    } else {
      out += sql[at++];
    }
  }
  return out;
}

TEST(Schema, AnotherOneIsAnotherFormat) {
  EXPECT_EQ(fmt::format("{} {:016x}", kFormatVersion, hash_bytes(essence(embedded_schema()))), "8 1642df26b4c4d6b9")
      << "the tables have changed: raise kFormatVersion (store.h) by one, write the step of catalog/migration.h, keep "
         "a "
         "small store of the format before in tests/storage/stores, and write the new line here (CONTRIBUTING.md)";
}

TEST(Schema, EveryFormatBeforeHasItsStore) {
  for (int format = kOldestFormat; format < kFormatVersion; ++format) {
    EXPECT_TRUE(fs::exists(fmt::format("{}/tests/storage/stores/format-{}.tar.zst", RESIDUE_SOURCE_DIR, format)))
        << format;
  }
}

class Formats : public ::testing::Test {
 protected:
  Formats() {
    std::string name = (fs::temp_directory_path() / "residue-format-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
    Store::create(dir_);
  }
  ~Formats() override { fs::remove_all(dir_); }

  // What opening says of a store of this format; nothing where it is opened. `catalog`: what its catalog says.
  std::string refusal(int format, int catalog, Code code = Code::kUsage) {
    Db(dir_ / ".residue" / "catalog.db", DbMode::kReadWrite)
        .run(fmt::format("PRAGMA user_version={}; PRAGMA wal_checkpoint(TRUNCATE)", catalog).c_str());
    std::ofstream(dir_ / ".residue" / "format") << "residue store " << format << "\n";
    try {
      const Store store(dir_ / ".residue");
      return {};
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code);
      return fmt::format("{}; {}", error.what(), error.hint());
    }
  }
  fs::path dir_;
};

TEST_F(Formats, OfTodayIsOpened) { EXPECT_EQ(refusal(kFormatVersion, kFormatVersion), ""); }

TEST_F(Formats, OlderAndNewerAreRefusedWithARemedy) {
  const std::string older = refusal(kFormatVersion - 1, kFormatVersion - 1);
  EXPECT_NE(older.find("older residue"), std::string::npos) << older;
  EXPECT_NE(older.find("residue migrate"), std::string::npos) << older;
  const std::string newer = refusal(kFormatVersion + 1, kFormatVersion + 1);
  EXPECT_NE(newer.find("newer residue"), std::string::npos) << newer;
}

// A flipped bit is no older store, which would be copied and "migrated".
TEST_F(Formats, OtherThanTheCatalogsAreDamage) {
  const std::string said = refusal(kFormatVersion - 1, kFormatVersion, Code::kCorrupt);
  EXPECT_NE(said.find("its catalog is of format"), std::string::npos) << said;
  EXPECT_THROW(migrate_store(dir_ / ".residue", {}), Error);
  EXPECT_EQ(std::distance(fs::directory_iterator(dir_), {}), 1) << "no copy was made";
}

}  // namespace
}  // namespace residue::storage
