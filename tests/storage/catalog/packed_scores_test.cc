#include "storage/catalog/packed_scores.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <stdlib.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "storage/catalog/sqlite.h"

namespace residue::storage {
namespace {

std::vector<PackedScore> unpack(std::string_view bytes) {
  std::vector<PackedScore> scores;
  ScoreReader reader(bytes);
  PackedScore score;
  while (reader.next(score)) scores.push_back(score);
  return scores;
}

std::vector<PackedScore> some_scores() {
  const auto number = *rc::gen::oneOf(rc::gen::arbitrary<std::int64_t>(),
                                      rc::gen::element<std::int64_t>(0, 1, -1, std::numeric_limits<std::int64_t>::min(),
                                                                     std::numeric_limits<std::int64_t>::max()));
  const auto any = [&] {
    return *rc::gen::weightedOneOf<std::int64_t>({{2, rc::gen::just(number)},
                                                  {3, rc::gen::inRange<std::int64_t>(0, 3)},
                                                  {2, rc::gen::arbitrary<std::int64_t>()}});
  };
  std::vector<PackedScore> scores(*rc::gen::inRange<std::size_t>(0, 40));
  for (PackedScore& score : scores) {
    score.metric = *rc::gen::inRange<std::int64_t>(0, 300);
    score.cut = *rc::gen::inRange<std::int64_t>(0, 3) * *rc::gen::inRange<std::int64_t>(0, 1'000'000);
    score.slice = *rc::gen::inRange<std::uint8_t>(0, 4);
    score.state = *rc::gen::inRange<std::uint8_t>(0, 4);
    score.num = any();
    score.den = any();
    score.best = any();
  }
  return scores;
}

RC_GTEST_PROP(PackedScores, GiveBackWhatWasPacked, ()) {
  const std::vector<PackedScore> scores = some_scores();
  RC_ASSERT(unpack(pack_scores(scores)) == scores);
}

RC_GTEST_PROP(PackedScores, BytesOfNobodyAreScoresOrAnError, (const std::string& bytes)) {
  try {
    const std::vector<PackedScore> scores = unpack(bytes);
    for (const PackedScore& score : scores) RC_ASSERT(score.slice < 4 && score.state < 4);
  } catch (const Error& error) {
    RC_ASSERT(error.code() == Code::kCorrupt);
  }
}

TEST(PackedScores, AreShort) {
  const PackedScore common{.metric = 12, .cut = 0, .slice = 1, .state = 0, .num = 1, .den = 1, .best = 1};
  EXPECT_EQ(pack_scores(std::span(&common, 1)).size(), 3U);
}

TEST(PackedScores, CutOffAreDamaged) {
  const PackedScore score{.metric = 300, .cut = 7, .slice = 3, .state = 2, .num = -5, .den = 1'000, .best = 4};
  const std::string bytes = pack_scores(std::span(&score, 1));
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    EXPECT_THROW(unpack(std::string_view(bytes).substr(0, size)), Error) << size;
  }
}

class PackedScoresTable : public ::testing::Test {
 protected:
  PackedScoresTable() {
    std::string name = (std::filesystem::temp_directory_path() / "residue-packed-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
    db_ = std::make_unique<Db>(dir_ / "catalog.db", DbMode::kCreate);
    db_->run("CREATE TABLE packed (id INTEGER PRIMARY KEY, scores BLOB) STRICT");
    db_->run(
        "CREATE VIEW row AS SELECT k.id, p.metric, p.cut, p.slice, p.state, p.num, p.den, p.best FROM packed k"
        " JOIN packed_scores(k.scores) p");
  }
  ~PackedScoresTable() override {
    db_.reset();
    std::filesystem::remove_all(dir_);
  }
  void put(std::int64_t id, const std::string& bytes) {
    db_->prepare("INSERT INTO packed VALUES (?1, ?2)").run(id, Statement::Blob{bytes});
  }
  std::vector<PackedScore> rows(const char* sql) {
    std::vector<PackedScore> all;
    Statement find = db_->prepare(sql);
    while (find.step()) {
      all.push_back({find.integer(0), find.integer(1), static_cast<std::uint8_t>(find.integer(2)),
                     static_cast<std::uint8_t>(find.integer(3)), find.integer(4), find.integer(5), find.integer(6)});
    }
    return all;
  }
  std::filesystem::path dir_;
  std::unique_ptr<Db> db_;
};

TEST_F(PackedScoresTable, HasARowForEachScore) {
  const std::vector<PackedScore> first = {{1, 0, 0, 0, 5, 1, 5}, {2, 0, 1, 2, -7, 9, 0}, {2, 4, 1, 0, 1, 1, 1}};
  const std::vector<PackedScore> second = {{2, 0, 3, 3, 0, 0, 0}};
  put(1, pack_scores(first));
  put(2, pack_scores(second));
  put(3, "");
  EXPECT_EQ(rows("SELECT metric, cut, slice, state, num, den, best FROM row WHERE id = 1"), first);
  EXPECT_EQ(rows("SELECT metric, cut, slice, state, num, den, best FROM row WHERE id = 3").size(), 0U);
  EXPECT_EQ(rows("SELECT metric, cut, slice, state, num, den, best FROM row WHERE metric = 2 ORDER BY id, cut"),
            (std::vector<PackedScore>{first[1], first[2], second[0]}));
  EXPECT_EQ(rows("SELECT metric, cut, slice, state, num, den, best FROM row WHERE metric = 2.0 AND cut = 4"),
            (std::vector<PackedScore>{first[2]}));
  EXPECT_EQ(rows("SELECT metric, cut, slice, state, num, den, best FROM row WHERE metric = 'two'").size(), 0U);
  EXPECT_EQ(rows("SELECT a.metric, a.cut, a.slice, b.state, a.num, a.den, a.best FROM row a JOIN row b ON"
                 " b.metric = a.metric AND b.cut = a.cut AND b.id > a.id"),
            (std::vector<PackedScore>{{2, 0, 1, 3, -7, 9, 0}}));
}

TEST_F(PackedScoresTable, SaysThatBytesAreDamaged) {
  put(1, "\xff\xff");
  Statement find = db_->prepare("SELECT count(*) FROM row");
  try {
    find.step();
    FAIL() << "damage was not seen";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kCorrupt);
  }
}

TEST_F(PackedScoresTable, WithoutArgumentIsEmpty) {
  EXPECT_TRUE(rows("SELECT metric, cut, slice, state, num, den, best FROM packed_scores").empty());
}

}  // namespace
}  // namespace residue::storage
