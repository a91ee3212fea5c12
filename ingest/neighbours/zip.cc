#include "ingest/neighbours/zip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kEnd = "PK\x05\x06", kEntry = "PK\x01\x02", kLocal = "PK\x03\x04";
constexpr std::uint64_t kEndBytes = 22, kEntryBytes = 46, kLocalBytes = 30, kLongestComment = 0xffff;
constexpr std::uint64_t kMostDirectory = std::uint64_t{256} << 20;
constexpr std::uint64_t kMostPacked = std::uint64_t{1} << 30;
constexpr std::uint16_t kStored = 0, kDeflated = 8, kZstd = 93;
constexpr const char* kComplete = "check that the file is complete";

std::uint32_t number(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t value = 0;
  for (std::size_t i = size; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

std::string little_endian(std::uint32_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xffU);
  return bytes;
}

// A member's bytes, which the source that unpacks them views.
class MemberBytes final : public ByteSource {
 public:
  MemberBytes(std::string bytes, std::string name, std::uint64_t size, std::uint32_t crc)
      : bytes_(std::move(bytes)), name_(std::move(name)), left_(size), crc_(crc), inner_(memory_bytes(bytes_)) {}

  std::size_t read(char* to, std::size_t size) override {
    const std::size_t got = unpack(to, size);
    if (got > left_ || (got == 0 && left_ > 0)) damaged();
    left_ -= got;
    seen_ = ::crc32(seen_, reinterpret_cast<const Bytef*>(to), static_cast<uInt>(got));
    if (got == 0 && seen_ != crc_) damaged();
    return got;
  }
  [[nodiscard]] std::uint64_t bytes_read() const override { return inner_->bytes_read(); }
  [[nodiscard]] std::optional<std::uint64_t> bytes_total() const override { return bytes_.size(); }

 private:
  std::size_t unpack(char* to, std::size_t size) {
    try {
      return inner_->read(to, size);
    } catch (const Error&) {
      damaged();
    }
  }
  [[noreturn]] void damaged() const {
    throw Error(Code::kBadInput, fmt::format("{}: a member of the archive is damaged", name_), kComplete);
  }

  const std::string bytes_, name_;
  std::uint64_t left_;
  const uLong crc_;
  uLong seen_ = 0;
  std::unique_ptr<ByteSource> inner_;
};

}  // namespace

ZipArchive::ZipArchive(const std::string& path) : name_(shown_name(path)) {
  if (!std::filesystem::is_regular_file(path)) {
    if (path != "-" && !std::filesystem::exists(path)) {
      throw Error(Code::kNotFound, fmt::format("no file {}", path), "check the path");
    }
    refuse("an archive is read from its end, which a pipe or a folder does not have", "name the file itself");
  }
  file_.open(path, std::ios::binary);
  if (!file_) throw Error(Code::kIo, fmt::format("cannot open {}", path));
  size_ = std::filesystem::file_size(path);
  const std::uint64_t tail = std::min(size_, kEndBytes + kLongestComment);
  const std::string last = read(size_ - tail, tail);
  const std::size_t at = last.rfind(kEnd);
  if (at == std::string::npos || last.size() - at < kEndBytes) refuse("not a whole ZIP archive", kComplete);
  const std::uint64_t bytes = number(last, at + 12, 4), offset = number(last, at + 16, 4);
  if (number(last, at + 10, 2) == 0xffff || offset == 0xffffffff) {
    refuse("an archive of more than 4 GiB or 65,534 members (ZIP64)", "convert the log to JSON");
  }
  if (bytes > kMostDirectory || offset + bytes > size_) refuse("not a whole ZIP archive", kComplete);
  const std::string directory = read(offset, bytes);
  std::map<std::string, std::size_t> known;
  for (std::size_t place = 0; place < directory.size();) {
    const std::string_view entry = std::string_view(directory).substr(place);
    if (entry.size() < kEntryBytes || !entry.starts_with(kEntry)) refuse("its directory is damaged", kComplete);
    const std::size_t name = number(entry, 28, 2), rest = number(entry, 30, 2) + number(entry, 32, 2);
    if (entry.size() < kEntryBytes + name + rest) refuse("its directory is damaged", kComplete);
    Member member{std::string(entry.substr(kEntryBytes, name)),
                  number(entry, 42, 4),
                  number(entry, 20, 4),
                  number(entry, 24, 4),
                  number(entry, 16, 4),
                  static_cast<std::uint16_t>(number(entry, 10, 2))};
    if ((number(entry, 8, 2) & 1U) != 0) refuse("its members are encrypted", "decrypt it first");
    if (member.packed == 0xffffffff || member.size == 0xffffffff || member.offset == 0xffffffff) {
      refuse("an archive with members of more than 4 GiB (ZIP64)", "convert the log to JSON");
    }
    const auto [earlier, fresh] = known.try_emplace(member.name, members_.size());
    if (fresh) {
      members_.push_back(std::move(member));
    } else {
      members_[earlier->second] = std::move(member);
    }
    place += kEntryBytes + name + rest;
  }
}

void ZipArchive::refuse(const std::string& cause, const std::string& remedy) const {
  throw Error(Code::kBadInput, fmt::format("{}: {}", name_, cause), remedy);
}

std::string ZipArchive::read(std::uint64_t offset, std::uint64_t bytes) {
  std::string all(bytes, '\0');
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(offset));
  file_.read(all.data(), static_cast<std::streamsize>(bytes));
  if (file_.bad()) throw Error(Code::kIo, fmt::format("cannot read {}", name_));
  if (static_cast<std::uint64_t>(file_.gcount()) != bytes) refuse("not a whole ZIP archive", kComplete);
  return all;
}

const ZipArchive::Member* ZipArchive::find(const std::string& name) const {
  const auto found = std::ranges::find(members_, name, &Member::name);
  return found == members_.end() ? nullptr : &*found;
}

std::unique_ptr<ByteSource> ZipArchive::open(const Member& member) {
  const std::string local = read(member.offset, kLocalBytes);
  if (!local.starts_with(kLocal)) refuse("a member is not where its directory says", kComplete);
  if (member.packed > kMostPacked) refuse("a member of it is packed in more than 1 GiB", "convert the log to JSON");
  const std::uint64_t data = member.offset + kLocalBytes + number(local, 26, 2) + number(local, 28, 2);
  std::string bytes = read(data, member.packed);
  if (member.method == kDeflated) {
    // With the head and the foot of a gzip file it is one.
    static constexpr std::string_view kHead("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
    bytes =
        std::string(kHead) + bytes + little_endian(member.crc) + little_endian(static_cast<std::uint32_t>(member.size));
  } else if (member.method != kStored && member.method != kZstd) {
    refuse(fmt::format("a member is packed by method {}, which is not read here", member.method),
           "convert the log to JSON");
  }
  return std::make_unique<MemberBytes>(std::move(bytes), name_, member.size, member.crc);
}

}  // namespace residue::ingest
