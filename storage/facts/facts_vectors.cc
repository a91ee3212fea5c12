// The table `vectors` of facts/: one entry, and how it is read.
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/hash.h"
#include "storage/disk/big_endian.h"
#include "storage/facts/facts_txn.h"

namespace residue::storage {
namespace {

static_assert(std::endian::native == std::endian::little, "vectors are stored little-endian, as they lie in memory");

constexpr std::uint64_t kDigestSeed = 0x766563746f7273;
constexpr std::size_t kHeaderBytes = 16;  // text id, checksum

std::string_view bytes_of(std::span<const float> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

std::uint64_t digest_of(TextId text, std::string_view values) {
  return hash_of(kDigestSeed, values, static_cast<std::uint64_t>(text.value));
}

[[noreturn]] void damaged_vector(VectorId id, const char* why) {
  throw Error(Code::kCorrupt, "vector " + std::to_string(id.value) + ": " + why,
              "ingest the vectors again, or restore the store from a backup");
}

}  // namespace

std::uint64_t vector_digest(TextId text, std::span<const float> values) { return digest_of(text, bytes_of(values)); }

std::string vector_key(VectorId id) { return big_endian(static_cast<std::uint64_t>(id.value), sizeof id.value); }

VectorId vector_id(const MDB_val& key) { return VectorId{static_cast<std::int64_t>(of_big_endian(as_view(key)))}; }

std::string vector_entry(TextId text, std::span<const float> values) {
  const std::uint64_t digest = vector_digest(text, values);
  std::string entry(kHeaderBytes, '\0');
  std::memcpy(entry.data(), &text.value, 8);
  std::memcpy(entry.data() + 8, &digest, 8);
  return entry.append(bytes_of(values));
}

std::string_view vector_values(VectorId id, TextId text, std::string_view entry) {
  if (entry.size() <= kHeaderBytes || entry.size() % sizeof(float) != 0) damaged_vector(id, "it is cut off");
  TextId owner;
  std::uint64_t digest = 0;
  std::memcpy(&owner.value, entry.data(), 8);
  std::memcpy(&digest, entry.data() + 8, 8);
  const std::string_view values = entry.substr(kHeaderBytes);
  if (digest != digest_of(owner, values)) damaged_vector(id, "it is not what was stored");
  if (text.value != 0 && owner != text) damaged_vector(id, "it is the vector of another text");
  return values;
}

std::uint64_t FactsView::next_of(std::string_view counter) const {
  MDB_val key = as_val(counter);
  MDB_val value{};
  const int code = mdb_get(txn_, state_.tables.meta, &key, &value);
  if (code == MDB_NOTFOUND) return 1;
  check(code, "read meta");
  return number_of(value);
}

void FactsView::vector(VectorId id, TextId text, std::span<float> values) const {
  const std::string bytes = vector_key(id);
  MDB_val key = as_val(bytes);
  MDB_val value{};
  const int code = mdb_get(txn_, state_.tables.vectors, &key, &value);
  if (code == MDB_NOTFOUND) damaged_vector(id, "it is not there");
  check(code, "read a vector");
  const std::string_view stored = vector_values(id, text, as_view(value));
  if (stored.size() != values.size_bytes()) damaged_vector(id, "it has another dimension");
  std::memcpy(values.data(), stored.data(), stored.size());
}

}  // namespace residue::storage
