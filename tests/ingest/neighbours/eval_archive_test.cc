// Logs of inspect_ai as archives: written here member by member, as its recorder does.
#include "ingest/neighbours/eval_archive.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "ingest/neighbours/zip.h"
#include "tests/ingest/neighbours/neighbour_files.h"

namespace residue::ingest {
namespace {

using testing::run_of;
using testing::shown;
using Strings = std::vector<std::string>;

struct Member {
  std::string name, bytes;
  int method = 8;  // 0 stored, 8 deflated, 93 zstd, as the formats have it
};

std::string number(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

std::string packed(const Member& member) {
  if (member.method == 0) return member.bytes;
  std::string out(ZSTD_compressBound(member.bytes.size()) + 100, '\0');
  if (member.method == 93) {
    out.resize(ZSTD_compress(out.data(), out.size(), member.bytes.data(), member.bytes.size(), 3));
    return out;
  }
  z_stream stream{};
  deflateInit2(&stream, 5, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(member.bytes.data()));
  stream.avail_in = static_cast<uInt>(member.bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string archive(const std::vector<Member>& members, int flags = 0) {
  std::string all, directory;
  for (const Member& member : members) {
    const std::string bytes = packed(member);
    const auto crc =
        ::crc32(0, reinterpret_cast<const Bytef*>(member.bytes.data()), static_cast<uInt>(member.bytes.size()));
    const std::string common = number(20, 2) + number(static_cast<std::uint64_t>(flags), 2) +
                               number(static_cast<std::uint64_t>(member.method), 2) + number(0, 4) + number(crc, 4) +
                               number(bytes.size(), 4) + number(member.bytes.size(), 4) + number(member.name.size(), 2);
    directory += "PK\x01\x02" + number(20, 2) + common + number(0, 2) + number(0, 2) + number(0, 2) + number(0, 2) +
                 number(0, 4) + number(all.size(), 4) + member.name;
    all += "PK\x03\x04" + common + number(0, 2) + member.name + bytes;
  }
  const std::size_t offset = all.size();
  return all + directory + "PK\x05\x06" + number(0, 4) + number(members.size(), 2) + number(members.size(), 2) +
         number(directory.size(), 4) + number(offset, 4) + number(0, 2);
}

constexpr const char* kHeader = R"({"version": 2, "status": "success", "eval": {"task": "mask", "model": "m"}})";

std::string sample(const std::string& id, const std::string& text, int epoch = 1) {
  return R"({"id": ")" + id + R"(", "epoch": )" + std::to_string(epoch) + R"(, "output": {"completion": ")" + text +
         R"("}})";
}

TEST(EvalArchive, HasItsSamplesInEveryPacking) {
  for (const int method : {0, 8, 93}) {
    SCOPED_TRACE(method);
    const std::string bytes = archive({{"_journal/start.json", "{}", method},
                                       {"samples/a_epoch_1.json", sample("a", "A"), method},
                                       {"samples/b_epoch_1.json", sample("b", std::string(100'000, 'B')), method},
                                       {"summaries.json", "[]", method},
                                       {"header.json", kHeader, method}});
    const auto run = run_of(bytes, "inspect", {}, ".eval");
    EXPECT_EQ(run.error, "");
    EXPECT_EQ(shown(run.rows), (Strings{"a|A|-", "b|" + std::string(100'000, 'B') + "|-"}));
    EXPECT_EQ(run.rows.at(1).line, 2U);
    EXPECT_EQ(run.notes, Strings{});
    EXPECT_TRUE(run.whole);
    EXPECT_EQ(shown(run_of(bytes, "", {}, ".eval").rows), shown(run.rows));
  }
}

TEST(EvalArchive, TakesTheLastOfSeveralMembersOfOneName) {
  const auto run = run_of(archive({{"header.json", kHeader},
                                   {"samples/a_epoch_1.json", sample("a", "old")},
                                   {"samples/b_epoch_1.json", sample("b", "B")},
                                   {"samples/a_epoch_1.json", sample("a", "new")}}),
                          "inspect", {}, ".eval");
  EXPECT_EQ(shown(run.rows), (Strings{"a|new|-", "b|B|-"}));
}

TEST(EvalArchive, SaysThatALogIsNotFinished) {
  const auto run = run_of(archive({{"_journal/start.json", R"({"version": 2, "eval": {"model": "m"}, "plan": {}})"},
                                   {"samples/a_epoch_1.json", sample("a", "A")}}),
                          "inspect", {}, ".eval");
  EXPECT_EQ(shown(run.rows), Strings{"a|A|-"});
  EXPECT_EQ(run.notes, Strings{"the log is not finished: it may lack samples"});
}

TEST(EvalArchive, RefusesOtherArchives) {
  const struct {
    std::string bytes;
    const char* error;
  } kCases[] = {
      {archive({{"notes.txt", "x"}}), "FILE is an archive, but no log of inspect_ai"},
      {archive({{"header.json", R"({"version": 2})"}}), "FILE is no log of inspect_ai: it has no \"eval\""},
      {archive({{"header.json", kHeader}, {"samples/a_epoch_1/sample.json", "{}"}}),
       "FILE has samples in parts (version 3)"},
      {archive({{"header.json", kHeader, 12}}), "FILE: a member is packed by method 12, which is not read here"},
      {archive({{"header.json", kHeader}}, 1), "FILE: its members are encrypted"},
      {archive({{"header.json", kHeader}, {"samples/a_epoch_1.json", sample("a", "A").substr(0, 20)}}),
       "FILE:1: not well-formed JSON"},
      {"PK\x03\x04", "FILE: not a whole ZIP archive"},
  };
  for (const auto& [bytes, error] : kCases) {
    SCOPED_TRACE(error);
    const auto run = run_of(bytes, "inspect", {}, ".eval");
    EXPECT_EQ(run.code, 6);
    EXPECT_EQ(run.error, error);
  }
  EXPECT_TRUE(run_of(archive({{"header.json", kHeader}}), "inspect", {}, ".eval").rows.empty());
}

TEST(EvalArchive, RefusesEveryArchiveThatIsCutOff) {
  const std::string bytes = archive({{"header.json", kHeader}, {"samples/a_epoch_1.json", sample("a", "A")}});
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    SCOPED_TRACE(size);
    EXPECT_EQ(run_of(bytes.substr(0, size), "inspect", {}, ".eval").code, 6);
  }
}

TEST(EvalArchive, NoticesEveryWrongByteOfAMember) {
  const std::string text = sample("a", "The patient is a nurse.");
  for (const int method : {0, 8, 93}) {
    const std::string bytes = archive({{"header.json", kHeader, 0}, {"samples/a_epoch_1.json", text, method}});
    const std::string name = "samples/a_epoch_1.json";
    const std::size_t from = bytes.find(name) + name.size();
    const std::size_t to = bytes.find("PK\x01\x02");
    const auto good = shown(run_of(bytes, "inspect", {}, ".eval").rows);
    std::size_t unnoticed = 0;
    for (std::size_t at = from; at < to; ++at) {
      std::string wrong = bytes;
      wrong[at] = static_cast<char>(wrong[at] ^ 0x04);
      const auto run = run_of(wrong, "inspect", {}, ".eval");
      if (run.code != 6 && run.bad.empty() && shown(run.rows) != good) ++unnoticed;
    }
    EXPECT_EQ(unnoticed, 0U);
  }
}

}  // namespace
}  // namespace residue::ingest
