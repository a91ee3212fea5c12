// Frames of facts/: any bytes decode to a text or are called corrupt; a text comes back from its own frame.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"
#include "fuzz/fuzz.h"
#include "storage/facts/frame.h"

namespace {

constexpr std::string_view kOriginal = "The patient, a 45-year-old nurse from Bruges, reports chest pain since Monday.";

void decode(residue::storage::FrameCodec& codec, std::string_view frame) {
  try {
    const auto parts = residue::storage::parse_frame(frame);
    if (parts.kind == residue::storage::FrameKind::kDictionary) return;  // needs a trained one
    codec.decode(parts, nullptr, kOriginal);
  } catch (const residue::Error& error) {
    FUZZ_CHECK(error.code() == residue::Code::kCorrupt);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static residue::storage::FrameCodec codec;
  const std::string_view bytes = residue::fuzz::view(data, size);
  decode(codec, bytes);
  const std::string alone(codec.encode(bytes, nullptr));
  FUZZ_CHECK(codec.decode(residue::storage::parse_frame(alone), nullptr, {}) == bytes);
  if (size > 0 && size < 512) {
    const std::string against(codec.encode_against(bytes, kOriginal, 1));
    FUZZ_CHECK(codec.decode(residue::storage::parse_frame(against), nullptr, kOriginal) == bytes);
  }
  return 0;
}
