// The embeddings interface: bodies to send, replies to read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/server/endpoint.h"

namespace residue::model {

// What a text is embedded for. Models may want other words before what is looked for than before what is looked at.
enum class Side : std::uint8_t { kQuery, kPassage };
const std::string& prefix_of(const Embedding& embedding, Side side);

// Everything that a vector depends on but the text: canonical JSON.
std::string embedding_spec(const Embedding& embedding, Side side);

// The body of one request.
std::string embeddings_body(const Embedding& embedding, Side side, std::span<const std::string> texts);

struct EmbeddingsReply {
  std::vector<std::vector<float>> vectors;  // in the order of the texts; empty where the reply cannot be used
  std::string problem;                      // then, in words of ours: "2 vectors for 3 texts" ...
  std::optional<std::int64_t> tokens;       // as the server counts them
  std::optional<std::int64_t> tokens_read;  // with those that it counts apart (chat.h)

  // Vectors are no tokens: where the server counted at all, it counted none of them.
  [[nodiscard]] std::optional<std::int64_t> tokens_out() const {
    return tokens ? std::optional<std::int64_t>(0) : std::nullopt;
  }
};

// One vector for each of `texts` texts, told by its index: all of `dimension` values (0: as many as the first), finite
// in single precision, not all zeros. Values are numbers, or base64 of little-endian singles.
EmbeddingsReply read_embeddings(int status, std::string_view body, std::size_t texts, std::size_t dimension);

}  // namespace residue::model
