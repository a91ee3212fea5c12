#include "storage/catalog/privacy_ledger.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>

#include "storage/store.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

class PrivacyLedger : public ::testing::Test {
 protected:
  PrivacyLedger() {
    std::string name = (fs::temp_directory_path() / "residue-ledger-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
    Store::create(dir_);
    store_ = std::make_unique<Store>(dir_ / ".residue");
  }
  ~PrivacyLedger() override {
    store_.reset();
    fs::remove_all(dir_);
  }

  void keep(const char* run, const char* release, const char* unit = "record") {
    const auto batch = store_->write();
    keep_privacy_release(batch->db(), "d",
                         {run, std::string(32, release[0]), unit, 7, "store key", "{}", 1, std::nullopt});
    batch->commit();
  }
  std::int64_t strike(std::optional<std::string_view> run) {
    const auto batch = store_->write();
    const std::int64_t struck = strike_privacy_releases(batch->db(), "d", run, 5);
    batch->commit();
    return struck;
  }
  std::string counted(const char* unit = "record") {
    std::string names;
    for (const PrivacyRelease& one : counted_releases(privacy_releases(store_->db(), "d"), unit))
      names += one.run + " ";
    return names;
  }

  fs::path dir_;
  std::unique_ptr<Store> store_;
};

TEST_F(PrivacyLedger, CountsEachReleaseOnceUnderWhateverNames) {
  keep("a", "1");
  keep("b", "1");
  keep("a", "2");
  keep("a", "2");
  keep("p", "3", "person");
  EXPECT_EQ(privacy_releases(store_->db(), "d").size(), 4U);
  EXPECT_TRUE(privacy_releases(store_->db(), "e").empty());
  EXPECT_EQ(counted(), "a a ");
  EXPECT_EQ(counted("person"), "p ");
}

TEST_F(PrivacyLedger, WhatIsStruckOutCountsAgainWhenItIsMadeAgain) {
  keep("a", "1");
  keep("b", "1");
  EXPECT_EQ(strike("a"), 1);
  EXPECT_EQ(strike("a"), 0) << "once";
  EXPECT_EQ(counted(), "b ") << "the same release has left under another name";
  EXPECT_EQ(strike({}), 1);
  EXPECT_EQ(counted(), "");
  EXPECT_EQ(privacy_releases(store_->db(), "d").size(), 2U) << "and is still to be seen";
  keep("a", "1");
  EXPECT_EQ(counted(), "a ");
}

// Whoever makes another release under a name that one has left under strikes out the new one alone.
TEST_F(PrivacyLedger, StrikesOutTheLastOfAName) {
  keep("a", "1");
  keep("a", "2");
  EXPECT_EQ(struck_out(privacy_releases(store_->db(), "d"), "a"), 1);
  EXPECT_EQ(strike("a"), 1);
  const auto left = counted_releases(privacy_releases(store_->db(), "d"), "record");
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].release, std::string(32, '1'));
  keep("b", "1");
  EXPECT_EQ(struck_out(privacy_releases(store_->db(), "d"), "b"), 0) << "it goes on counting as a";
  EXPECT_EQ(struck_out(privacy_releases(store_->db(), "d"), std::nullopt), 1);
  EXPECT_EQ(struck_out(privacy_releases(store_->db(), "d"), "c"), std::nullopt);
}

TEST_F(PrivacyLedger, FollowsNames) {
  keep("a", "1");
  const auto batch = store_->write();
  rename_privacy_run(batch->db(), "d", "a", "z");
  rename_privacy_dataset(batch->db(), "d", "e");
  batch->commit();
  EXPECT_EQ(privacy_releases(store_->db(), "e").at(0).run, "z");
  EXPECT_EQ(privacy_releases(store_->db(), "d").at(0).run, "z") << "the same records may come back under the old name";
}

// Stores of the same format have been made before there was a ledger.
TEST_F(PrivacyLedger, IsMadeWhereAStoreHasNone) {
  {
    const auto batch = store_->write();
    batch->db().run("DROP TABLE privacy_release");
    batch->commit();
  }
  EXPECT_TRUE(privacy_releases(store_->db(), "d").empty());
  EXPECT_EQ(strike({}), 0);
  {
    const auto batch = store_->write();
    rename_privacy_run(batch->db(), "d", "a", "b");
    rename_privacy_dataset(batch->db(), "d", "e");
    batch->commit();
  }
  keep("a", "1");
  EXPECT_EQ(counted(), "a ");
  Statement find = store_->db().prepare("SELECT count(*) FROM sqlite_master WHERE name = 'privacy_release'");
  EXPECT_TRUE(find.step() && find.integer(0) == 1);
}

}  // namespace
}  // namespace residue::storage
