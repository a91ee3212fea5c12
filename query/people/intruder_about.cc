#include "query/people/intruder_about.h"

#include "base/hash.h"

namespace residue::query {
namespace {

constexpr std::uint64_t kNobody = 1;  // as stored since there are intruder tests; text 1 is an original
constexpr std::uint64_t kNoText = ~std::uint64_t{0}, kOutdated = ~std::uint64_t{1};
constexpr std::uint64_t kMostTexts = std::uint64_t{1} << 40;  // ids are dense

// unmix(mix(x)) == x: each step of mix() undone, the last one first.
constexpr std::uint64_t unmix(std::uint64_t x) {
  x = (x ^ (x >> 31) ^ (x >> 62)) * 0x319642b2d24d8ec3ULL;
  x = (x ^ (x >> 27) ^ (x >> 54)) * 0x96de1b173f119089ULL;
  x = x ^ (x >> 30) ^ (x >> 60);
  return x - 0x9e3779b97f4a7c15ULL;
}
static_assert(unmix(mix(0)) == 0 && unmix(mix(1)) == 1 && unmix(mix(~std::uint64_t{0})) == ~std::uint64_t{0});

std::uint64_t number(TextId id) { return static_cast<std::uint64_t>(id.value); }

std::uint64_t number(const NamedText& named) {
  switch (named.kind) {
    case NamedText::Kind::kNobody:
      return kNobody;
    case NamedText::Kind::kText:
      return number(named.text);
    case NamedText::Kind::kUnknown:
      break;
  }
  return kNoText;
}

}  // namespace

std::uint64_t given_hash(std::span<const TextId> facts, std::optional<TextId> target) {
  std::uint64_t hash = 0;
  for (const TextId fact : facts) hash = mix(hash ^ number(fact));
  return mix(hash ^ (target ? number(*target) : kNoText));
}

std::int64_t about_of(std::uint64_t given, const NamedText& named) {
  return static_cast<std::int64_t>(mix(given ^ number(named)));
}

std::int64_t about_of_outdated(std::uint64_t given) { return static_cast<std::int64_t>(mix(given ^ kOutdated)); }

std::optional<NamedText> named_by(std::uint64_t given, std::int64_t about, bool chosen) {
  const std::uint64_t named = unmix(static_cast<std::uint64_t>(about)) ^ given;
  if (named == kNoText) return NamedText{NamedText::Kind::kUnknown};
  if (named == kNobody && !chosen) return NamedText{};
  if (named == 0 || named > kMostTexts) return std::nullopt;
  return NamedText{NamedText::Kind::kText, TextId{static_cast<std::int64_t>(named)}};
}

}  // namespace residue::query
