// A store on a disk that fills up: told as such, whole batches stay, and the same command goes on when there is room.
#include <fmt/format.h>
#include <sys/mount.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "ingest/files/dataset.h"
#include "storage/check.h"
#include "tests/ingest/store_fixture.h"

namespace residue::ingest::testing {
namespace {

constexpr std::size_t kRows = 12'000;  // of 1 KB that compress to half

std::vector<RecordRow> random_rows() {
  std::mt19937_64 random(7);
  std::vector<RecordRow> rows;
  for (std::size_t i = 0; i < kRows; ++i) {
    std::string text;
    while (text.size() < 1000) text += fmt::format("{:016x}", random());
    rows.push_back(record("k" + std::to_string(i), std::move(text)));
  }
  return rows;
}

class FullDisk : public StoreTest {
 protected:
  FullDisk() : disk_(dir_ / "disk") {
    std::filesystem::create_directory(disk_);
    mounted_ = ::mount("tmpfs", disk_.c_str(), "tmpfs", 0, "size=5m") == 0;
  }
  ~FullDisk() override {
    small_.reset();
    if (mounted_) ::umount2(disk_.c_str(), MNT_DETACH);
  }
  IngestResult ingest(const std::vector<RecordRow>& rows) {
    VectorSource<RecordRow> source(rows);
    IngestOptions options;
    options.batch_rows = 2000;
    return ingest_dataset(*small_, "d", source, file(), options);
  }
  std::int64_t records() {
    storage::Statement count = small_->db().prepare("SELECT count(*) FROM record");
    return count.step() ? count.integer(0) : -1;
  }

  std::filesystem::path disk_;
  bool mounted_ = false;
  std::unique_ptr<storage::Store> small_;
};

TEST_F(FullDisk, KeepsWholeBatchesSaysWhatToDoAndGoesOnWhenThereIsRoom) {
  if (!mounted_) GTEST_SKIP() << "needs the right to mount a small disk";
  const auto all = random_rows();
  storage::Store::create(disk_);
  small_ = std::make_unique<storage::Store>(disk_ / ".residue");
  const auto error = error_of([&] { ingest(all); });
  EXPECT_EQ(error.first, 75);
  small_ = nullptr;
  small_ = std::make_unique<storage::Store>(disk_ / ".residue");
  const std::int64_t stored = records();
  EXPECT_GT(stored, 0);
  EXPECT_LT(stored, static_cast<std::int64_t>(kRows));
  EXPECT_EQ(stored % 2000, 0);
  EXPECT_EQ(error.second, fmt::format("the disk of the store is full: {} lines are stored", stored));

  ASSERT_EQ(::mount("tmpfs", disk_.c_str(), "tmpfs", MS_REMOUNT, "size=64m"), 0);
  EXPECT_EQ(ingest(all).counts, (Counts{kRows, 0, 0, 0}));
  EXPECT_EQ(records(), static_cast<std::int64_t>(kRows));
  const auto check = storage::check_store(*small_);
  EXPECT_EQ(check.texts, kRows);
  EXPECT_TRUE(check.problems.empty());
}

}  // namespace
}  // namespace residue::ingest::testing
