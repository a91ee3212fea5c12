#include "storage/facts/facts.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hash.h"

namespace residue::storage {
namespace {

const std::string kKey(32, 'k');
constexpr std::string_view kUuid = "uuid-of-a-test";

// A directory of its own, with an empty facts/ in it.
struct Place {
  Place() {
    std::string name = (std::filesystem::temp_directory_path() / "residue-facts-XXXXXX").string();
    dir = ::mkdtemp(name.data());
    Facts::create(dir, kUuid);
  }
  ~Place() { std::filesystem::remove_all(dir); }
  [[nodiscard]] std::unique_ptr<Facts> open() const { return std::make_unique<Facts>(dir, kKey, kUuid); }
  std::filesystem::path dir;
};

Code code_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.code();
  }
  return Code{};
}

std::string sentence(std::uint64_t seed, std::size_t words) {
  std::string text;
  for (std::size_t i = 0; i < words; ++i) text += "word" + std::to_string(hash_of(seed, "w", i) % 700) + ' ';
  return text;
}

RC_GTEST_PROP(Facts, GivesBackAnyBytes, (const std::vector<std::string>& texts)) {
  const Place place;
  auto facts = place.open();
  std::map<std::string, TextId> ids;
  auto writer = facts->write();
  for (const auto& text : texts) {
    const TextId id = writer->put(text, PrivacyClass::kOriginal);
    const bool fresh = ids.emplace(text, id).second;
    RC_ASSERT(fresh || ids.at(text) == id);
    RC_ASSERT(writer->text(id) == text);
  }
  writer->commit();
  facts.reset();
  facts = place.open();
  for (const auto& [text, id] : ids) {
    RC_ASSERT(facts->read()->text(id) == text);
    RC_ASSERT(facts->read()->find(text) == id);
  }
  RC_ASSERT(facts->info().texts == ids.size());
}

TEST(Facts, GivesBackTextsOfAllSizes) {
  const Place place;
  const auto facts = place.open();
  std::map<TextId, std::string> texts;
  auto writer = facts->write();
  for (const std::size_t words : {0U, 1U, 3U, 200U, 3'000U, 700'000U}) {
    const std::string text = sentence(words, words);
    const TextId id = writer->put(text, PrivacyClass::kOriginal);
    texts[id] = text;
    const std::string variant = text + "and more";
    texts[writer->put(variant, PrivacyClass::kSanitized, id)] = variant;
  }
  writer->commit();
  for (const auto& [id, text] : texts) EXPECT_EQ(facts->read()->text(id), text);
  EXPECT_EQ(facts->verify([](TextId, const std::string& why) { ADD_FAILURE() << why; }), texts.size());
}

TEST(Facts, NeverCompressesAgainstAVariant) {
  const Place place;
  const auto facts = place.open();
  auto writer = facts->write();
  const TextId a = writer->put(sentence(1, 200), PrivacyClass::kOriginal);
  const TextId b = writer->put(sentence(1, 200) + "b", PrivacyClass::kSanitized, a);
  const TextId c = writer->put(sentence(1, 200) + "bc", PrivacyClass::kSanitized, b);
  writer->commit();
  std::map<TextId, TextId> references;
  facts->read()->each([&](TextId id, TextId reference) { references[id] = reference; });
  EXPECT_EQ(references, (std::map<TextId, TextId>{{a, TextId{}}, {b, a}, {c, TextId{}}}));
}

