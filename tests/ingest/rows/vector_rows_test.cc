#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/ingest/read_rows.h"

namespace residue::ingest {
namespace {

Read<VectorRow> read_lines(const std::string& bytes, VectorSourceOptions options = {},
                           const std::string& ending = ".jsonl") {
  const TempFile file(bytes, ending);
  options.path = file.path();
  return read_all(open_vectors(options));
}

template <class T>
std::string raw(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

std::string npy(const std::string& descr, const std::string& shape, const std::string& values,
                const std::string& order = "False") {
  std::string header = "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  header.resize(118, ' ');
  header.back() = '\n';
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + values;
}

Read<VectorRow> read_npy(const std::string& bytes, const std::string& ids, VectorSourceOptions options = {}) {
  const TempFile file(bytes, ".npy");
  const TempFile names(ids, ".txt");
  options.path = file.path();
  options.ids = names.path();
  return read_all(open_vectors(options));
}

// The message of the Error without the names of the files.
std::string refusal(const std::string& bytes, const std::string& ids) {
  try {
    read_npy(bytes, ids);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kBadInput);
    EXPECT_FALSE(error.hint().empty());
    const std::string what = error.what();
    return what.substr(std::min(what.size(), what.find(".npy") + 4));
  }
  return "";
}

TEST(VectorRows, ReadsRecordsVariantsAndClaims) {
  VectorSourceOptions options;
  options.run = "azure";
  const auto read = read_lines(
      "{\"id\":\"r-12\",\"of\":\"record\",\"vector\":[0.1,-2,1e-3]}\n"
      "{\"id\":7,\"vector\":[1]}\n"
      "{\"id\":\"a#b\",\"of\":\"variant\",\"vector\":[1]}\n"
      "{\"id\":\"a\",\"of\":\"variant\",\"run\":\"dp\",\"vector\":[1]}\n"
      "{\"id\":\"a#b#2\",\"of\":\"claim\",\"vector\":[1]}\n",
      options);
  ASSERT_EQ(read.rows.size(), 5U);
  EXPECT_TRUE(read.bad.empty());
  EXPECT_EQ(read.rows[0].values, (std::vector<float>{0.1F, -2.0F, 1e-3F}));
  EXPECT_EQ(read.rows[1].key, "7");
  EXPECT_EQ(read.rows[1].of, VectorOf::kRecord);
  EXPECT_EQ(read.rows[2].key + *read.rows[2].run, "a#bazure");
  EXPECT_EQ(read.rows[3].run, "dp");
  EXPECT_EQ(read.rows[4].key + std::to_string(read.rows[4].claim), "a#b2");
  EXPECT_EQ(read.rows[4].line, 5U);
}

TEST(VectorRows, SaysWhatIsWrongWithALine) {
  struct Case {
    const char* line;
    const char* cause;
  };
  for (const auto& [line, cause] : {
           Case{R"({"vector":[1]})", "field \"id\" is missing"},
           Case{R"({"id":"a"})", "field \"vector\" is missing"},
           Case{R"({"id":"a","vector":[]})", "the vector is empty"},
           Case{R"({"id":"a","vector":[0,0.0,-0.0]})",
                "the vector has no direction: in single precision all its values are 0"},
           Case{R"({"id":"a","vector":[1e-60]})",
                "the vector has no direction: in single precision all its values are 0"},
           Case{R"({"id":"a","vector":[1e39]})", "the vector has a value that is not finite in single precision"},
           Case{R"({"id":"a","vector":[NaN]})", "a number is not finite"},
           Case{R"({"id":"a","vector":[0.5, Infinity]})", "a number is not finite"},
           Case{R"({"vector":[0.5,-Infinity],"id":"a \" , \\"})", "a number is not finite"},
           Case{R"({"vector":NaN,"id":"a"})", "a number is not finite"},
           Case{R"({"id":"a, NaN","vector":[nan]})", "not one JSON object"},
           Case{R"({"id":"a, \",NaN","vector":[1})", "not one JSON object"},
           Case{R"({"id":"a","vector":["1"]})", "field \"vector\" is no array of numbers"},
           Case{R"({"id":"a","vector":[null]})", "field \"vector\" is no array of numbers"},
           Case{R"({"id":"a","vector":{"x":1}})", "field \"vector\" is no array of numbers"},
           Case{R"({"id":"a","of":"text","vector":[1]})", "field \"of\" has an unknown value"},
           Case{R"({"id":"a","of":"variant","vector":[1]})", "a variant's vector names no run"},
           Case{R"({"id":"a","of":"claim","vector":[1]})", "field \"id\" is no reference to a claim"},
       }) {
    SCOPED_TRACE(line);
    const auto read = read_lines(std::string(line) + "\n");
    ASSERT_EQ(read.bad.size(), 1U);
    EXPECT_EQ(read.bad[0].cause, cause);
    EXPECT_FALSE(read.bad[0].remedy.empty());
  }
  VectorSourceOptions options;
  options.of = "variant";
  EXPECT_EQ(read_lines("{\"id\":\"a\",\"of\":\"record\",\"vector\":[1]}\n", options).bad[0].cause,
            "the row's \"of\" is not what --of says");
}

TEST(VectorRows, ReadsArraysInCellsOfCsv) {
  VectorSourceOptions options;
  options.map["vector"] = "embedding";
  const auto read =
      read_lines("id,embedding\na,\"[1, -0.5]\"\nb,1\nc,\"[1,NaN]\"\nd,[2]\ne,\"[1,2\"\n", options, ".csv");
  ASSERT_EQ(read.rows.size(), 2U);
  EXPECT_EQ(read.rows[0].values, (std::vector<float>{1, -0.5F}));
  EXPECT_EQ(read.rows[1].values, std::vector<float>{2});
  ASSERT_EQ(read.bad.size(), 3U);
  EXPECT_EQ(read.bad[0].cause, "field \"vector\" is no array of numbers");
  EXPECT_EQ(read.bad[1].cause, "a number is not finite");
  EXPECT_EQ(read.bad[2].cause, "field \"vector\" is no array of numbers");
}

TEST(VectorRows, SkipsTheByteOrderMarkOfAnIdsFile) {
  const auto read = read_npy(npy("<f4", "(1, 1)", raw<float>({2})), "\xEF\xBB\xBFr-1\n");
  EXPECT_EQ(read.rows.at(0).key, "r-1");
}

TEST(VectorRows, ReadsNumPyMatricesOfEveryPrecision) {
  const std::vector<float> expected = {1, -0.5F, 65504, 0.000030517578125F};
  const std::string half = raw<std::uint16_t>({0x3C00, 0xB800, 0x7BFF, 0x0200});
  for (const auto& bytes :
       {npy("<f4", "(2, 2)", raw<float>(expected)),
        npy("<f8", "(2,2)", raw<double>({expected.begin(), expected.end()})), npy("<f2", "(2, 2)", half)}) {
    const auto read = read_npy(bytes, "a\nb\n");
    ASSERT_EQ(read.rows.size(), 2U);
    EXPECT_EQ(read.rows[0].values, (std::vector<float>{1, -0.5F}));
    EXPECT_EQ(read.rows[1].values, (std::vector<float>{65504, 0.000030517578125F}));
    EXPECT_EQ(read.rows[0].key + read.rows[1].key, "ab");
    EXPECT_EQ(read.rows[1].line, 2U);
  }
}

TEST(VectorRows, ReadsTheSecondVersionOfTheFormat) {
  std::string second = npy("<f4", "(1, 1)", raw<float>({2}));
  second[6] = 2;
  second.insert(10, 2, '\0');
  EXPECT_EQ(read_npy(second, "a").rows.at(0).values, std::vector<float>{2});
}

TEST(VectorRows, RefusesMatricesThatItCannotRead) {
  const std::string four = raw<float>({1, 2, 3, 4});
  EXPECT_EQ(refusal(npy("<f4", "(2, 2)", four, "True"), "a\nb\n"), ": it is in Fortran order");
  for (const char* type : {">f4", "<i4", "|S4", "<f16"}) {
    EXPECT_EQ(refusal(npy(type, "(2, 2)", four), "a\nb\n"),
              ": its values are not little-endian floats (<f2, <f4, <f8)");
  }
  EXPECT_EQ(refusal(npy("<f4", "(4,)", four), "a\n"), ": it has 1 dimensions");
  EXPECT_EQ(refusal(npy("<f4", "(2, 1, 2)", four), "a\nb\n"), ": it has 3 dimensions");
  EXPECT_EQ(refusal(npy("<f4", "(2, 0)", ""), "a\nb\n"), ": the length of its rows is not from 1 to 65,536");
  EXPECT_EQ(refusal(npy("<f4", "(2, x)", four), "a\nb\n"), ": the header cannot be read");
  EXPECT_EQ(refusal("PK\x03\x04", "a\n"), ": this is no .npy file");
  EXPECT_EQ(refusal(npy("<f4", "(2, 2)", four).substr(0, 60), "a\nb\n"), ": the header is cut off");
  EXPECT_EQ(refusal(npy("<f4", "(2, 2)", four.substr(0, 15)), "a\nb\n"), ": the file ends in row 2 of 2");
  EXPECT_EQ(refusal(npy("<f4", "(2, 2)", four + "x"), "a\nb\n"), ": it has more data after row 2");
}

TEST(VectorRows, RefusesIdsThatDoNotFitTheRows) {
  const std::string bytes = npy("<f4", "(2, 1)", raw<float>({1, 2}));
  EXPECT_EQ(error_code([&] { read_npy(bytes, "a\n"); }), 6);
  EXPECT_EQ(error_code([&] { read_npy(bytes, "a\nb\nc\n"); }), 6);
  EXPECT_EQ(error_code([&] { read_npy(bytes, "a\n\nb\n"); }), 6);
  EXPECT_EQ(error_code([&] { read_npy(bytes, "a\n\xFF\n"); }), 6);
  EXPECT_EQ(read_npy(bytes, "a\r\nb\n\n").rows.size(), 2U);
  const TempFile alone(bytes, ".npy");
  VectorSourceOptions options;
  options.path = alone.path();
  EXPECT_EQ(error_code([&] { open_vectors(options); }), 2);
}

TEST(VectorRows, NamesTheRowOfABadValue) {
  const auto read = read_npy(npy("<f4", "(4, 1)", raw<float>({1, NAN, INFINITY, 0})), "a\nb\nc\nd\n");
  ASSERT_EQ(read.bad.size(), 3U);
  EXPECT_EQ(read.bad[0].line, 2U);
  EXPECT_EQ(read.bad[1].line, 3U);
  EXPECT_EQ(read.bad[2].cause, "the vector has no direction: in single precision all its values are 0");
  EXPECT_EQ(read_npy(npy("<f8", "(1, 1)", raw<double>({1e39})), "a\n").bad.size(), 1U);
}

}  // namespace
}  // namespace residue::ingest
