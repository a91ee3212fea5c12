#include "ingest/read/byte_source.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "base/error.h"

namespace residue::ingest {
namespace {

constexpr std::size_t kBlock = 256 * 1024;
constexpr std::size_t kPadding = 64;
constexpr std::string_view kGzip = "\x1f\x8b";
constexpr std::string_view kZstd = "\x28\xb5\x2f\xfd";

class FileBytes final : public ByteSource {
 public:
  explicit FileBytes(const std::string& path) : path_(path) {
    if (path == "-") {
      fd_ = STDIN_FILENO;
      return;
    }
    fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd_ < 0 && (errno == ENOENT || errno == ENOTDIR)) {
      throw Error(Code::kNotFound, fmt::format("no file {}", path), "check the path; - reads standard input");
    }
    if (fd_ < 0) throw Error(Code::kIo, fmt::format("cannot open {}: {}", path, std::strerror(errno)));
    struct stat info {};
    if (::fstat(fd_, &info) != 0) {
      const int code = errno;
      ::close(fd_);
      throw Error(Code::kIo, fmt::format("cannot stat {}: {}", path, std::strerror(code)));
    }
    if (S_ISDIR(info.st_mode)) {
      ::close(fd_);
      throw Error(Code::kUsage, fmt::format("{} is a folder", path), "name the files in it");
    }
    if (S_ISREG(info.st_mode)) total_ = static_cast<std::uint64_t>(info.st_size);
  }
  ~FileBytes() override {
    if (fd_ != STDIN_FILENO) ::close(fd_);
  }

  std::size_t read(char* to, std::size_t size) override {
    for (;;) {
      const ssize_t got = ::read(fd_, to, size);
      if (got >= 0) {
        read_ += static_cast<std::uint64_t>(got);
        return static_cast<std::size_t>(got);
      }
      if (errno != EINTR) throw Error(Code::kIo, fmt::format("cannot read {}: {}", path_, std::strerror(errno)));
    }
  }
  [[nodiscard]] std::uint64_t bytes_read() const override { return read_; }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return total_; }

 private:
  std::string path_;
  int fd_ = -1;
  std::uint64_t read_ = 0;
  std::optional<std::uint64_t> total_;
};

class MemoryBytes final : public ByteSource {
 public:
  explicit MemoryBytes(std::string_view bytes) : bytes_(bytes) {}
  std::size_t read(char* to, std::size_t size) override {
    const std::size_t got = bytes_.substr(at_, size).copy(to, size);
    at_ += got;
    return got;
  }
  [[nodiscard]] std::uint64_t bytes_read() const override { return at_; }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return bytes_.size(); }

 private:
  std::string_view bytes_;
  std::size_t at_ = 0;
};

// Bytes in front of a source: what was looked at to know the format.
class Wrapped : public ByteSource {
 public:
  Wrapped(std::unique_ptr<ByteSource> inner, std::string head, std::string name)
      : inner_(std::move(inner)), head_(std::move(head)), name_(std::move(name)) {}
  std::size_t read(char* to, std::size_t size) override { return raw(to, size); }
  [[nodiscard]] std::uint64_t bytes_read() const override { return inner_->bytes_read(); }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return inner_->bytes_total(); }

 protected:
  std::size_t raw(char* to, std::size_t size) {
    if (at_ == head_.size()) return inner_->read(to, size);
    const std::size_t got = head_.copy(to, size, at_);
    at_ += got;
    return got;
  }
  [[noreturn]] void damaged(const char* format) const {
    throw Error(Code::kBadInput, fmt::format("{}: the {} compression is damaged or cut short", name_, format),
                "check the file, or decompress it first");
  }

 private:
  std::unique_ptr<ByteSource> inner_;
  std::string head_;
  std::string name_;
  std::size_t at_ = 0;
};

class GzipBytes final : public Wrapped {
 public:
  GzipBytes(std::unique_ptr<ByteSource> inner, std::string head, std::string name)
      : Wrapped(std::move(inner), std::move(head), std::move(name)), in_(kBlock) {
    if (::inflateInit2(&stream_, 15 + 16) != Z_OK) throw Error(Code::kInternal, "cannot start zlib");
  }
  ~GzipBytes() override { ::inflateEnd(&stream_); }

