// Answers of models that are damaged are named one by one, and taken out; the others stay.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "storage/check.h"
#include "storage/erase/paid.h"
#include "storage/facts/answer_check.h"
#include "storage/facts/answer_entry.h"
#include "storage/store.h"

namespace residue::storage {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::size_t kAnswers = 12;

class DamagedAnswers : public ::testing::Test {
 protected:
  DamagedAnswers() {
    std::string name = (std::filesystem::temp_directory_path() / "residue-answers-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
    Store::create(dir_);
    open();
    const auto batch = store_->write();
    for (std::size_t i = 0; i < kAnswers; ++i) {
      batch->facts().put_answer(vote(i), 1, envelope(i));
      batch->db()
          .prepare(fmt::format("INSERT INTO attempt (vote, n, model, dataset, host, loopback, sent_at, bytes, body, "
                               "state) VALUES (?1, 1, 'm{}', 'd', 'h', 1, 1000, 5, ?1, 'saved')",
                               i)
                       .c_str())
          .run(Statement::Blob{vote(i).bytes()});
    }
    batch->commit();
  }
  ~DamagedAnswers() override {
    store_.reset();
    std::filesystem::remove_all(dir_);
  }
  void open() {
    store_.reset();
    store_ = std::make_unique<Store>(dir_ / ".residue");
  }
  static VoteKey vote(std::size_t i) { return VoteKey(std::string(kDigestBytes, static_cast<char>('A' + i))); }
  static std::string envelope(std::size_t i) { return fmt::format("the answer number {} ends", i); }
  static std::string entry_key(std::size_t i) { return "a" + answer_place(vote(i), 1); }

  // One bit of every place where `text` stands: pages that were copied stand there twice.
  void flip(const std::string& text, std::size_t after, int bit = 1) {
    store_.reset();
    const auto file = dir_ / ".residue" / "facts" / "data.mdb";
    std::ifstream in(file, std::ios::binary);
    std::string bytes((std::istreambuf_iterator<char>(in)), {});
    std::size_t places = 0;
    for (std::size_t at = bytes.find(text); at != std::string::npos; at = bytes.find(text, at + text.size()), ++places)
      bytes[at + after] = static_cast<char>(bytes[at + after] ^ bit);
    ASSERT_GT(places, 0U);
    std::ofstream(file, std::ios::binary) << bytes;
    open();
  }
  [[nodiscard]] bool kept(std::size_t i) const {
    const auto found = store_->facts().read()->answers(vote(i));
    return found.size() == 1 && found.front().envelope == envelope(i);
  }
  [[nodiscard]] std::vector<AnswerCheck::Place> lost(std::size_t i) const {
    return AnswerCheck::lost(store_->facts(), {{vote(i), 1}});
  }
  // Repairs, and expects that all answers but these are there.
  CheckResult repaired_but(const std::set<std::size_t>& gone) {
    CheckResult now = repair_store(*store_, check_store(*store_));
    EXPECT_THAT(now.problems, IsEmpty());
    EXPECT_THAT(now.derived_problems, IsEmpty());
    EXPECT_EQ(now.answers, kAnswers - gone.size());
    for (std::size_t i = 0; i < kAnswers; ++i) {
      EXPECT_NE(kept(i), gone.contains(i)) << i;
      EXPECT_THAT(lost(i), IsEmpty()) << i;
    }
    std::size_t listed = 0;
    store_->facts().read()->each_answer([&](const SavedAnswer&) { ++listed; });
    EXPECT_EQ(listed, now.answers);
    return now;
  }

  std::filesystem::path dir_;
  std::unique_ptr<Store> store_;
};

TEST_F(DamagedAnswers, WithAWrongKeyAreLostAndNotUnasked) {
  for (const std::size_t byte : {1U, 20U, 32U, 36U}) {  // of the vote, and of the attempt
    SCOPED_TRACE(byte);
    EXPECT_THAT(lost(3), IsEmpty());
    flip(entry_key(3), byte);
    EXPECT_THAT(lost(3), SizeIs(1));
    EXPECT_THAT(AnswerCheck::lost(store_->facts(), {{VoteKey(std::string(kDigestBytes, 'z')), 1}, {vote(3), 2}}),
                IsEmpty());
    const CheckResult found = check_store(*store_);
    EXPECT_EQ(found.answers, kAnswers - 1);
    EXPECT_THAT(found.problems, ElementsAre(AllOf(HasSubstr("of model m3, asked on 1970-01-01 00:00:01 UTC, dataset d"),
                                                  HasSubstr("vote 44444444, attempt 1"), HasSubstr("paid for again"))));
    std::string wrong = entry_key(3);
    wrong[byte] = static_cast<char>(wrong[byte] ^ 1);
    flip(wrong, byte);  // back
    EXPECT_THAT(check_store(*store_).problems, IsEmpty());
  }
  flip(entry_key(3), 20);
  EXPECT_THAT(repaired_but({3}).repaired, ElementsAre(HasSubstr("1 answer of a model was removed")));
  // It can come again.
  const auto batch = store_->write();
  EXPECT_TRUE(batch->facts().put_answer(vote(3), 2, "again"));
  batch->commit();
  EXPECT_THAT(check_store(*store_).problems, IsEmpty());
  EXPECT_EQ(check_store(*store_).answers, kAnswers);
}

TEST_F(DamagedAnswers, AreEachNamed) {
  for (const std::size_t i : {0U, 5U, 11U}) flip(envelope(i), 4);
  flip(entry_key(7), 9);
  const CheckResult found = check_store(*store_);
  EXPECT_EQ(found.answers, kAnswers - 4);
  EXPECT_THAT(found.problems, ElementsAre(HasSubstr("model m0,"), HasSubstr("model m5,"), HasSubstr("model m7,"),
                                          HasSubstr("model m11,")));
  EXPECT_THAT(repaired_but({0, 5, 7, 11}).repaired, ElementsAre(HasSubstr("4 answers of models were removed")));
}

// A wrong key in the middle of a page sends the search for its neighbours astray.
TEST_F(DamagedAnswers, DoNotTakeOthersWithThem) {
  std::size_t astray = 0;
  for (std::size_t i = 0; i < kAnswers; ++i) {
    SCOPED_TRACE(i);
    flip(entry_key(i), 1, 0x80);
    const CheckResult found = check_store(*store_);
    EXPECT_THAT(found.problems, ElementsAre(HasSubstr(fmt::format("model m{},", i))));
    EXPECT_EQ(found.answers, kAnswers - 1);
    astray += found.derived_problems.size();
    std::string wrong = entry_key(i);
    wrong[1] = static_cast<char>(wrong[1] ^ 0x80);
    flip(wrong, 1, 0x80);
  }
  EXPECT_GT(astray, 0U);
  flip(entry_key(5), 1, 0x80);
  repaired_but({5});
}

// The keys of the pages that lead to others are no answers: damage there hides whole pages, and loses nothing.
TEST_F(DamagedAnswers, AreNotThoseThatAreHidden) {
  constexpr std::size_t kMany = 400, kPage = 4'096, kFlags = 10, kBranch = 1;
  const auto name = [](std::size_t i) { return VoteKey(fmt::format("many{:028}", i)); };
  {
    const auto batch = store_->write();
    for (std::size_t i = 0; i < kMany; ++i) batch->facts().put_answer(name(i), 1, std::string(100, 'x'));
    batch->commit();
  }
  store_.reset();
  const auto file = dir_ / ".residue" / "facts" / "data.mdb";
  std::ifstream in(file, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(in)), {});
  std::size_t keys = 0;
  for (std::size_t page = 0; page < bytes.size(); page += kPage) {
    if (static_cast<unsigned char>(bytes[page + kFlags]) != kBranch) continue;
    for (std::size_t at = bytes.find("amany", page); at < page + kPage; at = bytes.find("amany", at + 1), ++keys)
      bytes[at + 1] = static_cast<char>(bytes[at + 1] ^ 1);
  }
  ASSERT_GT(keys, 3U);
  std::ofstream(file, std::ios::binary) << bytes;
  open();
  const auto count = [&] {
    std::size_t found = 0;
    for (std::size_t i = 0; i < kMany; ++i) found += store_->facts().read()->answers(name(i)).size();
    return found;
  };
  ASSERT_LT(count(), kMany);
  const CheckResult found = check_store(*store_);
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_THAT(found.derived_problems, SizeIs(1));
  EXPECT_EQ(found.answers, kAnswers + kMany);
  const CheckResult now = repair_store(*store_, found);
  EXPECT_THAT(now.problems, IsEmpty());
  EXPECT_THAT(now.derived_problems, IsEmpty());
  EXPECT_EQ(now.answers, kAnswers + kMany);
  EXPECT_EQ(count(), kMany);
}

TEST_F(DamagedAnswers, AreNotThoseWhoseOrderIsDamaged) {
  const auto number = [](std::uint64_t n) { return "l" + big_endian(n, kAnswerNumberBytes); };
  const auto expect_derived = [&] {
    const CheckResult found = check_store(*store_);
    EXPECT_THAT(found.problems, IsEmpty());
    EXPECT_FALSE(found.derived_problems.empty());
    EXPECT_EQ(found.answers, kAnswers);
    repaired_but({});
  };
  {
    SCOPED_TRACE("a place");
    flip(number(4) + answer_place(vote(3), 1), 15);
    expect_derived();
  }
  {
    SCOPED_TRACE("a number that is none");
    flip(number(4) + answer_place(vote(3), 1), 2, 64);
    expect_derived();
  }
  {
    SCOPED_TRACE("a number that is there twice");
    flip(number(4) + answer_place(vote(3), 1), 8, 1);
    expect_derived();
  }
}

TEST_F(DamagedAnswers, AreNotThoseThatWerePurged) {
  {
    const auto batch = store_->write();
    erase_later(batch->db(), {vote(2)});
    batch->commit();
  }
  EXPECT_EQ(store_->collect_garbage().answers, 1U);
  EXPECT_THAT(lost(2), IsEmpty());
  flip(entry_key(6), 20);
  EXPECT_THAT(lost(2), IsEmpty());
  EXPECT_THAT(lost(6), SizeIs(1));
  EXPECT_THAT(check_store(*store_).problems, ElementsAre(HasSubstr("model m6,")));
  repaired_but({2, 6});
}

}  // namespace
}  // namespace residue::storage
