// facts/: every text of the store, addressed by content, compressed, verified at every read. The only wall around LMDB.
//
//   text ── HMAC-SHA-256(store key) ──> digests: address (12 bytes) -> id
//        └─ zstd frame ──────────────> texts:   id -> frame          (frame.h: dictionary or original as reference)
//   vector ── checksum ──────────────> vectors: id -> whose, values  (confidential as the text it was made from)
//   answer ── checksum ──────────────> answers: vote key, attempt -> envelope  (paid for: only a purge deletes it)
//
// LMDB commits before the catalog does: what is here and not named there is harmless.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/ids.h"

namespace residue::storage {

class FactsView;   // facts_txn.h
class Forgetting;  // forgetting.h

// Who may see a text. Dictionaries are trained per class, because a trained dictionary contains source text.
enum class PrivacyClass : std::uint8_t { kOriginal = 0, kSanitized = 1 };

inline constexpr std::size_t kMaxTextBytes = 64U << 20U;

// The checksum of a vector, bound to its text.
std::uint64_t vector_digest(TextId text, std::span<const float> values);

// What a model said to one request. A vote has several where the first could not be used.
struct SavedAnswer {
  VoteKey vote;
  std::uint32_t attempt = 0;
  std::string envelope;  // as put_answer() got it (model/answer.h)
};

// Figures of facts/ for `info` and the benchmarks.
struct FactsInfo {
  std::uint64_t texts = 0;
  std::uint64_t raw_bytes = 0;    // sum of text sizes, 0 if not counted
  std::uint64_t frame_bytes = 0;  // sum of frames
  std::uint64_t file_bytes = 0;   // used pages of data.mdb
  std::uint64_t dictionaries = 0;
};

// How many commits facts/ has seen, and which of the catalog's stood when the last of them was made
// (storage/commits.h).
struct FactsCommits {
  std::uint64_t own = 1;
  std::uint64_t catalog = 1;
};

// One LMDB environment. Objects of one process for the same directory share it (environments.h). Not usable after fork.
class Facts {
 public:
  class Writer;
  class Reader;
  struct State;  // facts_txn.h

  // Creates an empty environment in the existing empty directory `dir`, synced.
  static void create(const std::filesystem::path& dir, std::string_view store_uuid);

  // Opens `dir`. `key` is the 32-byte address key of the store. Checks the file size against the last page before the
  // mapping is read (and, where it is short, that nothing is lost), the UUID, and clears stale readers. Throws
  // Error{corrupt}, Error{io}. `frozen`: nobody writes while it is open, the caller sees to that; it is then read
  // without locks, and works where nothing can be written.
  Facts(const std::filesystem::path& dir, std::string_view key, std::string_view store_uuid, bool frozen = false);
  ~Facts();
  Facts(const Facts&) = delete;
  Facts& operator=(const Facts&) = delete;

  // A write transaction; the caller holds the store's writer lock (LMDB itself waits without a time-out).
  // Error{io} after a commit whose outcome is unknown.
  [[nodiscard]] std::unique_ptr<Writer> write();

  // A read transaction: a consistent view. Take it AFTER the catalog's snapshot, release it soon. Thread-safe to call;
  // a Reader belongs to one thread at a time.
  [[nodiscard]] std::unique_ptr<Reader> read() const;

  // While what this returns lives, texts that were read stay in memory, up to `most_bytes` of them, and readers opened
  // from then on give them from there: a text is decoded and verified once. If there is one already it is that one.
  [[nodiscard]] std::shared_ptr<void> remember_texts(std::size_t most_bytes) const;

  // Decodes every text and compares its digest; calls `damaged` with each id that cannot be read back as it was stored.
  // Returns the number of texts looked at.
  std::uint64_t verify(const std::function<void(TextId, const std::string& why)>& damaged) const;

  [[nodiscard]] FactsCommits commits() const;  // as of now

  // Whether a commit failed so that nobody knows what is on the disk: nothing more is to be written.
  [[nodiscard]] bool outcome_unknown() const;

