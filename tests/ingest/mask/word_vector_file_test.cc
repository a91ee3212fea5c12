#include "ingest/mask/word_vector_file.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "tests/ingest/read_rows.h"

namespace residue::ingest {
namespace {

text::WordModel trained_on(std::string_view line) {
  text::WordModelTrainer trainer;
  trainer.add({&line, 1});
  return trainer.finish();
}

TEST(WordVectorFile, GivesTheWordsThatTheModelKnows) {
  const text::WordModel model = trained_on("ann met bob and tom");
  const TempFile file("ann 3 0\nzoe 1 1\nbob 0.6 0.8 \nmet 0 -2e1\nand 0 0\nann 0 1\n");
  WordVectorFile read = read_word_vectors(file.path(), model);
  EXPECT_EQ(read.vectors.dimensions, 2U);
  EXPECT_EQ(read.vectors.words.size(), 5U);
  const text::WordVectors vectors(std::move(read.vectors));
  EXPECT_NEAR(vectors.distance(model.id("ann"), model.id("bob")), 0.4, 1e-15);
  EXPECT_NEAR(vectors.distance(model.id("bob"), model.id("met")), 1.8, 1e-15);
  EXPECT_FALSE(vectors.has(model.id("and"))) << "zeros have no direction";
  EXPECT_FALSE(vectors.has(model.id("tom")));
  EXPECT_FALSE(vectors.has(text::WordModel::kUnknown));
}

TEST(WordVectorFile, ReadsWord2vecsFirstLine) {
  const text::WordModel model = trained_on("ann met bob");
  const TempFile with("2 2\nann 3 0\nbob 1 1\n"), without("ann 3 0\nbob 1 1\n"), turned("bob 1 1\nann 3 0\n");
  EXPECT_EQ(read_word_vectors(with.path(), model).vectors.words,
            read_word_vectors(without.path(), model).vectors.words);
  EXPECT_EQ(read_word_vectors(turned.path(), model).content, read_word_vectors(without.path(), model).content);
  EXPECT_NE(read_word_vectors(with.path(), model).content, read_word_vectors(without.path(), model).content);
}

TEST(WordVectorFile, NamesTheLineThatCannotBeRead) {
  const text::WordModel model = trained_on("ann met bob");
  struct Case {
    const char* bytes;
    const char* message;
  };
  for (const Case& c : {Case{"ann 1 x\n", ":1: a word without finite numbers"},
                        {"ann 1 2\nbob\n", ":2: a word without finite numbers"},
                        {"ann 1 2\nbob nan 1\n", ":2: a word without finite numbers"},
                        {"ann 1 2\nbob 1e999 1\n", ":2: a word without finite numbers"},
                        {"ann 1 2\nbob 1  2\n", ":2: a word without finite numbers"},
                        {"ann 1 2\n 1 2\n", ":2: a line without a word"},
                        {"ann 1 2\n\nzoe 1 2 3\n", ":3: 3 numbers where the first word has 2"},
                        {"zoe 1 2\n", " has no vector for any word of the training text"},
                        {"", " has no vector for any word of the training text"}}) {
    SCOPED_TRACE(c.bytes);
    const TempFile file(c.bytes);
    try {
      read_word_vectors(file.path(), model);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kBadInput);
      EXPECT_EQ(error.what(), std::string(file.path()) + c.message);
    }
  }
}

}  // namespace
}  // namespace residue::ingest
