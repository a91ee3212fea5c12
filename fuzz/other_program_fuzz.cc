// Files of other programs: each item is a row or a refusal, and there is an end.
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/error.h"
#include "fuzz/fuzz.h"
#include "ingest/neighbours/open.h"

namespace {

// Archives are read from their end, so the bytes lie in a file; it goes with the process.
class InputFile {
 public:
  InputFile() : path_(std::filesystem::temp_directory_path() / ("residue-fuzz-" + std::to_string(::getpid()))) {}
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() { std::filesystem::remove(path_); }
  const std::string& hold(std::string_view bytes) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
    return path_;
  }

 private:
  std::string path_;
};

void read_all(const std::string& path, const char* preset, std::size_t most) {
  residue::ingest::VariantSourceOptions options;
  options.path = path;
  options.preset = preset;
  residue::ingest::VariantRow row;
  residue::ingest::RowError bad;
  std::size_t steps = 0;
  try {
    const auto rows = residue::ingest::open_run(options);
    while (rows->next(row, bad) != residue::ingest::RowResult::kEnd) FUZZ_CHECK(++steps <= most);
  } catch (const residue::Error& error) {
    FUZZ_CHECK(error.code() == residue::Code::kBadInput || error.code() == residue::Code::kUsage);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static InputFile file;
  const std::string& path = file.hold(residue::fuzz::view(data, size));
  for (const char* preset : {"", "inspect", "promptfoo", "presidio", "tau-eval"}) {
    read_all(path, preset, 2000 * size + 100);  // a packed byte is up to a thousand
  }
  return 0;
}
