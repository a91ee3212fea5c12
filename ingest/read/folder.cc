#include "ingest/read/folder.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "text/characters/unicode.h"

namespace residue::ingest {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSuffix = ".txt";
constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20U;

std::string read_text(const TextFile& file) {
  if (file.size > kMostBytes) {
    throw Error(Code::kBadInput, fmt::format("{} is longer than 16 MiB", shown_name(file.path)), "split the text");
  }
  std::ifstream in(file.path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in.good() && !in.eof()) throw Error(Code::kIo, fmt::format("cannot read {}", file.path));
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  if (!text::valid_utf8(text)) {
    throw Error(Code::kBadInput, fmt::format("{} is not UTF-8", shown_name(file.path)),
                "convert it: iconv -f LATIN1 -t UTF-8 FILE > NEW");
  }
  return text;
}

class FolderBytes final : public ByteSource {
 public:
  explicit FolderBytes(std::vector<TextFile> files) : files_(std::move(files)) {
    for (const TextFile& file : files_) total_ += file.size;
  }
  std::size_t read(char* to, std::size_t size) override {
    while (at_ == line_.size()) {
      if (next_ == files_.size()) return 0;
      const TextFile& file = files_[next_++];
      line_ = Json({{"id", file.id}, {"text", read_text(file)}}).dump() + "\n";
      at_ = 0;
      read_ += file.size;
    }
    const std::size_t got = line_.copy(to, size, at_);
    at_ += got;
    return got;
  }
  [[nodiscard]] std::uint64_t bytes_read() const override { return read_; }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return total_; }

 private:
  std::vector<TextFile> files_;
  std::size_t next_ = 0;
  std::string line_;
  std::size_t at_ = 0;
  std::uint64_t read_ = 0, total_ = 0;
};

}  // namespace

bool is_folder(const std::string& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

std::vector<TextFile> text_files(const std::string& folder) {
  std::vector<TextFile> files;
  std::error_code error;
  fs::directory_iterator entries(folder, error);
  if (error == std::errc::no_such_file_or_directory) {
    throw Error(Code::kNotFound, fmt::format("no folder {}", folder), "check the path");
  }
  for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
    TextFile file{.path = entries->path().string(), .id = entries->path().filename().string()};
    struct stat status = {};
    if (!file.id.ends_with(kSuffix) || ::stat(file.path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    file.id.resize(file.id.size() - kSuffix.size());
    file.size = static_cast<std::uint64_t>(status.st_size);
    file.mtime_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
    files.push_back(std::move(file));
  }
  if (error) throw Error(Code::kIo, fmt::format("cannot read the folder {}: {}", folder, error.message()));
  std::ranges::sort(files, {}, &TextFile::id);
  return files;
}

std::unique_ptr<ByteSource> open_folder(const std::string& folder) {
  std::vector<TextFile> files = text_files(folder);
  if (files.empty()) {
    throw Error(Code::kBadInput, fmt::format("the folder {} has no .txt files", shown_name(folder)),
                "name a folder with one text a file, or a file of JSON Lines or CSV");
  }
  return std::make_unique<FolderBytes>(std::move(files));
}

}  // namespace residue::ingest
