// What a removed text leaves in frames, dictionaries, answers and pages goes with it; everything else stays readable.
#include "storage/facts/forgetting.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "storage/facts/facts.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;
const std::string kKey(32, 'k');
constexpr const char* kUuid = "00000000-0000-0000-0000-000000000000";

class Forgets : public ::testing::Test {
 protected:
  Forgets() {
    std::string name = (fs::temp_directory_path() / "residue-forget-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
    fs::create_directory(dir_ / "facts");
    Facts::create(dir_ / "facts", kUuid);
    open();
  }
  ~Forgets() override {
    facts_.reset();
    fs::remove_all(dir_);
  }
  void open() { facts_ = std::make_unique<Facts>(dir_ / "facts", kKey, kUuid); }

  static std::string text(int i) {
    std::string words = fmt::format("note {} ", i);
    for (int j = 0; j < 60; ++j) words += fmt::format("word{} the patient ", (i * 31 + j * 17) % 500);
    return words + fmt::format("canary{:06}", i);
  }
  // Enough of them to train on.
  void put_texts(int begin, int end, PrivacyClass cls = PrivacyClass::kOriginal) {
    const auto writer = facts_->write();
    for (int i = begin; i < end; ++i) ids_.push_back(writer->put(text(i), cls));
    writer->commit();
  }
  // Everything goes but what is in `keep`.
  Forgetting forget(const std::unordered_set<std::int64_t>& keep) {
    Forgetting forgetting(*facts_, keep);
    erase(forgetting.free());
    rewritten_ = forgetting.rewrite({});
    erase(forgetting.held());
    dictionaries_ = forgetting.erase_dictionaries();
    return forgetting;
  }
  void erase(const std::vector<TextId>& texts) {
    const auto writer = facts_->write();
    for (const TextId id : texts) EXPECT_TRUE(writer->erase(id));
    writer->commit();
  }
  std::unordered_set<std::int64_t> all_but(std::size_t gone) const {
    std::unordered_set<std::int64_t> keep;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      if (i != gone) keep.insert(ids_[i].value);
    }
    return keep;
  }
  std::size_t dictionaries() const { return facts_->dictionaries(PrivacyClass::kOriginal).size(); }

  fs::path dir_;
  std::unique_ptr<Facts> facts_;
  std::vector<TextId> ids_;
  std::uint64_t rewritten_ = 0, dictionaries_ = 0;
};

TEST_F(Forgets, ADictionaryThatWasTrainedOnARemovedText) {
  put_texts(0, 400);
  put_texts(400, 600);
  ASSERT_EQ(dictionaries(), 1U);
  const std::string before = facts_->dictionaries(PrivacyClass::kOriginal).front();
  forget(all_but(450));  // it was stored later: the dictionary knows nothing of it
  EXPECT_EQ(dictionaries_, 0U);
  EXPECT_EQ(rewritten_, 0U);
  ids_.erase(ids_.begin() + 450);
  forget(all_but(3));
  EXPECT_EQ(dictionaries_, 1U);
  EXPECT_GT(rewritten_, 50U);
  ids_.erase(ids_.begin() + 3);
  ASSERT_EQ(dictionaries(), 1U) << "enough texts stay to train another one on";
  EXPECT_NE(facts_->dictionaries(PrivacyClass::kOriginal).front(), before);
  EXPECT_EQ(facts_->verify([](TextId id, const std::string& why) { ADD_FAILURE() << id.value << why; }), ids_.size());
  facts_.reset();
  open();
  forget(all_but(ids_.size()));
  EXPECT_EQ(rewritten_ + dictionaries_, 0U) << "nothing is left to do";
}

TEST_F(Forgets, AnOriginalThatFramesAreCompressedAgainst) {
  TextId original, variant, other;
  {
    const auto writer = facts_->write();
    original = writer->put(text(1), PrivacyClass::kOriginal);
    other = writer->put(text(2), PrivacyClass::kOriginal);
    variant = writer->put(text(1).substr(9) + " masked", PrivacyClass::kSanitized, original);
    writer->commit();
  }
  bool against = false;
  facts_->read()->each(
      [&](TextId id, TextId reference) { against = against || (id == variant && reference == original); });
  ASSERT_TRUE(against);
  const Forgetting forgetting = forget({variant.value, other.value});
  EXPECT_EQ(rewritten_, 1U);
  EXPECT_TRUE(forgetting.free().empty());
  EXPECT_EQ(forgetting.held(), std::vector<TextId>{original});
  const auto reader = facts_->read();
  EXPECT_EQ(reader->text(variant), text(1).substr(9) + " masked");
  EXPECT_EQ(reader->find(text(1)), std::nullopt);
  reader->each([&](TextId, TextId reference) { EXPECT_EQ(reference, TextId{}); });
}

TEST_F(Forgets, AnAnswerAndNotItsPlaceInTheLog) {
  const VoteKey a(TaggedHash("test").field("n", std::uint64_t{1}).bytes());
  const VoteKey b(TaggedHash("test").field("n", std::uint64_t{2}).bytes());
  {
    const auto writer = facts_->write();
    writer->put_answer(a, 1, "first");
    writer->put_answer(b, 1, "second");
    writer->put_answer(a, 2, "third");
    writer->commit();
  }
  EXPECT_EQ(Forgetting::erase_answers(*facts_, {a}), 2U);
  EXPECT_EQ(Forgetting::erase_answers(*facts_, {a}), 0U);
  std::vector<std::string> left;
  facts_->read()->each_answer([&](const SavedAnswer& answer) { left.push_back(answer.envelope); });
  EXPECT_EQ(left, std::vector<std::string>{"second"});
  EXPECT_TRUE(facts_->read()->answers(a).empty());
  const auto writer = facts_->write();
  EXPECT_TRUE(writer->put_answer(a, 1, "again"));
  writer->commit();
}

// A page keeps the bytes of an entry that was deleted, until something is written over them.
TEST_F(Forgets, WhatLiesBetweenTheEntriesOfAPage) {
  put_texts(0, 30);
  std::string word;
  {
    const auto writer = facts_->write();
    word = "short canary of few bytes";
    ids_.push_back(writer->put(word, PrivacyClass::kOriginal));
    writer->commit();
  }
  forget(all_but(30));
  const auto holds = [&](const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {}).find(word) != std::string::npos;
  };
  EXPECT_TRUE(holds(dir_ / "facts" / "data.mdb"));
  fs::create_directory(dir_ / "fresh");
  Facts::create(dir_ / "fresh", kUuid);
  {
    Facts fresh(dir_ / "fresh", kKey, kUuid);
    Forgetting::copy(*facts_, fresh);
    EXPECT_EQ(fresh.verify([](TextId id, const std::string& why) { ADD_FAILURE() << id.value << why; }), 30U);
    EXPECT_EQ(Forgetting::next_text(fresh), Forgetting::next_text(*facts_));
    const auto writer = fresh.write();
    EXPECT_EQ(writer->put(text(5), PrivacyClass::kOriginal), ids_[5]);
    EXPECT_EQ(writer->put("new", PrivacyClass::kOriginal).value, ids_.back().value + 1);
    writer->commit();
  }
  EXPECT_FALSE(holds(dir_ / "fresh" / "data.mdb"));
}

}  // namespace
}  // namespace residue::storage
