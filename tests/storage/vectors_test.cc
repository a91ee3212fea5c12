#include "storage/vectors.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "storage/check.h"

namespace residue::storage {
namespace {

namespace fs = std::filesystem;

// Bytes that do not compress.
std::string noise(int seed) {
  std::string text;
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    text.push_back(static_cast<char>(hash_of(static_cast<std::uint64_t>(seed), "noise", i)));
  }
  return text;
}

class Vectors : public ::testing::Test {
 protected:
  Vectors() {
    std::string name = (fs::temp_directory_path() / "residue-vectors-XXXXXX").string();
    dir_ = ::mkdtemp(name.data());
    Store::create(dir_);
    open();
    const auto batch = store_->write();
    for (int i = 0; i < 400; ++i)
      texts_.push_back(batch->put_text("text " + std::to_string(i), PrivacyClass::kOriginal));
    batch->commit();
  }
  ~Vectors() override {
    store_.reset();
    fs::remove_all(dir_);
  }
  void open() { store_ = std::make_unique<Store>(dir_ / ".residue"); }

  void put(const std::vector<std::pair<std::size_t, std::vector<float>>>& vectors, const char* model = "m") {
    VectorWriter writer(store_->db(), model);
    const auto batch = store_->write();
    writer.begin();
    for (const auto& [text, values] : vectors) writer.put(*batch, texts_[text], values);
    writer.end();
    batch->commit();
  }
  Embedder embedder(const char* model = "m") { return find_embedder(store_->db(), model); }
  std::vector<float> load(std::size_t text, const char* model = "m") {
    return load_vectors(store_->db(), *store_->facts().read(), embedder(model), std::span(texts_).subspan(text, 1));
  }
  // Changes the first place in facts/ that has these bytes.
  void damage(const std::vector<float>& values) {
    store_.reset();
    const fs::path file = dir_ / ".residue" / "facts" / "data.mdb";
    std::stringstream all;
    all << std::ifstream(file, std::ios::binary).rdbuf();
    const std::string bytes = all.str();
    const std::size_t at = bytes.find({reinterpret_cast<const char*>(values.data()), values.size() * 4});
    ASSERT_NE(at, std::string::npos);
    std::fstream change(file, std::ios::binary | std::ios::in | std::ios::out);
    change.seekp(static_cast<std::streamoff>(at));
    change.put('\x7F');
    change.close();
    open();
  }

  fs::path dir_;
  std::unique_ptr<Store> store_;
  std::vector<TextId> texts_;
};

TEST_F(Vectors, ModelsAreKeptApart) {
  put({{0, {1, 2}}});
  put({{0, {3, 4, 5}}}, "other");
  EXPECT_EQ(load(0), (std::vector<float>{1, 2}));
  EXPECT_EQ(load(0, "other"), (std::vector<float>{3, 4, 5}));
  EXPECT_EQ(load(1), (std::vector<float>{0, 0}));
  try {
    (void)embedder("othr");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kNotFound);
    EXPECT_STREQ(error.what(), "no vectors of a model \"othr\"; did you mean \"other\"?");
  }
}

TEST_F(Vectors, TheFingerprintForgetsTheOrderAndTheHistory) {
  put({{0, {1, 2}}, {1, {3, 4}}});
  put({{1, {9, 9}}, {2, {5, 6}}}, "other");
  put({{1, {3, 4}}, {0, {7, 8}}}, "other");
  EXPECT_NE(embedder("other").content, embedder().content);
  put({{2, {5, 6}}});
  put({{0, {1, 2}}}, "other");
  EXPECT_EQ(embedder("other").content, embedder().content);
  put({{0, {2, 1}}}, "other");
  EXPECT_NE(embedder("other").content, embedder().content);
}

TEST_F(Vectors, DamageIsNoticedAndIngestingAgainHealsIt) {
  const std::vector<float> values = {1.25F, -3.5F, 42.0F, 7.75F};
  put({{3, values}, {4, {1, 1, 1, 1}}});
  const std::string content = embedder().content;
  damage(values);
  EXPECT_THROW(load(3), Error);
  EXPECT_EQ(load(4), (std::vector<float>{1, 1, 1, 1}));
  const CheckResult result = check_store(*store_);
  EXPECT_EQ(result.vectors, 2U);
  EXPECT_EQ(result.problems.size(), 1U);
  put({{3, values}});
  EXPECT_EQ(load(3), values);
  EXPECT_EQ(embedder().content, content);
  EXPECT_TRUE(check_store(*store_).problems.empty());
}

TEST_F(Vectors, CheckComparesTheCatalogWithTheFacts) {
  put({{0, {1, 2}}, {1, {3, 4}}});
  const auto problems_after = [&](const char* sql) {
    const auto batch = store_->write();
    batch->db().run(sql);
    batch->commit();
    return check_store(*store_).problems;
  };
  EXPECT_EQ(problems_after("UPDATE vector SET vector_id = 99 WHERE vector_id = 2"),
            (std::vector<std::string>{"facts: vector 99: it is not there"}));
  EXPECT_EQ(problems_after("UPDATE vector SET vector_id = 1 WHERE vector_id = 99"),
            (std::vector<std::string>{"facts: vector 1: it is the vector of another text"}));
  EXPECT_EQ(problems_after("DELETE FROM vector WHERE text_id = 2"),
            (std::vector<std::string>{"catalog: the fingerprint of model m is not that of its vectors"}));
  EXPECT_EQ(problems_after("UPDATE embedder SET dimension = 3").at(0), "facts: vector 1: it has another dimension");
}

TEST_F(Vectors, AFileThatLostAPageOfVectorsIsRefused) {
  std::vector<std::pair<std::size_t, std::vector<float>>> many;
  for (std::size_t i = 0; i < texts_.size(); ++i)
    many.push_back({i, std::vector<float>(384, static_cast<float>(i + 1))});
  std::vector<TextId> early;
  {
    const auto batch = store_->write();
    for (int i = 0; i < 100; ++i) early.push_back(batch->put_text(noise(i), PrivacyClass::kOriginal));
    batch->commit();
  }
  put(many);
  {
    const auto batch = store_->write();
    for (const TextId id : early) batch->facts().erase(id);
    batch->commit();
  }
  for (int i = 0; i < 5; ++i) {  // freed pages are used again, lowest first: at the end of the file are vectors alone
    const auto batch = store_->write();
    batch->put_text("more " + std::to_string(i), PrivacyClass::kOriginal);
    batch->commit();
  }
  store_.reset();
  const fs::path file = dir_ / ".residue" / "facts" / "data.mdb";
  const auto whole = fs::file_size(file);
  const fs::path copy = dir_ / "copy";
  fs::copy_file(file, copy);
  for (const std::uintmax_t lost : {60U, 150U}) {  // pages; the last ones are free
    SCOPED_TRACE(lost);
    fs::resize_file(file, whole - lost * 4'096);
    try {
      open();
      ADD_FAILURE() << "opened";
      store_.reset();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kCorrupt);
    }
    fs::copy_file(copy, file, fs::copy_options::overwrite_existing);
  }
  open();
  EXPECT_TRUE(check_store(*store_).problems.empty());
}

}  // namespace
}  // namespace residue::storage
