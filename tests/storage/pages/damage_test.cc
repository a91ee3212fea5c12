// One wrong bit anywhere in the catalog or its log: told, and never read as if it were right.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "storage/catalog/sqlite.h"
#include "storage/migrate.h"
#include "storage/pages/page_image.h"
#include "storage/pages/tree.h"
#include "storage/store.h"
#include "tests/storage/older_store.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_bytes(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

void flip(const fs::path& file, std::uint64_t bit) {
  std::string bytes = bytes_of(file);
  bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
  write_bytes(file, bytes);
}

// Everything that the catalog says, in every table; its indexes are looked at, too.
std::string everything(Db& db) {
  std::string all;
  std::vector<std::string> tables;
  Statement names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
  while (names.step()) tables.emplace_back(names.text(0));
  for (const std::string& table : tables) {
    all += table + ":";
    Statement rows = db.prepare("SELECT * FROM " + table);
    while (rows.step()) {
      for (int i = 0; i < rows.columns(); ++i) all += std::string(rows.text(i)) + "|";
    }
  }
  Statement sound = db.prepare("PRAGMA integrity_check");
  while (sound.step()) {
    // The engine's own words where a page of the list of unused ones cannot be read.
    if (sound.text(0) != "ok") throw Error(Code::kCorrupt, std::string(sound.text(0)), "integrity_check says so");
  }
  return all;
}

class Damage : public ::testing::Test {
 protected:
  Damage() : store_(4) {
    migrate_store(store_.dir(), {});
    {
      Store store(store_.dir());
      const auto batch = store.write();  // pages of every kind: long rows, unused pages
      batch->db().run(
          "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)"
          "INSERT INTO judge (name, embedded, spec, digest) SELECT 'long' || i, 0, printf('%.*c', 900 * i, 'x'), "
          "CAST('d' || i AS BLOB) "
          "FROM n");
      batch->db().run("DELETE FROM judge WHERE name LIKE 'long%' AND id % 2 = 0");
      batch->commit();
    }
    Db db(catalog(), DbMode::kReadWrite);
    db.run("PRAGMA wal_checkpoint(TRUNCATE)");
    before_ = everything(db);
  }

  [[nodiscard]] fs::path catalog() const { return store_.dir() / "catalog.db"; }
  [[nodiscard]] fs::path log() const { return store_.dir() / "catalog.db-wal"; }

  // Whether a reader was told; false: it read what had been written. Anything else is a failure.
  bool told(const std::string& right) {
    try {
      OpenOptions options;
      options.read_only = true;
      Store store(store_.dir(), options);
      EXPECT_EQ(everything(store.db()), right) << "served";
      return false;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kCorrupt) << error.what();
      EXPECT_FALSE(error.hint().empty());
      return true;
    }
  }

  // RESIDUE_FLIPS: how many in each test.
  static int flips(int usual) {
    const char* wanted = std::getenv("RESIDUE_FLIPS");
    return wanted == nullptr ? usual : std::atoi(wanted);
  }

  OlderStore store_;
  std::string before_;
};

TEST_F(Damage, OfAnyBitOfAnyKindOfPageIsTold) {
  const std::string sound = bytes_of(catalog());
  std::vector<std::vector<std::uint32_t>> kinds(6);  // first, inner, leaf of tables, of indexes, further pages, unused
  {
    Db db(catalog(), DbMode::kReadWrite);
    const PageImage image(db.handle());
    for (std::uint32_t page = 2; page <= image.pages(); ++page) {
      const auto bytes = image.read(page);
      ASSERT_TRUE(bytes) << page;
      const int kind = static_cast<unsigned char>(bytes->front());
      kinds[kind == 5 || kind == 2 ? 1 : kind == 13 ? 2 : kind == 10 ? 3 : 4].push_back(page);
    }
    std::set<std::uint32_t> unused;
    TreeVisitor visitor;
    visitor.page = [&](std::uint32_t page) { unused.insert(page); };
    walk_free_pages(image, visitor);
    std::erase_if(kinds[4], [&](std::uint32_t page) { return unused.contains(page); });
    kinds[5].assign(unused.begin(), unused.end());
    kinds[0] = {1};
  }
  std::mt19937_64 random(11);
  const int count = flips(60);
  int noticed = 0;
  for (int i = 0; i < count; ++i) {
    const auto& pages = kinds[static_cast<std::size_t>(i) % kinds.size()];
    ASSERT_FALSE(pages.empty()) << i % 6;
    const std::uint32_t page = pages[random() % pages.size()];
    const std::uint64_t bit = (page - 1) * 32768ULL + random() % 32768;
    SCOPED_TRACE(testing::Message() << "page " << page << ", bit " << bit);
    flip(catalog(), bit);
    const bool unused = i % 6 == 5;
    const bool was_told = told(before_);
    noticed += was_told ? 1 : 0;
    EXPECT_TRUE(was_told || unused);
    write_bytes(catalog(), sound);
  }
  std::cout << count << " flips: " << noticed << " told, the others of pages that nobody reads; none served\n";
}

TEST_F(Damage, NamesThePageAndItsTable) {
  std::uint32_t page = 0;
  {
    Db db(catalog(), DbMode::kReadWrite);
    const PageImage image(db.handle());
    for (const Tree& tree : trees_of(image)) {
      if (tree.name != "metric") continue;
      TreeVisitor visitor;
      visitor.page = [&](std::uint32_t met) { page = met; };  // the last: a leaf
      walk_tree(image, tree.root, visitor);
    }
  }
  ASSERT_GT(page, 1U);
  flip(catalog(), (page - 1) * 32768ULL + 20'000);
  Store store(store_.dir());
  try {
    (void)everything(store.db());
    FAIL() << "served";
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        ("the catalog is damaged: page " + std::to_string(page) + " of table metric is not what was written").c_str());
    EXPECT_NE(error.hint().find("residue check"), std::string::npos);
  }
}

