// What models said is kept as it came, in facts/.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"
#include "storage/check.h"
#include "storage/store.h"

namespace residue::storage {
namespace {

class Answers : public ::testing::Test {
 protected:
  Answers() {
    std::string name = (std::filesystem::temp_directory_path() / "residue-answers-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
    Store::create(dir_);
    open();
  }
  ~Answers() override {
    store_.reset();
    std::filesystem::remove_all(dir_);
  }
  void open() {
    store_.reset();
    store_ = std::make_unique<Store>(dir_ / ".residue");
  }
  bool put(const VoteKey& vote, std::uint32_t attempt, const std::string& envelope) {
    const auto batch = store_->write();
    const bool fresh = batch->facts().put_answer(vote, attempt, envelope);
    batch->commit();
    return fresh;
  }
  static VoteKey vote(char byte) { return VoteKey(std::string(kDigestBytes, byte)); }

  std::filesystem::path dir_;
  std::unique_ptr<Store> store_;
};

TEST_F(Answers, AreFoundByVoteAndAttempt) {
  EXPECT_TRUE(put(vote('b'), 2, "second"));
  EXPECT_TRUE(put(vote('b'), 1, "first"));
  EXPECT_TRUE(put(vote('a'), 300, std::string("\0\n", 2)));
  EXPECT_TRUE(put(vote('c'), 1, ""));
  open();
  const auto found = store_->facts().read()->answers(vote('b'));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].envelope, "first");
  EXPECT_EQ(found[0].attempt, 1U);
  EXPECT_EQ(found[1].envelope, "second");
  EXPECT_EQ(store_->facts().read()->answers(vote('a')).front().attempt, 300U);
  EXPECT_EQ(store_->facts().read()->answers(vote('a')).front().envelope, std::string("\0\n", 2));
  EXPECT_TRUE(store_->facts().read()->answers(vote('d')).empty());
  std::string order;
  store_->facts().read()->each_answer([&](const SavedAnswer& answer) { order += answer.vote.bytes().front(); });
  EXPECT_EQ(order, "bbac");
}

TEST_F(Answers, AreNeverReplaced) {
  EXPECT_TRUE(put(vote('a'), 1, "paid for"));
  EXPECT_FALSE(put(vote('a'), 1, "another"));
  EXPECT_EQ(store_->facts().read()->answers(vote('a')).front().envelope, "paid for");
}

TEST_F(Answers, SurviveTheRemovalOfGarbageAndABackup) {
  for (std::uint32_t i = 1; i <= 50; ++i) put(vote('a'), i, fmt::format("answer {}", i));
  store_->collect_garbage();
  EXPECT_EQ(store_->facts().read()->answers(vote('a')).size(), 50U);
  const CheckResult checked = check_store(*store_);
  EXPECT_TRUE(checked.problems.empty());
  EXPECT_EQ(checked.answers, 50U);
}

// Nothing that a damaged disk gives back passes for an answer.
TEST_F(Answers, AreRefusedWhenTheyAreNotWhatWasStored) {
  put(vote('a'), 1, "the rating is one");
  store_.reset();
  const auto file = dir_ / ".residue" / "facts" / "data.mdb";
  FILE* data = std::fopen(file.c_str(), "r+b");
  std::string bytes(std::filesystem::file_size(file), '\0');
  ASSERT_EQ(std::fread(bytes.data(), 1, bytes.size(), data), bytes.size());
  for (std::size_t at = 0; (at = bytes.find("rating is one", at)) != std::string::npos; ++at) {
    std::fseek(data, static_cast<long>(at), SEEK_SET);
    std::fputs("rating is two", data);
  }
  std::fclose(data);
  open();
  EXPECT_THROW(store_->facts().read()->answers(vote('a')), Error);
  EXPECT_EQ(check_store(*store_).problems.size(), 1U);
}

}  // namespace
}  // namespace residue::storage
