// Vectors of texts by a server, each asked for once and stored durably as it comes.
//
//   texts without a vector ─> batches, cut by bytes ─> /v1/embeddings ─> checked ─> storage/vectors.h
//
// A batch's vectors commit with its fate in the ledger; the reply itself is kept only where it cannot be used.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/ids.h"
#include "model/asking/asker.h"
#include "model/server/embeddings.h"
#include "model/server/endpoint.h"

namespace residue::model {

// What one request may hold: as many texts as common servers take, and no more bytes than this unless one text has
// more.
inline constexpr std::size_t kTextsPerRequest = 32;
inline constexpr std::size_t kBytesPerRequest = 256U << 10U;

// The vectors of the endpoint's name become those of its settings, if there are none yet. Error{usage} where they came
// from files or from other settings, with what to do.
void claim_embedder(storage::Store& store, const Endpoint& endpoint);

struct EmbedCounts {
  std::uint64_t texts = 0;     // different ones that need a vector
  std::uint64_t known = 0;     // that had one
  std::uint64_t embedded = 0;  // that got one

  EmbedCounts& operator+=(const EmbedCounts& other) {
    texts += other.texts;
    known += other.known;
    embedded += other.embedded;
    return *this;
  }
};

// Gives all `texts` (duplicates and the empty text allowed) vectors for that side. After claim_embedder(). The caller
// holds Store::hold_texts(). Throws as ask(), and Error{io} where the server's vectors cannot be used: what was
// embedded stays, nothing is left without a vector unsaid.
EmbedCounts embed(storage::Store& store, const Endpoint& endpoint, const std::string& dataset, Side side,
                  std::span<const TextId> texts, AskSession& session);

}  // namespace residue::model
