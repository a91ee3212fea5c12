#define ZSTD_STATIC_LINKING_ONLY
#include "storage/facts/frame.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <new>

#include "base/error.h"
#include "base/hash.h"
#include "storage/disk/mutant.h"
#include "storage/facts/facts.h"

namespace residue::storage {

namespace {

constexpr std::string_view kMagic("\x28\xb5\x2f\xfd", 4);
constexpr std::size_t kCheckBytes = 4;
constexpr int kPlainLevel = 1;
constexpr int kAgainstLevel = 8;

[[noreturn]] void damaged(const char* why) {
  throw Error(Code::kCorrupt, std::string("damaged frame: ") + why, "restore the store from a backup");
}

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out.push_back(static_cast<char>(value | 0x80U));
  out.push_back(static_cast<char>(value));
}

std::uint64_t take_varint(std::string_view& in) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (in.empty()) damaged("it ends inside a number");
    const auto byte = static_cast<unsigned char>(in.front());
    in.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  damaged("a number is too long");
}

std::array<char, kCheckBytes> check_of(std::string_view text) {
  const auto hash = hash_bytes(text);
  std::array<char, kCheckBytes> check{};
  for (std::size_t i = 0; i < check.size(); ++i) check[i] = static_cast<char>(hash >> (8 * i));
  return check;
}

void demand(std::size_t code) {
  if (ZSTD_isError(code) != 0U) throw Error(Code::kInternal, std::string("zstd: ") + ZSTD_getErrorName(code));
}

}  // namespace

FrameParts parse_frame(std::string_view frame) {
  if (frame.empty()) damaged("it is empty");
  FrameParts parts;
  const auto kind = static_cast<unsigned char>(frame.front());
  frame.remove_prefix(1);
  if (kind < 0x10 || kind > 0x13) damaged("unknown kind");
  parts.kind = static_cast<FrameKind>(kind);
  if (parts.kind == FrameKind::kDictionary || parts.kind == FrameKind::kAgainst) {
    parts.reference = take_varint(frame);
    if (parts.reference == 0) damaged("it refers to nothing");
  }
  if (parts.kind == FrameKind::kRaw && frame.size() < kCheckBytes) damaged("it is too short");
  parts.body = frame;
  return parts;
}

std::uint64_t claimed_size(const FrameParts& parts) {
  if (parts.kind == FrameKind::kRaw) return parts.body.size() - kCheckBytes;
  // Only the header is needed: 18 bytes at most.
  std::string head(kMagic);
  head.append(parts.body.substr(0, 32));
  const unsigned long long size = ZSTD_getFrameContentSize(head.data(), head.size());
  if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR) damaged("no content size");
  if (size > kMaxTextBytes) damaged("the content size is over the limit");
  return size;
}

struct FrameCodec::Contexts {
  ZSTD_CCtx* fast = nullptr;
  ZSTD_CCtx* against = nullptr;
  ZSTD_DCtx* decoder = nullptr;
  std::string zstd;   // magic + frame
  std::string frame;  // what encode returns

  ~Contexts() {
    ZSTD_freeCCtx(fast);
    ZSTD_freeCCtx(against);
    ZSTD_freeDCtx(decoder);
  }
};

namespace {

ZSTD_CCtx* new_encoder(int level) {
  ZSTD_CCtx* context = ZSTD_createCCtx();
  if (context == nullptr) throw std::bad_alloc();
  demand(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level));
  demand(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1));
  demand(ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 1));
  demand(ZSTD_CCtx_setParameter(context, ZSTD_c_dictIDFlag, 1));
  return context;
}

// The compressed frame, without its magic bytes, in `buffer`.
std::string_view compress(ZSTD_CCtx* context, std::string_view text, std::string& buffer) {
  const std::size_t bound = ZSTD_compressBound(text.size());
  if (buffer.size() < bound) buffer.resize(bound);
  const std::size_t size = ZSTD_compress2(context, buffer.data(), buffer.size(), text.data(), text.size());
  demand(size);
  return std::string_view(buffer.data(), size).substr(kMagic.size());
}

}  // namespace

FrameCodec::FrameCodec() : contexts_(std::make_unique<Contexts>()) {}
FrameCodec::~FrameCodec() = default;

