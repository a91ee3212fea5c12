// Vectors of texts under a named embedder: who has one, and which. The values are in facts/.
//
//   text, values ── VectorWriter ──> facts/ (a new id) ──> row (embedder, text, id, digest), embedder.content
//   texts ── load_vectors ──> a matrix
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/fingerprint.h"
#include "base/ids.h"
#include "storage/store.h"

namespace residue::storage {

inline constexpr std::size_t kMaxDimension = 65'536;

struct Embedder {
  EmbedderId id;
  std::string name;
  std::size_t dimension = 0;
  std::string content;  // 16 bytes: changes whenever a vector of it is added, replaced or removed
};

// Nothing if there is no such embedder.
std::optional<Embedder> embedder_named(Db& db, std::string_view name);

// Of an embedder that a server fills; it takes no vectors from files.
struct EmbedderOrigin {
  std::string name;
  std::string spec;     // what the server is asked with: JSON
  std::string queries;  // the embedder of what is looked for: `name` itself, or one of its own ("NAME/query")
};
std::optional<EmbedderOrigin> embedder_origin(Db& db, std::string_view name);
void put_embedder_origin(Db& db, const EmbedderOrigin& origin);  // inside a write batch

// Where the vectors of queries are that are compared with those of `name`.
std::string embedder_of_queries(Db& db, std::string_view name);

// Error{not found} with the nearest names.
Embedder find_embedder(Db& db, std::string_view name);

// The vectors of texts, one after the other, `embedder.dimension` values each: zeros where a text has none (a stored
// vector is never all zeros). Both views must be of one moment: take the catalog's snapshot first, then the reader.
// Throws Error{corrupt} for a damaged one. Cost: about 1 us each.
std::vector<float> load_vectors(Db& db, const Facts::Reader& facts, const Embedder& embedder,
                                std::span<const TextId> texts);

// Writes vectors of one embedder, batch by batch, and keeps its fingerprint.
class VectorWriter {
 public:
  enum class Change { kNew, kSame, kChanged };

  VectorWriter(Db& db, std::string name);

  // In a fresh batch: reads what others may have changed.
  void begin();

  // Of the embedder, or of the first vector put; 0 before that.
  [[nodiscard]] std::size_t dimension() const { return embedder_ ? embedder_->dimension : 0; }

  // The vector of `text` becomes `values`: finite, not all zeros, of the embedder's dimension (the caller has checked);
  // the first one makes the embedder. An equal one that can be read stays; a damaged one is replaced.
  Change put(WriteBatch& batch, TextId text, std::span<const float> values);

  // Before the commit.
  void end();

 private:
  [[nodiscard]] bool stored(WriteBatch& batch, VectorId id, TextId text, std::span<const float> values);

  Db& db_;
  const std::string name_;
  std::optional<Embedder> embedder_;
  Fingerprint content_;
  std::vector<float> old_;
  Statement find_, put_, save_;
};

// gc: forgets the vectors of texts that are not in `keep`; then the ids in facts/ that rows still name, ascending.
void drop_orphaned_vectors(Db& db, const std::unordered_set<std::int64_t>& keep);
std::vector<VectorId> named_vectors(Db& db);

// check: reads every vector that the catalog names and computes the fingerprints again. Returns how many were read;
// calls `problem` with a line for each fault.
std::uint64_t check_vectors(Store& store, const std::function<void(std::string)>& problem);

}  // namespace residue::storage
