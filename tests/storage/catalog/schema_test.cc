// Stores are opened by the residue that knows their tables, or refused with a reason.
#include "storage/catalog/schema.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
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
  EXPECT_EQ(fmt::format("{} {:016x}", kFormatVersion, hash_bytes(essence(embedded_schema()))), "5 eb284fa7093b2914")
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

  // What opening says of a store of this format; nothing where it is opened.
  std::string refusal(int format) {
    std::ofstream(dir_ / ".residue" / "format") << "residue store " << format << "\n";
    try {
      const Store store(dir_ / ".residue");
      return {};
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kUsage);
      return fmt::format("{}; {}", error.what(), error.hint());
    }
  }
  fs::path dir_;
};

TEST_F(Formats, OfTodayIsOpened) { EXPECT_EQ(refusal(kFormatVersion), ""); }

TEST_F(Formats, OlderAndNewerAreRefusedWithARemedy) {
  const std::string older = refusal(kFormatVersion - 1);
  EXPECT_NE(older.find("older residue"), std::string::npos) << older;
  EXPECT_NE(older.find("residue migrate"), std::string::npos) << older;
  const std::string newer = refusal(kFormatVersion + 1);
  EXPECT_NE(newer.find("newer residue"), std::string::npos) << newer;
}

}  // namespace
}  // namespace residue::storage
