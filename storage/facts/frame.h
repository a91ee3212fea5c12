// How one text is written in facts/: as few bytes as zstd's safety rules allow.
//
//   frame   := 0x10 check text            stored raw; check = low 4 bytes of XXH64(text), little-endian
//            | 0x11 zstd                  compressed alone
//            | 0x12 varint zstd           varint = dictionary number (also in the zstd header)
//            | 0x13 varint zstd           varint = id of this text - id of its original, > 0
//   zstd    := one zstd frame without its 4 magic bytes, with content size and checksum
//   varint  := LEB128, at most 10 bytes
//
// The high half of the first byte is the version. An original is never itself a 0x13 frame: chains have depth 1.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "storage/facts/dictionary.h"

namespace residue::storage {

enum class FrameKind : std::uint8_t { kRaw = 0x10, kPlain = 0x11, kDictionary = 0x12, kAgainst = 0x13 };

// A frame taken apart; `body` views the frame.
struct FrameParts {
  FrameKind kind = FrameKind::kRaw;
  std::uint64_t reference = 0;
  std::string_view body;
};

// Error{corrupt} if `frame` does not follow the grammar above (the zstd part is not looked at).
FrameParts parse_frame(std::string_view frame);

// The text's size that the frame claims, capped; Error{corrupt} if it claims none or too much.
std::uint64_t claimed_size(const FrameParts& parts);

// zstd contexts, reused. For one thread at a time.
class FrameCodec {
 public:
  FrameCodec();
  ~FrameCodec();
  FrameCodec(const FrameCodec&) = delete;
  FrameCodec& operator=(const FrameCodec&) = delete;

  // The smallest of raw and compressed, with `dictionary` if not null. The view lives until the next call.
  std::string_view encode(std::string_view text, const Dictionary* dictionary);

  // Compressed against `original`, `distance` ids earlier. The view lives until the next call.
  std::string_view encode_against(std::string_view text, std::string_view original, std::uint64_t distance);

  // The text. `dictionary` or `original` as `parts.kind` demands. Error{corrupt} for anything but exactly one intact
  // frame of at most kMaxTextBytes. Never allocates before the size is checked.
  std::string decode(const FrameParts& parts, const Dictionary* dictionary, std::string_view original);

 private:
  struct Contexts;
  std::unique_ptr<Contexts> contexts_;
};

}  // namespace residue::storage