TEST(Facts, KeepsOriginalsOutOfSanitizedDictionaries) {
  const Place place;
  const auto facts = place.open();
  auto writer = facts->write();
  std::vector<std::pair<TextId, std::string>> texts;
  for (std::uint64_t i = 0; i < 2'000; ++i) {
    std::string text = "CANARY-7341 lives in Springfield " + sentence(i, 60);
    texts.emplace_back(writer->put(text, PrivacyClass::kOriginal), text);
    text = "nobody lives nowhere " + sentence(i + 9'000, 60);
    texts.emplace_back(writer->put(text, PrivacyClass::kSanitized), text);
  }
  writer->commit();
  const auto holds = [&](PrivacyClass cls) {
    const auto all = facts->dictionaries(cls);
    EXPECT_EQ(all.size(), 1U);
    for (const auto& bytes : all) {
      if (bytes.find("CANARY-7341") != std::string::npos) return true;
    }
    return false;
  };
  EXPECT_TRUE(holds(PrivacyClass::kOriginal));  // else the next line could not fail
  EXPECT_FALSE(holds(PrivacyClass::kSanitized));
  for (const auto& [id, text] : texts) ASSERT_EQ(facts->read()->text(id), text);
}

TEST(Facts, RefusesAFileThatIsCutOff) {
  const Place place;
  {
    const auto facts = place.open();
    auto writer = facts->write();
    for (std::uint64_t i = 0; i < 300; ++i) (void)writer->put(sentence(i, 100), PrivacyClass::kOriginal);
    writer->commit();
  }
  const auto file = place.dir / "data.mdb";
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 4'096);
  EXPECT_EQ(code_of([&] { (void)place.open(); }), Code::kCorrupt);
  std::filesystem::resize_file(file, 0);
  EXPECT_EQ(code_of([&] { (void)place.open(); }), Code::kCorrupt);
}

TEST(Facts, ShowsAReaderOneMoment) {
  const Place place;
  const auto facts = place.open();
  const auto before = facts->read();
  auto writer = facts->write();
  const TextId id = writer->put("new", PrivacyClass::kOriginal);
  writer->commit();
  EXPECT_FALSE(before->find("new"));
  EXPECT_EQ(facts->read()->find("new"), id);
}

TEST(Facts, ForgetsWhatIsNotCommitted) {
  const Place place;
  const auto facts = place.open();
  (void)facts->write()->put("lost", PrivacyClass::kOriginal);
  EXPECT_FALSE(facts->read()->find("lost"));
}

TEST(Facts, ErasesTextAndDigestAndNeverGivesAnIdTwice) {
  const Place place;
  const auto facts = place.open();
  auto writer = facts->write();
  const TextId id = writer->put("gone", PrivacyClass::kOriginal);
  EXPECT_TRUE(writer->erase(id));
  EXPECT_FALSE(writer->erase(id));
  EXPECT_FALSE(writer->find("gone"));
  EXPECT_NE(writer->put("gone", PrivacyClass::kOriginal), id);
  writer->commit();
  EXPECT_EQ(code_of([&] { (void)facts->read()->text(id); }), Code::kCorrupt);
  EXPECT_EQ(facts->verify([](TextId, const std::string& why) { ADD_FAILURE() << why; }), 1U);
}

TEST(Facts, CopiesItself) {
  const Place place;
  const Place empty;
  const auto copy = empty.dir / "copy";
  std::filesystem::create_directory(copy);
  TextId id;
  {
    const auto facts = place.open();
    auto writer = facts->write();
    id = writer->put("kept", PrivacyClass::kOriginal);
    writer->commit();
    facts->backup(copy);
  }
  struct stat status {};
  ASSERT_EQ(::stat((copy / "data.mdb").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);
  EXPECT_EQ(Facts(copy, kKey, kUuid).read()->text(id), "kept");
}

TEST(Facts, ComparesTheAddressAtEveryRead) {
  const Place place;
  TextId id;
  {
    const auto facts = place.open();
    auto writer = facts->write();
    id = writer->put("intact", PrivacyClass::kOriginal);
    writer->commit();
  }
  const Facts facts(place.dir, std::string(32, 'x'), kUuid);  // the frame is intact, its address is another
  EXPECT_EQ(code_of([&] { (void)facts.read()->text(id); }), Code::kCorrupt);
}

// The frame lies once in the file: every bit pattern of every byte near it must be noticed or change nothing.
TEST(Facts, NoticesAFlippedByteOfAText) {
  const Place place;
  const std::string text = "the quick brown fox 0123456789 jumps";
  TextId id;
  {
    const auto facts = place.open();
    auto writer = facts->write();
    id = writer->put(text, PrivacyClass::kOriginal);
    writer->commit();
  }
  std::ostringstream all;
  all << std::ifstream(place.dir / "data.mdb", std::ios::binary).rdbuf();
  const std::string bytes = all.str();
  const std::size_t at = bytes.find(text);
  ASSERT_NE(at, std::string::npos);
  int noticed = 0;
  for (std::size_t i = at - 5; i < at + text.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x41);
    std::ofstream(place.dir / "data.mdb", std::ios::binary) << damaged;
    const auto facts = place.open();
    EXPECT_EQ(code_of([&] { (void)facts->read()->text(id); }), Code::kCorrupt) << i - at;
    facts->verify([&](TextId, const std::string&) { ++noticed; });
  }
  EXPECT_EQ(noticed, static_cast<int>(text.size()) + 5);
}

// A text that is gone tells where it comes from.
TEST(Facts, RemembersTextsAsLongAsAsked) {
  const Place place;
  const auto facts = place.open();
  const auto put = [&](std::string_view text) {
    auto writer = facts->write();
    const TextId id = writer->put(text, PrivacyClass::kOriginal);
    writer->commit();
    return id;
  };
  const auto erase = [&](TextId id) {
    auto writer = facts->write();
    writer->erase(id);
    writer->commit();
  };
  const auto read = [&](TextId id) { return facts->read()->text(id); };
  const TextId first = put("Ada came in with a cough."), second = put("Ben was well.");
  {
    const auto remembered = facts->remember_texts(1'000);
    EXPECT_EQ(read(first), "Ada came in with a cough.");
    const auto within = facts->remember_texts(0);
    EXPECT_EQ(read(second), "Ben was well.");
    erase(first);
    erase(second);
    EXPECT_EQ(read(first), "Ada came in with a cough.");
    EXPECT_EQ(read(second), "Ben was well.") << "one within another is the same";
  }
  EXPECT_EQ(code_of([&] { (void)read(first); }), Code::kCorrupt);
  const TextId third = put("Cyd had nothing."), fourth = put(std::string(400, 'x'));
  const auto little = facts->remember_texts(200);
  EXPECT_EQ(read(fourth), std::string(400, 'x')) << "no room for it";
  EXPECT_EQ(read(third), "Cyd had nothing.");
  erase(third);
  erase(fourth);
  EXPECT_EQ(read(third), "Cyd had nothing.");
  EXPECT_EQ(code_of([&] { (void)read(fourth); }), Code::kCorrupt);
}

}  // namespace
}  // namespace residue::storage