TEST_F(Damage, OfAPageInAnothersPlaceIsTold) {
  std::string bytes = bytes_of(catalog());
  std::uint32_t first = 0, second = 0;
  for (std::uint32_t page = 2; page * 4096 < bytes.size(); ++page) {
    if (bytes[page * 4096 - 4096] != 10) continue;
    first = first == 0 ? page : first;
    second = page;
  }
  ASSERT_NE(first, second);
  bytes.replace((second - 1) * 4096ULL, 4096, bytes, (first - 1) * 4096ULL, 4096);
  write_bytes(catalog(), bytes);
  EXPECT_TRUE(told(before_));
}

TEST_F(Damage, OfAFileThatWasCutOffIsTold) {
  const std::string bytes = bytes_of(catalog());
  for (const std::size_t cut : {bytes.size() - 4096, bytes.size() / 2, std::size_t{4096}, std::size_t{50}}) {
    SCOPED_TRACE(cut);
    write_bytes(catalog(), bytes.substr(0, cut));
    EXPECT_TRUE(told(before_));
  }
}

TEST_F(Damage, OfAnyBitOfTheLogIsToldOrChangesNothing) {
  {
    Store store(store_.dir());
    for (int i = 0; i < 6; ++i) {
      const auto batch = store.write();
      batch->db()
          .prepare("INSERT INTO judge (name, embedded, spec, digest) VALUES (?1, 0, ?2, CAST(?1 AS BLOB))")
          .run("late" + std::to_string(i), std::string(3000, 'y'));
      batch->db().run("UPDATE record SET label = coalesce(label, '') || 'z'");
      batch->commit();
    }
  }
  ASSERT_GT(fs::file_size(log()), 50'000U);
  const std::string sound = bytes_of(catalog()), changes = bytes_of(log());
  std::string after;
  {
    Store store(store_.dir());
    after = everything(store.db());
  }
  ASSERT_NE(after, before_);
  std::mt19937_64 random(13);
  const int count = flips(60);
  int noticed = 0;
  for (int i = 0; i < count; ++i) {
    fs::remove(store_.dir() / "catalog.db-shm");
    write_bytes(catalog(), sound);
    write_bytes(log(), changes);
    const std::uint64_t bit = random() % (changes.size() * 8);
    SCOPED_TRACE(bit);
    flip(log(), bit);
    noticed += told(after) ? 1 : 0;
  }
  EXPECT_GT(noticed, count * 8 / 10);
  std::cout << count << " flips in the log: " << noticed << " told, none served\n";
}

TEST_F(Damage, OfTheLogIsToldToWhoHasItOpen) {
  Store store(store_.dir());
  {
    const auto batch = store.write();
    batch->db().run("UPDATE record SET label = 'new'");
    batch->commit();
  }
  const std::string right = everything(store.db());
  const std::string changes = bytes_of(log());
  int noticed = 0;
  for (std::size_t frame = 0; 32 + (frame + 1) * 4120 <= changes.size(); ++frame) {
    SCOPED_TRACE(frame);
    std::string damaged = changes;
    damaged[32 + frame * 4120 + 24 + 4070] ^= 1;  // rows grow from a page's end
    // In place, as the disk would do it: the file must stay the same one.
    const int fd = ::open(log().c_str(), O_WRONLY);
    ASSERT_EQ(::pwrite(fd, damaged.data(), damaged.size(), 0), static_cast<ssize_t>(damaged.size()));
    try {
      Db reader(catalog(), DbMode::kReadOnly);
      EXPECT_EQ(everything(reader), right);  // a page that was written again later
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kCorrupt) << error.what();
      EXPECT_NE(std::string(error.what()).find("in catalog.db-wal is not what was written"), std::string::npos);
      ++noticed;
    }
    ASSERT_EQ(::pwrite(fd, changes.data(), changes.size(), 0), static_cast<ssize_t>(changes.size()));
    ::close(fd);
  }
  EXPECT_GT(noticed, 0);
}

// SQLite writes pages twice into its log when they do not fit into its memory, and their sums last.
TEST_F(Damage, IsNotSeenWhereATransactionIsLargerThanMemory) {
  Store store(store_.dir());
  store.db().run("PRAGMA cache_size=20");
  for (int round = 0; round < 3; ++round) {
    const auto batch = store.write();
    for (int i = 0; i < 30; ++i) {
      batch->db()
          .prepare("INSERT INTO judge (name, embedded, spec, digest) VALUES (?1, 0, ?2, CAST(?1 AS BLOB))")
          .run("big" + std::to_string(round * 100 + i), std::string(static_cast<std::size_t>(2000 * (i + 1)), 'y'));
      batch->db().run("UPDATE judge SET revision = revision + 1");
      batch->db().run("UPDATE metric SET n = n + 1");
    }
    if (round != 1) batch->commit();  // else thrown away
  }
  const std::string after = everything(store.db());
  Db reader(catalog(), DbMode::kReadOnly);
  EXPECT_EQ(everything(reader), after);
  Statement sound = reader.prepare("PRAGMA integrity_check");
  ASSERT_TRUE(sound.step());
  EXPECT_EQ(sound.text(0), "ok");
  Statement checkpoint = store.db().prepare("PRAGMA wal_checkpoint(PASSIVE)");
  while (checkpoint.step()) {
  }
  EXPECT_EQ(everything(store.db()), after);
}

}  // namespace
}  // namespace residue::storage
