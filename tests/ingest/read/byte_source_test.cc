#include "ingest/read/byte_source.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "tests/ingest/read_rows.h"

namespace residue::ingest {
namespace {

std::string gzip(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()) + 32, '\0');
  std::string in = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

std::string drained(std::unique_ptr<ByteSource> source) {
  std::string out;
  char block[1000];
  while (const std::size_t got = source->read(block, sizeof block)) out.append(block, got);
  return out;
}

std::string noise(std::size_t size) {
  std::string out;
  std::uint32_t x = 1;
  while (out.size() < size) out += static_cast<char>('a' + ((x = x * 1664525U + 1013904223U) >> 24U) % 26);
  return out;
}

TEST(ByteSource, UndoesGzipAndZstdByTheirFirstBytes) {
  const std::string text = noise(700000);
  EXPECT_EQ(drained(memory_bytes(text)), text);
  EXPECT_EQ(drained(memory_bytes(gzip(text))), text);
  EXPECT_EQ(drained(memory_bytes(zstd(text))), text);
  for (const std::string small : {"", "a", "abc"}) EXPECT_EQ(drained(memory_bytes(small)), small);
}

TEST(ByteSource, ReadsSeveralMembers) {
  const std::string a = noise(300000);
  EXPECT_EQ(drained(memory_bytes(gzip(a) + gzip("") + gzip("b"))), a + "b");
  EXPECT_EQ(drained(memory_bytes(zstd(a) + zstd("") + zstd("b"))), a + "b");
}

TEST(ByteSource, ReportsCompressionThatIsCutOrDamaged) {
  const std::string text = noise(300000);
  for (const std::string& packed : {gzip(text), zstd(text)}) {
    for (const std::size_t keep : {std::size_t{5}, packed.size() / 2, packed.size() - 1}) {
      SCOPED_TRACE(keep);
      const std::string cut = packed.substr(0, keep);
      EXPECT_EQ(error_code([&] { drained(memory_bytes(cut)); }), 6);
    }
  }
  std::string damaged = gzip(text);
  damaged[damaged.size() / 2] ^= 0x55;
  EXPECT_EQ(error_code([&] { drained(memory_bytes(damaged)); }), 6);
}

TEST(ByteSource, TellsMissingFilesFromFolders) {
  EXPECT_EQ(error_code([] { open_bytes("/no/such/file"); }), 3);
  EXPECT_EQ(error_code([] { open_bytes(std::filesystem::temp_directory_path()); }), 2);
}

TEST(ByteSource, ReadsStandardInputThroughAPipe) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int saved = ::dup(STDIN_FILENO);
  ::dup2(ends[0], STDIN_FILENO);
  ::close(ends[0]);
  const std::string bytes = gzip("{\"id\":1,\"text\":\"a\"}\n{\"id\":2,\"text\":\"" + noise(300000) + "\"}\n");
  std::thread writer([&] {
    // In bits, so that no read sees a whole member.
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t size = std::min<std::size_t>(at < 10 ? 1 : 777, bytes.size() - at);
      const ssize_t put = ::write(ends[1], bytes.data() + at, size);
      if (put <= 0) break;
      at += static_cast<std::size_t>(put);
    }
    ::close(ends[1]);
  });
  auto source = open_records({});
  EXPECT_FALSE(source->bytes_total());
  const auto read = read_all(std::move(source));
  writer.join();
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ASSERT_EQ(read.rows.size(), 2U);
  EXPECT_EQ(read.rows[1].text->size(), 300000U);
}

// One line of 1 GiB in 100 KiB: refused, and the memory is that of the longest good line.
TEST(ByteSource, ReadsABombInBoundedMemory) {
  std::string packed;
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, 1);
  const std::string zeros(1U << 20U, '0');
  std::string out(ZSTD_CStreamOutSize(), '\0');
  const auto put = [&](const std::string& bytes, ZSTD_EndDirective end) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    for (std::size_t left = 1; in.pos < in.size || (end == ZSTD_e_end && left > 0);) {
      ZSTD_outBuffer to{out.data(), out.size(), 0};
      left = ZSTD_compressStream2(context, &to, &in, end);
      ASSERT_FALSE(ZSTD_isError(left));
      packed.append(out, 0, to.pos);
    }
  };
  put("{\"id\":1,\"text\":\"", ZSTD_e_continue);
  for (int i = 0; i < 1024; ++i) put(zeros, ZSTD_e_continue);
  put("\"}\n{\"id\":2,\"text\":\"a\"}\n", ZSTD_e_end);
  ZSTD_freeCCtx(context);

  const auto peak_kib = [] {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  const long before = peak_kib();
  const auto read = read_records(packed, {}, ".jsonl.zst");
  ASSERT_EQ(read.bad.size(), 1U);
  EXPECT_EQ(read.bad[0].line, 1U);
  ASSERT_EQ(read.rows.size(), 1U);
  EXPECT_EQ(read.rows[0].line, 2U);
  EXPECT_LT(peak_kib() - before, 128 * 1024);
}

}  // namespace
}  // namespace residue::ingest
