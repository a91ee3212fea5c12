#include "storage/catalog/packed_scores.h"

#include "base/error.h"

namespace residue::storage {
namespace {

// Of the byte behind the metric: slice, state, and what is left out as it is what it mostly is.
constexpr unsigned kStateShift = 2;
constexpr unsigned kHasCut = 1U << 4U;
constexpr unsigned kHasDen = 1U << 5U;   // else 1
constexpr unsigned kHasBest = 1U << 6U;  // else num
constexpr unsigned kUnused = 1U << 7U;

[[noreturn]] void damaged() {
  throw Error(Code::kCorrupt, "catalog: the scores of a record are damaged",
              "run 'residue check', then restore the last backup");
}

void put_unsigned(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>(value | 0x80U);
  out += static_cast<char>(value);
}

// Small numbers of either sign are short.
void put_signed(std::string& out, std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  put_unsigned(out, (bits << 1U) ^ (value < 0 ? ~std::uint64_t{0} : 0));
}

std::uint64_t take_unsigned(std::string_view& rest) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64 && !rest.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    if (shift == 63 && byte > 1) damaged();
    value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80) return value;
  }
  damaged();
}

std::int64_t take_signed(std::string_view& rest) {
  const std::uint64_t bits = take_unsigned(rest);
  return static_cast<std::int64_t>((bits >> 1U) ^ (bits & 1U ? ~std::uint64_t{0} : 0));
}

}  // namespace

std::string pack_scores(std::span<const PackedScore> scores) {
  std::string out;
  out.reserve(scores.size() * 10);
  for (const PackedScore& score : scores) {
    put_unsigned(out, static_cast<std::uint64_t>(score.metric));
    unsigned flags = score.slice | (static_cast<unsigned>(score.state) << kStateShift);
    if (score.cut != 0) flags |= kHasCut;
    if (score.den != 1) flags |= kHasDen;
    if (score.best != score.num) flags |= kHasBest;
    out += static_cast<char>(flags);
    if (score.cut != 0) put_unsigned(out, static_cast<std::uint64_t>(score.cut));
    put_signed(out, score.num);
    if (score.den != 1) put_signed(out, score.den);
    if (score.best != score.num) put_signed(out, score.best);
  }
  return out;
}

bool ScoreReader::next(PackedScore& score) {
  if (rest_.empty()) return false;
  score.metric = static_cast<std::int64_t>(take_unsigned(rest_));
  if (rest_.empty()) damaged();
  const auto flags = static_cast<unsigned char>(rest_.front());
  rest_.remove_prefix(1);
  if ((flags & kUnused) != 0) damaged();
  score.slice = flags & 3U;
  score.state = (flags >> kStateShift) & 3U;
  score.cut = (flags & kHasCut) != 0 ? static_cast<std::int64_t>(take_unsigned(rest_)) : 0;
  score.num = take_signed(rest_);
  score.den = (flags & kHasDen) != 0 ? take_signed(rest_) : 1;
  score.best = (flags & kHasBest) != 0 ? take_signed(rest_) : score.num;
  return true;
}

}  // namespace residue::storage