  [[nodiscard]] FactsInfo info(bool count_bytes = false) const;

  // The bytes of all dictionaries of a class, oldest first; an export of sanitized texts may hold only kSanitized ones.
  [[nodiscard]] std::vector<std::string> dictionaries(PrivacyClass cls) const;

  // Compacting, synced copy of the environment into the existing empty directory `dir`, files 0600.
  void backup(const std::filesystem::path& dir) const;

 private:
  friend class Writer;
  friend class Reader;
  friend class Forgetting;
  std::unique_ptr<State> state_;
};

class Facts::Writer {
 public:
  explicit Writer(Facts& facts);
  ~Writer();  // Aborts unless committed.
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // The id of `text`, stored now if it is new. With `original` (the id of the text that this one was made from) a new
  // text is compressed against it when that is small (a quarter of the text) or smaller than alone. Any bytes up to
  // kMaxTextBytes, the empty text included. Throws Error{bad input} above the limit, Error{try again} when the disk or
  // map is full (the transaction is lost then, the store is as before and usable), Error{io}.
  TextId put(std::string_view text, PrivacyClass cls, std::optional<TextId> original = std::nullopt);

  // The id of `text` if it is stored, in this transaction's view.
  [[nodiscard]] std::optional<TextId> find(std::string_view text) const;

  // Reads a text in this transaction's view; as Reader::text.
  [[nodiscard]] std::string text(TextId id) const;

  // Deletes a text; the caller knows that nothing refers to it. False if it was not there. A damaged one goes as
  // well; its digest is then searched for, at the cost of reading all digests.
  bool erase(TextId id);

  // Stores a vector of `text` under a new id. What is stored never changes and a transaction that the catalog does not
  // follow leaves nothing that is named. Errors as put().
  VectorId put_vector(TextId text, std::span<const float> values);

  // Reads a vector in this transaction's view; as Reader::vector.
  void vector(VectorId id, TextId text, std::span<float> values) const;

  // Deletes a vector that no row names. False if it was not there.
  bool erase_vector(VectorId id);

  // Keeps an answer under its vote key and attempt; false if there is one already, which stays. Errors as put().
  bool put_answer(const VoteKey& vote, std::uint32_t attempt, std::string_view envelope);

  // What FactsCommits will say once this is committed: `catalog` is the catalog's newest commit.
  FactsCommits follow(std::uint64_t catalog);

  // Durable at return. The object is spent. Error{try again}: the disk or map is full, nothing was stored. Any other
  // error: the outcome is unknown, stop writing and reopen; until then write() throws.
  void commit();

 private:
  struct Txn;
  std::unique_ptr<Txn> txn_;
};

class Facts::Reader {
 public:
  explicit Reader(const Facts& facts);
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // The text stored under `id`, verified against its address. Throws Error{corrupt} naming the id if it is missing,
  // cannot be decoded, or is not what was stored.
  [[nodiscard]] std::string text(TextId id) const;

  [[nodiscard]] std::optional<TextId> find(std::string_view text) const;

  // Ids of all texts in ascending order, with the text each frame is compressed against (0 = none, or
  // the frame is damaged: Facts::verify names those); for gc.
  void each(const std::function<void(TextId id, TextId reference)>& visit) const;

  // The vector of `text` that is stored under `id`, into `values`. Throws Error{corrupt} naming the id if it is
  // missing, of another text or dimension, or not what was stored.
  void vector(VectorId id, TextId text, std::span<float> values) const;

  // Ids of all vectors in ascending order; for gc.
  void each_vector(const std::function<void(VectorId id)>& visit) const;

  // The answers of a vote, by attempt; all answers, in the order they came. Throws Error{corrupt} for a damaged one.
  [[nodiscard]] std::vector<SavedAnswer> answers(const VoteKey& vote) const;
  void each_answer(const std::function<void(const SavedAnswer&)>& visit) const;

 private:
  struct Txn;
  [[nodiscard]] const FactsView& view() const;
  std::unique_ptr<Txn> txn_;
};

}  // namespace residue::storage