std::string_view FrameCodec::encode(std::string_view text, const Dictionary* dictionary) {
  Contexts& c = *contexts_;
  if (c.fast == nullptr) c.fast = new_encoder(kPlainLevel);
  demand(ZSTD_CCtx_refCDict(c.fast, dictionary == nullptr ? nullptr : dictionary->encoder()));
  const std::string_view body = compress(c.fast, text, c.zstd);
  c.frame.clear();
  if (body.size() >= text.size() + kCheckBytes) {
    const auto check = check_of(text);
    c.frame.push_back(static_cast<char>(FrameKind::kRaw));
    c.frame.append(check.data(), check.size()).append(text);
    return c.frame;
  }
  c.frame.push_back(static_cast<char>(dictionary == nullptr ? FrameKind::kPlain : FrameKind::kDictionary));
  if (dictionary != nullptr) put_varint(c.frame, dictionary->number());
  c.frame.append(body);
  return c.frame;
}

std::string_view FrameCodec::encode_against(std::string_view text, std::string_view original, std::uint64_t distance) {
  Contexts& c = *contexts_;
  if (c.against == nullptr) {
    c.against = new_encoder(kAgainstLevel);
    // On variants of real and of made-up texts this is as small as level 19 (whose trees cost 30 times more to build).
    demand(ZSTD_CCtx_setParameter(c.against, ZSTD_c_strategy, ZSTD_lazy2));
    demand(ZSTD_CCtx_setParameter(c.against, ZSTD_c_minMatch, 4));
    demand(ZSTD_CCtx_setParameter(c.against, ZSTD_c_searchLog, 4));
    demand(ZSTD_CCtx_setParameter(c.against, ZSTD_c_targetLength, 32));
  }
  const std::size_t both = text.size() + original.size();
  // The window must reach over both texts, or the far end of the original cannot be referred to; tables of that size,
  // because clearing larger ones would cost more than a short text does.
  const int window = std::clamp(static_cast<int>(std::bit_width(both)), ZSTD_WINDOWLOG_MIN, 27);
  demand(ZSTD_CCtx_setParameter(c.against, ZSTD_c_windowLog, window));
  demand(ZSTD_CCtx_setParameter(c.against, ZSTD_c_hashLog, std::min(window, 20)));
  demand(ZSTD_CCtx_setParameter(c.against, ZSTD_c_chainLog, std::min(window, 20)));
  demand(ZSTD_CCtx_refPrefix(c.against, original.data(), original.size()));
  const std::string_view body = compress(c.against, text, c.zstd);
  c.frame.assign(1, static_cast<char>(FrameKind::kAgainst));
  put_varint(c.frame, distance);
  c.frame.append(body);
  return c.frame;
}

std::string FrameCodec::decode(const FrameParts& parts, const Dictionary* dictionary, std::string_view original) {
  Contexts& c = *contexts_;
  const std::uint64_t size = claimed_size(parts);
  if (size > kMaxTextBytes) damaged("the text is over the limit");
  if (parts.kind == FrameKind::kRaw) {
    std::string text(parts.body.substr(kCheckBytes));
    const auto check = check_of(text);
    if (mutant("text-unchecked")) return text;
    if (std::memcmp(check.data(), parts.body.data(), check.size()) != 0) damaged("its checksum differs");
    return text;
  }
  c.zstd.assign(kMagic).append(parts.body);
  // Without this, a second frame or a skippable one behind the first would be decoded or ignored in silence.
  if (ZSTD_findFrameCompressedSize(c.zstd.data(), c.zstd.size()) != c.zstd.size()) damaged("its length is wrong");
  ZSTD_frameHeader header{};
  if (ZSTD_getFrameHeader(&header, c.zstd.data(), c.zstd.size()) != 0 || header.checksumFlag == 0) {
    damaged("it has no checksum");
  }
  if (c.decoder == nullptr) {
    c.decoder = ZSTD_createDCtx();
    if (c.decoder == nullptr) throw std::bad_alloc();
  }
  demand(ZSTD_DCtx_reset(c.decoder, ZSTD_reset_session_and_parameters));
  if (parts.kind == FrameKind::kDictionary) {
    if (dictionary == nullptr || dictionary->number() != parts.reference || header.dictID != parts.reference) {
      damaged("its dictionary differs");
    }
    demand(ZSTD_DCtx_refDDict(c.decoder, dictionary->decoder()));
  } else if (parts.kind == FrameKind::kAgainst) {
    demand(ZSTD_DCtx_refPrefix(c.decoder, original.data(), original.size()));
  }
  std::string text(size, '\0');
  const std::size_t got = ZSTD_decompressDCtx(c.decoder, text.data(), text.size(), c.zstd.data(), c.zstd.size());
  if (ZSTD_isError(got) != 0U) damaged(ZSTD_getErrorName(got));
  if (got != text.size()) damaged("its size differs");
  return text;
}

}  // namespace residue::storage