  std::size_t read(char* to, std::size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(size);
    while (stream_.avail_out == size) {
      if (stream_.avail_in == 0) {
        stream_.next_in = in_.data();
        stream_.avail_in = static_cast<uInt>(raw(reinterpret_cast<char*>(in_.data()), in_.size()));
        if (stream_.avail_in == 0) {
          if (inside_) damaged("gzip");
          return 0;
        }
      }
      if (!inside_) ::inflateReset(&stream_);
      inside_ = true;
      const int code = ::inflate(&stream_, Z_NO_FLUSH);
      if (code == Z_STREAM_END) {
        inside_ = false;
      } else if (code != Z_OK) {
        damaged("gzip");
      }
    }
    return size - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  std::vector<Bytef> in_;
  bool inside_ = true;
};

struct FreeStream {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};

class ZstdBytes final : public Wrapped {
 public:
  ZstdBytes(std::unique_ptr<ByteSource> inner, std::string head, std::string name)
      : Wrapped(std::move(inner), std::move(head), std::move(name)), stream_(ZSTD_createDStream()), in_(kBlock) {
    if (!stream_) throw Error(Code::kInternal, "cannot start zstd");
  }

  std::size_t read(char* to, std::size_t size) override {
    ZSTD_outBuffer out{to, size, 0};
    while (out.pos == 0) {
      if (block_.pos == block_.size && !full_) {
        block_ = {in_.data(), raw(in_.data(), in_.size()), 0};
        if (block_.size == 0) {
          if (pending_ != 0) damaged("zstd");
          return 0;
        }
      }
      pending_ = ZSTD_decompressStream(stream_.get(), &out, &block_);
      if (ZSTD_isError(pending_) != 0U) damaged("zstd");
      full_ = out.pos == out.size && pending_ != 0;
    }
    return out.pos;
  }

 private:
  std::unique_ptr<ZSTD_DStream, FreeStream> stream_;
  std::vector<char> in_;
  ZSTD_inBuffer block_{nullptr, 0, 0};
  std::size_t pending_ = 0;
  bool full_ = false;  // the last call filled its output: more may come without more input
};

std::unique_ptr<ByteSource> decompressed(std::unique_ptr<ByteSource> raw, std::string name) {
  std::string head(kZstd.size(), '\0');
  std::size_t size = 0;
  while (size < head.size()) {
    const std::size_t got = raw->read(head.data() + size, head.size() - size);
    if (got == 0) break;
    size += got;
  }
  head.resize(size);
  if (head.starts_with(kGzip)) return std::make_unique<GzipBytes>(std::move(raw), std::move(head), std::move(name));
  if (head == kZstd) return std::make_unique<ZstdBytes>(std::move(raw), std::move(head), std::move(name));
  return std::make_unique<Wrapped>(std::move(raw), std::move(head), std::move(name));
}

}  // namespace

std::string shown_name(const std::string& path) {
  return path == "-" ? "standard input" : std::filesystem::path(path).filename().string();
}

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
  return decompressed(std::make_unique<FileBytes>(path), shown_name(path));
}

std::unique_ptr<ByteSource> memory_bytes(std::string_view bytes) {
  return decompressed(std::make_unique<MemoryBytes>(bytes), "the input");
}

InputBuffer::InputBuffer(std::unique_ptr<ByteSource> source) : source_(std::move(source)), buffer_(kBlock + kPadding) {}

bool InputBuffer::more() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ + kPadding + kBlock / 2 > buffer_.size()) buffer_.resize(2 * buffer_.size());
  const std::size_t got = source_->read(buffer_.data() + end_, buffer_.size() - kPadding - end_);
  end_ += got;
  return got > 0;
}

char InputBuffer::begin() {
  while (view().size() < 3 && more()) {
  }
  if (view().starts_with("\xef\xbb\xbf")) consume(3);
  // The first read may have brought the bytes alone that tell a compression.
  std::size_t at = view().find_first_not_of(" \t\r\n");
  while (at == std::string_view::npos && view().size() < kBlock && more()) at = view().find_first_not_of(" \t\r\n");
  return at == std::string_view::npos ? '\0' : view()[at];
}

}  // namespace residue::ingest
