#include "ingest/method/draws.h"

#include <fmt/format.h>

#include <array>

#include "base/digest.h"
#include "base/error.h"

namespace residue::ingest {
namespace {

std::string_view view(const KeyedHash::Bytes& bytes) { return {bytes.data(), bytes.size()}; }

KeyedHash secret_of(const SanitizerSetting& setting, std::string_view purpose) {
  if (setting.seeded)
    return KeyedHash(
        TaggedHash("residue.seeded-draws.v1").field("purpose", purpose).field("seed", setting.seed).bytes());
  if (setting.store == nullptr) {
    throw Error(Code::kUsage, "without a seed, replacements are drawn with a store's key, and there is no store",
                "give a seed");
  }
  const std::string message = TaggedHash("residue.keyed-draws.v1").field("purpose", purpose).bytes();
  return KeyedHash(view(KeyedHash(setting.store->key()).of(message)));
}

}  // namespace

std::uint64_t Draws::operator()(std::string_view words, std::uint64_t number) const {
  std::array<char, sizeof number> first{};
  for (std::size_t i = 0; i < first.size(); ++i) first[i] = static_cast<char>(number >> (8 * i));
  const KeyedHash::Bytes hash = hash_.of({first.data(), first.size()}, words);
  std::uint64_t drawn = 0;
  for (std::size_t i = 0; i < sizeof drawn; ++i) drawn = drawn << 8U | static_cast<unsigned char>(hash[i]);
  return drawn;
}

DrawSource::DrawSource(const SanitizerSetting& setting, std::string_view purpose, Consistency consistency)
    : secret_(secret_of(setting, purpose)),
      dataset_(setting.dataset_name),
      consistency_(consistency),
      seed_(setting.seeded ? std::optional(setting.seed) : std::nullopt) {}

Draws DrawSource::of(const SanitizeInput& input) const {
  TaggedHash scope("residue.draw-scope.v1");
  scope.field("dataset", dataset_);
  if (consistency_ == Consistency::kPerson && !input.person.empty()) {
    scope.field("person", input.person);
  } else if (consistency_ != Consistency::kDataset) {
    scope.field("record", input.key);
  }
  return Draws(view(secret_.of(scope.bytes())));
}

void DrawSource::describe(Json& spec) const {
  if (seed_) {
    spec["seed"] = *seed_;
  } else {
    spec["drawn_with"] = "store key";
  }
}

std::vector<std::string> DrawSource::notes() const {
  if (!seed_) return {};
  return {
      "whoever knows or guesses the seed, which is kept with the run, can undo the replacements: leave out --seed "
      "for a run that will be released"};
}

Consistency consistency_named(std::string_view word, std::string_view method) {
  if (word == "record") return Consistency::kRecord;
  if (word == "person") return Consistency::kPerson;
  if (word == "dataset") return Consistency::kDataset;
  throw Error(Code::kUsage, fmt::format("{}: unknown consistent '{}'", method, word),
              "use consistent=record, person or dataset");
}

}  // namespace residue::ingest
