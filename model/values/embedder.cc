#include "model/values/embedder.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "model/asking/egress.h"
#include "model/asking/saved_answers.h"
#include "model/asking/vote_key.h"
#include "model/limits/read_whole.h"
#include "storage/catalog/sources/vector.h"
#include "storage/vectors.h"

namespace residue::model {
namespace {

constexpr std::size_t kReplyBytes = std::size_t{64} << 20U;  // 32 vectors of the largest dimension, in words

struct Batch {
  std::vector<TextId> ids;
  VoteKey vote;
};

// Ascending, each once, without the empty text.
std::vector<TextId> distinct(const storage::Store& store, std::span<const TextId> texts) {
  std::vector<TextId> ids(texts.begin(), texts.end());
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  const TextId empty = store.facts().read()->find("").value_or(TextId{});
  std::erase_if(ids, [&](TextId id) { return id.value == 0 || id == empty; });
  return ids;
}

std::vector<TextId> without_vector(storage::Db& db, const std::string& embedder, std::vector<TextId> ids) {
  const auto found = storage::embedder_named(db, embedder);
  if (!found) return ids;
  storage::Statement vector = db.prepare(storage::sql::kVectorExists);
  std::erase_if(ids, [&](TextId id) {
    const bool there = vector.bind(found->id, id).step();
    vector.reset();
    return there;
  });
  return ids;
}

std::vector<Batch> cut(const storage::Facts::Reader& facts, const SpecDigest& spec, std::span<const TextId> ids) {
  std::vector<Batch> batches;
  std::size_t bytes = 0;
  std::vector<TextDigest> digests;
  const auto close = [&] {
    if (digests.empty()) return;
    TaggedHash vote("residue.embed.v1");
    vote.field("spec", spec).field("texts", std::uint64_t{digests.size()});
    for (const TextDigest& digest : digests) vote.field("text", digest);
    batches.back().vote = VoteKey(vote.bytes());
    digests.clear();
    bytes = 0;
  };
  for (const TextId id : ids) {
    const std::string text = facts.text(id);
    if (digests.size() == kTextsPerRequest || bytes + text.size() > kBytesPerRequest) close();
    if (digests.empty()) batches.emplace_back();
    batches.back().ids.push_back(id);
    digests.push_back(text_digest(text));
    bytes += text.size();
  }
  close();
  return batches;
}

std::vector<std::string> texts_of(const storage::Store& store, std::span<const TextId> ids) {
  std::vector<std::string> texts;
  const auto facts = store.facts().read();
  for (const TextId id : ids) texts.push_back(facts->text(id));
  return texts;
}

// Nothing while neither has a vector: vectors of both sides are compared with each other.
std::optional<std::size_t> dimension_of(storage::Db& db, const storage::EmbedderOrigin& origin) {
  for (const std::string& name : {origin.name, origin.queries}) {
    if (const auto found = storage::embedder_named(db, name)) return found->dimension;
  }
  return std::nullopt;
}

// As claim_embedder() left it; another process may have claimed the name for other settings before the first vector.
storage::EmbedderOrigin require_origin(storage::Db& db, const Endpoint& endpoint) {
  auto origin = storage::embedder_origin(db, endpoint.name);
  if (origin && origin->spec == embedding_json(require_embedding(endpoint))) return *std::move(origin);
  throw Error(Code::kBusy, fmt::format("another process makes vectors of \"{}\" with other settings", endpoint.name),
              "residue model add these settings under another name");
}

}  // namespace

void claim_embedder(storage::Store& store, const Endpoint& endpoint) {
  const Embedding& embedding = require_embedding(endpoint);
  const std::string spec = embedding_json(embedding);
  const bool one = embedding.query_prefix == embedding.passage_prefix;
  const auto batch = store.write();
  if (const auto origin = storage::embedder_origin(batch->db(), endpoint.name)) {
    if (origin->spec == spec) return;
    if (dimension_of(batch->db(), *origin)) {
      throw Error(Code::kUsage,
                  fmt::format("the vectors of \"{}\" were made with another model, revision, dimensions or prefix",
                              endpoint.name),
                  "they cannot be mixed: residue model add these settings under another name");
    }
  } else if (storage::embedder_named(batch->db(), endpoint.name)) {
    throw Error(Code::kUsage, fmt::format("the vectors of \"{}\" were brought in from files", endpoint.name),
                "they cannot be mixed: residue model add the server under another name");
  }
  storage::put_embedder_origin(batch->db(), {endpoint.name, spec, one ? endpoint.name : endpoint.name + "/query"});
  batch->commit();
}

EmbedCounts embed(storage::Store& store, const Endpoint& endpoint, const std::string& dataset, Side side,
                  std::span<const TextId> texts, AskSession& session) {
  const Embedding& embedding = require_embedding(endpoint);
  const storage::EmbedderOrigin origin = require_origin(store.db(), endpoint);
  const std::string& embedder = side == Side::kPassage ? origin.name : origin.queries;
  const SpecDigest digest = spec_digest(embedding_spec(embedding, side));
  const std::vector<TextId> ids = distinct(store, texts);
  EmbedCounts counts;
  counts.texts = ids.size();
  if (without_vector(store.db(), embedder, ids).empty()) {
    counts.known = ids.size();
    return counts;
  }
  const storage::Lock lock = lock_asking(store, digest);
  session.counts.unknown += settle(store, endpoint.name);
  const std::vector<TextId> missing = without_vector(store.db(), embedder, ids);  // others may have asked meanwhile
  counts.known = ids.size() - missing.size();
  const std::vector<Batch> batches = cut(*store.facts().read(), digest, missing);
  Questions questions;
  std::vector<std::string> asked_texts;  // of the question asked for last
  questions.call = "/embeddings";
  questions.reply_bytes = kReplyBytes;
  questions.all_or_nothing = true;
  questions.answer_tokens = 0;
  for (std::size_t i = 0; i < batches.size(); ++i) {
    // An unusable answer is no opinion of the model's: the next command tries again.
    std::uint32_t last = 0;
    for (const storage::SavedAnswer& answer : store.facts().read()->answers(batches[i].vote)) last = answer.attempt;
    questions.list.push_back({i, batches[i].vote, 0, last});
  }
  std::vector<std::uint64_t> least(batches.size(), 0);  // tokens of the texts of a batch
  questions.body = [&](std::size_t i, std::uint32_t) {
    const std::vector<std::string> said = texts_of(store, batches[i].ids);
    std::string body = embeddings_body(embedding, side, said);
    if (endpoint.transport.counts_prompts) least[i] = least_tokens_of(body);
    return body;
  };
  questions.texts = [&](std::size_t i) {
    asked_texts = texts_of(store, batches[i].ids);
    return std::vector<std::string_view>(asked_texts.begin(), asked_texts.end());
  };
  questions.keep = [&](storage::WriteBatch& batch, std::size_t i, int status, std::string_view body) {
    static_cast<void>(require_origin(batch.db(), endpoint));
    storage::VectorWriter writer(batch.db(), embedder);
    writer.begin();
    const auto wanted = static_cast<std::size_t>(embedding.dimensions.value_or(0));
    const std::size_t dimension = dimension_of(batch.db(), origin).value_or(wanted);
    EmbeddingsReply reply = read_embeddings(status, body, batches[i].ids.size(), dimension);
    if (const auto part = unread(least[i], reply.tokens_read); reply.problem.empty() && !part.empty()) {
      reply.problem = part;
      reply.vectors.clear();
    }
    for (std::size_t j = 0; j < reply.vectors.size(); ++j) writer.put(batch, batches[i].ids[j], reply.vectors[j]);
    writer.end();
    counts.embedded += reply.vectors.size();
    return Reading{reply.problem, reply.tokens, reply.tokens_out()};
  };
  session.counts += ask(store, endpoint, dataset, questions, session.budget, session.options);
  return counts;
}

}  // namespace residue::model
