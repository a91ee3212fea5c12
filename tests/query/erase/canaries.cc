#include "tests/query/erase/canaries.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>

#include "base/hash.h"

namespace residue::query::testing {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = "zq";
constexpr std::size_t kLength = 14;  // "zq", 11 letters and digits, "x"
constexpr std::string_view kMagic("\x28\xb5\x2f\xfd", 4);
constexpr std::size_t kMostBytes = std::size_t{1} << 22U;  // of a text of these tests

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

void seek_plain(std::string_view bytes, const std::string& where, Found& found) {
  for (std::size_t at = bytes.find(kBegin); at != std::string_view::npos; at = bytes.find(kBegin, at + 1)) {
    const std::string_view word = bytes.substr(at, kLength);
    if (word.size() < kLength || word.back() != 'x') continue;
    bool whole = true;
    for (const char c : word) whole = whole && is_letter(c);
    if (whole) found[std::string(word)].insert(where);
  }
}

// Decompresses what begins at `body`, a zstd frame without its magic bytes.
class Thief {
 public:
  explicit Thief(const Keys& keys) : keys_(keys), context_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
    for (const std::string& bytes : keys.dictionaries)
      dictionaries_.emplace_back(ZSTD_createDDict(bytes.data(), bytes.size()), ZSTD_freeDDict);
  }

  void read(std::string_view body, const std::string& where, Found& found) {
    frame_.assign(kMagic).append(body.substr(0, kMostBytes));
    const unsigned long long claimed = ZSTD_getFrameContentSize(frame_.data(), frame_.size());
    if (claimed == ZSTD_CONTENTSIZE_ERROR || claimed == ZSTD_CONTENTSIZE_UNKNOWN || claimed > kMostBytes) return;
    const std::size_t size = ZSTD_findFrameCompressedSize(frame_.data(), frame_.size());
    if (ZSTD_isError(size) != 0U) return;
    text_.resize(claimed);
    const auto decompress = [&] {
      const std::size_t got = ZSTD_decompressDCtx(context_.get(), text_.data(), text_.size(), frame_.data(), size);
      if (ZSTD_isError(got) == 0U) seek_plain(std::string_view(text_).substr(0, got), where, found);
      return ZSTD_isError(got) == 0U;
    };
    reset();
    if (decompress()) return;
    for (const auto& dictionary : dictionaries_) {
      reset();
      ZSTD_DCtx_refDDict(context_.get(), dictionary.get());
      if (decompress()) return;
    }
    for (const std::string& original : keys_.originals) {
      reset();
      ZSTD_DCtx_refPrefix(context_.get(), original.data(), original.size());
      if (decompress()) return;
    }
  }

 private:
  void reset() { ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_and_parameters); }

  const Keys& keys_;
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context_;
  std::vector<std::unique_ptr<ZSTD_DDict, std::size_t (*)(ZSTD_DDict*)>> dictionaries_;
  std::string frame_, text_;
};

}  // namespace

std::string canary(std::uint64_t number) {
  constexpr std::string_view kLetters = "bcdfghjklmnprtvw0123456789";
  std::string word(kBegin);
  std::uint64_t bits = mix(number + 1);
  while (word.size() + 1 < kLength) {
    word += kLetters[bits % kLetters.size()];
    bits /= kLetters.size();
  }
  return word + "x";
}

Found seek_canaries_in(std::string_view bytes, const std::string& name, const Keys& keys) {
  Found found;
  seek_plain(bytes, name, found);
  Thief thief(keys);
  const std::string where = name + ", compressed";
  for (std::size_t at = 0; at + 8 < bytes.size(); ++at) {
    const auto kind = static_cast<unsigned char>(bytes[at]);
    if (bytes.substr(at).starts_with(kMagic)) thief.read(bytes.substr(at + kMagic.size()), where, found);
    if (kind == 0x11) thief.read(bytes.substr(at + 1), where, found);
    if (kind != 0x12 && kind != 0x13) continue;
    std::size_t body = at + 1;  // behind a number in bytes of 7 bits
    while (body < bytes.size() && body < at + 10 && static_cast<unsigned char>(bytes[body]) >= 0x80) ++body;
    thief.read(bytes.substr(std::min(body + 1, bytes.size())), where, found);
  }
  return found;
}

Found seek_canaries(const fs::path& place, const Keys& keys) {
  Found all;
  const auto seek = [&](const fs::path& file, const std::string& name) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    for (const auto& [word, where] : seek_canaries_in(bytes, name, keys)) all[word].insert(where.begin(), where.end());
  };
  if (!fs::is_directory(place)) {
    seek(place, place.filename().string());
    return all;
  }
  for (const auto& entry : fs::recursive_directory_iterator(place)) {
    if (entry.is_regular_file()) seek(entry.path(), fs::relative(entry.path(), place).string());
    seek_plain(entry.path().filename().string(), "the name of a file", all);
  }
  return all;
}

}  // namespace residue::query::testing
