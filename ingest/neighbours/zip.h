// ZIP archives as programs write them for data: a directory at the end, members stored, deflated or in zstd.
#pragma once

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "ingest/read/byte_source.h"

namespace residue::ingest {

// APPNOTE.TXT, without encryption, several disks and ZIP64.
class ZipArchive {
 public:
  struct Member {
    std::string name;
    std::uint64_t offset = 0;  // of its local header
    std::uint64_t packed = 0, size = 0;
    std::uint32_t crc = 0;
    std::uint16_t method = 0;
  };

  // Throws Error{not found|io}, and Error{bad input} for what is no such archive or is cut off.
  explicit ZipArchive(const std::string& path);

  // In the order of the directory; of several of one name the last counts.
  [[nodiscard]] const std::vector<Member>& members() const { return members_; }
  [[nodiscard]] const Member* find(const std::string& name) const;

  // The bytes of a member, unpacked while they are read. Memory: what is packed. Damage is Error{bad input}.
  std::unique_ptr<ByteSource> open(const Member& member);

  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  std::string read(std::uint64_t offset, std::uint64_t bytes);
  [[noreturn]] void refuse(const std::string& cause, const std::string& remedy) const;

  std::string name_;
  std::ifstream file_;
  std::uint64_t size_ = 0;
  std::vector<Member> members_;
};

}  // namespace residue::ingest
