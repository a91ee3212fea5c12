#include "storage/vectors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "base/clock.h"
#include "base/nearest.h"
#include "storage/catalog/sources/embedder.h"
#include "storage/catalog/sources/embedder_origin.h"
#include "storage/catalog/sources/vector.h"

namespace residue::storage {
namespace {

// What the fingerprint of an embedder is made of (content.h).
std::string_view row_of(const std::int64_t& digest) { return {reinterpret_cast<const char*>(&digest), sizeof digest}; }

std::vector<Embedder> all_embedders(Db& db) {
  std::vector<Embedder> all;
  Statement find = db.prepare(sql::kEmbeddersInNameOrder);
  while (find.step()) {
    all.push_back({find.id<EmbedderId>(0), std::string(find.text(1)), static_cast<std::size_t>(find.integer(2)),
                   std::string(find.text(3))});
  }
  return all;
}

}  // namespace

std::optional<Embedder> embedder_named(Db& db, std::string_view name) {
  for (Embedder& embedder : all_embedders(db)) {
    if (embedder.name == name) return std::move(embedder);
  }
  return std::nullopt;
}

std::optional<EmbedderOrigin> embedder_origin(Db& db, std::string_view name) {
  Statement find = db.prepare(sql::kEmbedderOriginByName);
  if (!find.bind(name).step()) return std::nullopt;
  return EmbedderOrigin{std::string(name), std::string(find.text(0)), std::string(find.text(1))};
}

void put_embedder_origin(Db& db, const EmbedderOrigin& origin) {
  db.prepare(sql::kInsertOrReplaceEmbedderOrigin).run(origin.name, origin.spec, origin.queries);
}

std::string embedder_of_queries(Db& db, std::string_view name) {
  const auto origin = embedder_origin(db, name);
  return origin ? origin->queries : std::string(name);
}

Embedder find_embedder(Db& db, std::string_view name) {
  if (auto found = embedder_named(db, name)) return std::move(*found);
  std::vector<std::string> names;
  for (Embedder& embedder : all_embedders(db)) names.push_back(std::move(embedder.name));
  throw Error(
      Code::kNotFound, fmt::format("no vectors of a model \"{}\"{}", name, did_you_mean(name, names)),
      "residue ingest vectors DATASET FILE --model NAME brings them in, residue embed DATASET --with NAME makes "
      "them");
}

std::vector<float> load_vectors(Db& db, const Facts::Reader& facts, const Embedder& embedder,
                                std::span<const TextId> texts) {
  std::vector<float> values(texts.size() * embedder.dimension);
  Statement find = db.prepare(sql::kVectorIdOfText);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!find.bind(embedder.id, texts[i]).step()) continue;
    facts.vector(find.id<VectorId>(0), texts[i], std::span(values).subspan(i * embedder.dimension, embedder.dimension));
  }
  return values;
}

VectorWriter::VectorWriter(Db& db, std::string name)
    : db_(db),
      name_(std::move(name)),
      find_(db.prepare(sql::kVectorOfTextWithDigest)),
      put_(db.prepare(sql::kInsertOrUpdateVector)),
      save_(db.prepare(sql::kUpdateEmbedderContent)) {}

void VectorWriter::begin() {
  embedder_ = embedder_named(db_, name_);
  content_ = embedder_ ? Fingerprint(embedder_->content) : Fingerprint();
}

bool VectorWriter::stored(WriteBatch& batch, VectorId id, TextId text, std::span<const float> values) {
  old_.resize(values.size());
  try {
    batch.facts().vector(id, text, old_);
  } catch (const Error& error) {
    if (error.code() != Code::kCorrupt) throw;
    return false;
  }
  return std::memcmp(old_.data(), values.data(), values.size_bytes()) == 0;
}

VectorWriter::Change VectorWriter::put(WriteBatch& batch, TextId text, std::span<const float> values) {
  if (!embedder_) {
    db_.prepare(sql::kInsertEmbedder)
        .run(name_, static_cast<std::int64_t>(values.size()), Statement::Blob{content_.bytes()}, now_ms());
    embedder_ = embedder_named(db_, name_);
  }
  std::optional<std::int64_t> old;
  if (find_.bind(embedder_->id, text).step()) {
    old = find_.integer(1);
    const bool same = stored(batch, find_.id<VectorId>(0), text, values);
    find_.reset();
    if (same) return Change::kSame;
  }
  const auto digest = static_cast<std::int64_t>(vector_digest(text, values));
  put_.run(embedder_->id, text, batch.facts().put_vector(text, values), digest);
  if (old) content_.remove(row_of(*old), text.value);
  content_.add(row_of(digest), text.value);
  return old ? Change::kChanged : Change::kNew;
}

void VectorWriter::end() {
  if (embedder_) save_.run(embedder_->id, Statement::Blob{content_.bytes()});
}

void drop_orphaned_vectors(Db& db, const std::unordered_set<std::int64_t>& keep) {
  Statement rows = db.prepare(sql::kVectorDigestsOfEmbedder);
  Statement erase = db.prepare(sql::kDeleteVectorOfText);
  Statement save = db.prepare(sql::kUpdateEmbedderContent);
  for (const Embedder& embedder : all_embedders(db)) {
    Fingerprint content(embedder.content);
    std::vector<std::int64_t> gone;
    rows.bind(embedder.id);
    while (rows.step()) {
      if (keep.contains(rows.integer(0))) continue;
      gone.push_back(rows.integer(0));
      content.remove(row_of(rows.integer(1)), rows.integer(0));
    }
    for (const std::int64_t text : gone) erase.run(embedder.id, text);
    if (!gone.empty()) save.run(embedder.id, Statement::Blob{content.bytes()});
  }
}

std::vector<VectorId> named_vectors(Db& db) {
  std::vector<VectorId> ids;
  Statement rows = db.prepare(sql::kVectorIds);
  while (rows.step()) ids.push_back(rows.id<VectorId>(0));
  std::sort(ids.begin(), ids.end());
  return ids;
}

std::uint64_t check_vectors(Store& store, const std::function<void(std::string)>& problem) {
  std::uint64_t seen = 0;
  const ReadTransaction snapshot(store.db());
  const auto facts = store.facts().read();
  Statement rows = store.db().prepare(sql::kVectorsOfEmbedderWithDigest);
  for (const Embedder& embedder : all_embedders(store.db())) {
    Fingerprint content;
    std::vector<float> values(embedder.dimension);
    rows.bind(embedder.id);
    while (rows.step()) {
      const auto text = rows.id<TextId>(0);
      ++seen;
      content.add(row_of(rows.integer(2)), text.value);
      try {
        facts->vector(rows.id<VectorId>(1), text, values);
      } catch (const Error& error) {
        problem(fmt::format("facts: {}", error.what()));
        continue;
      }
      const bool finite = std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); });
      const bool there = std::any_of(values.begin(), values.end(), [](float x) { return x != 0; });
      const bool named = static_cast<std::int64_t>(vector_digest(text, values)) == rows.integer(2);
      if (!finite || !there) problem(fmt::format("facts: vector {}: no direction", rows.integer(1)));
      if (!named) problem(fmt::format("facts: vector {}: not the one that the catalog names", rows.integer(1)));
    }
    if (content.bytes() != embedder.content) {
      problem(fmt::format("catalog: the fingerprint of model {} is not that of its vectors", embedder.name));
    }
  }
  return seen;
}

}  // namespace residue::storage
