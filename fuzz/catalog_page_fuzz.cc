// Pages of catalog.db with other bytes: what reads them answers or throws an Error of ours.
//
//   input: page (1 byte), offset (2 bytes), bytes that stand there instead
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "fuzz/store.h"
#include "query/evaluate/recompute.h"
#include "storage/check.h"
#include "storage/store.h"

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPage = 4096;

std::string checkpointed(const fs::path& store) {
  residue::storage::Store open(store);
  open.db().run("PRAGMA wal_checkpoint(TRUNCATE)");
  std::ifstream in(store / "catalog.db", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void put(const fs::path& file, std::string_view bytes, std::size_t at) {
  const int fd = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
  FUZZ_CHECK(fd >= 0 && ::pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(at)) >= 0);
  ::close(fd);
}

void look(const fs::path& store) {
  try {
    residue::storage::OpenOptions options;
    options.read_only = true;
    residue::storage::Store open(store, options);
    (void)residue::query::metric_dump(open);
    (void)residue::storage::check_store(open);
  } catch (const residue::Error&) {  // Which one is the business of the crash programme (tests/crash/damage_test.cc).
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const residue::fuzz::SmallStore small;
  static const std::string whole = checkpointed(small.store());
  if (size < 4) return 0;
  const fs::path catalog = small.store() / "catalog.db";
  const std::size_t page = data[0] % (whole.size() / kPage) * kPage;
  const std::size_t at = page + (data[1] + 256U * data[2]) % kPage;
  const std::string_view bytes = residue::fuzz::view(data + 3, std::min(size - 3, whole.size() - at));
  put(catalog, bytes, at);
  look(small.store());
  put(catalog, std::string_view(whole).substr(at, bytes.size()), at);
  return 0;
}
