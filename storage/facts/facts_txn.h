// Inside facts/: the environment, its tables, and what readers and writers share. Included by facts*.cc only.
//
//   texts    id (8 bytes, integer key, appended)       -> frame (frame.h)
//   digests  one key, sorted fixed-size duplicates: address (12 bytes) id (6 bytes, big-endian). Fixed-size duplicates
//            have no header of their own: 22 bytes an entry where an ordinary key and value take 34.
//   dicts    number (8 bytes, integer key)             -> class (1 byte) dictionary
//   vectors  id (8 bytes, big-endian, appended)        -> text id (8 bytes) checksum (8 bytes) float32 little-endian
//   answers  facts_answers.cc
//   meta     "uuid" -> store UUID; "next", "next_vector", "next_answer", "next_dict" -> next id (8 bytes): ids are
//            never given twice; "trained" number (8 bytes) -> ids of the texts that a dictionary was trained on, 8
//            bytes each; "commits", "catalog" -> FactsCommits
//
// A frame over some 2,020 bytes goes to overflow pages: on average half a page (2 KiB) is lost to each such text.
#pragma once

#include <lmdb.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "storage/disk/lock.h"
#include "storage/facts/address.h"
#include "storage/facts/dictionary.h"
#include "storage/facts/environments.h"
#include "storage/facts/facts.h"
#include "storage/facts/frame.h"
#include "storage/facts/text_memory.h"

namespace residue::storage {

inline constexpr std::size_t kDigestEntryBytes = kAddressBytes + 6;
inline constexpr std::string_view kDigestKey("d", 1);

// Throws the Error for an LMDB or system code; `what` says what was being done.
[[noreturn]] void fail(int code, const char* what);
inline void check(int code, const char* what) {
  if (code != MDB_SUCCESS) fail(code, what);
}

[[noreturn]] void damaged_text(TextId id, const std::string& why);

inline MDB_val as_val(std::string_view bytes) { return {bytes.size(), const_cast<char*>(bytes.data())}; }
inline std::string_view as_view(const MDB_val& value) {
  return {static_cast<const char*>(value.mv_data), value.mv_size};
}

// The key in `meta` of the texts that a dictionary was trained on.
std::string trained_key(std::uint64_t number);

std::string digest_entry(const Address& address, TextId id);
TextId digest_id(std::string_view entry);
std::uint64_t number_of(const MDB_val& value);  // 8 bytes of this machine's order; Error{corrupt} otherwise

// An entry of `vectors` (facts_vectors.cc).
std::string vector_key(VectorId id);
VectorId vector_id(const MDB_val& key);
std::string vector_entry(TextId text, std::span<const float> values);
// The values, of a length that is a multiple of 4 and not 0. Throws Error{corrupt} naming `id` for anything but what
// was stored for `text`; a text of 0 stands for any.
std::string_view vector_values(VectorId id, TextId text, std::string_view entry);

// Walks a table from its first entry.
class TableCursor {
 public:
  TableCursor(MDB_txn* txn, MDB_dbi table) { check(mdb_cursor_open(txn, table, &cursor_), "walk a table"); }
  ~TableCursor() { mdb_cursor_close(cursor_); }
  TableCursor(const TableCursor&) = delete;
  TableCursor& operator=(const TableCursor&) = delete;
  bool next(MDB_val& key, MDB_val& value) { return get(key, value, MDB_NEXT); }
  bool get(MDB_val& key, MDB_val& value, MDB_cursor_op how) {
    const int code = mdb_cursor_get(cursor_, &key, &value, how);
    if (code != MDB_NOTFOUND) check(code, "walk a table");
    return code == MDB_SUCCESS;
  }
  void erase() { check(mdb_cursor_del(cursor_, 0), "delete an entry"); }

 private:
  MDB_cursor* cursor_ = nullptr;
};

struct Tables {
  MDB_dbi texts = 0, digests = 0, dicts = 0, answers = 0, vectors = 0, meta = 0;
};

struct Facts::State {
  State(std::string_view key) : addresses(key) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();

  // Begins a transaction. Where the map is too small (another process grew it, or a batch of ours filled it) waits a
  // little for the transactions of this process to end, then maps it anew; Error{try again} if they do not.
  MDB_txn* begin(unsigned flags);

  // The engine does not write pages freed within a transaction: the file may end before the last page it counts.
  // Extends it, so that a short file means a damaged one, or a process killed between its commit and here.
  void reach_last_page();

  // Bytes that the file lacks up to the last page counted, which would end in SIGBUS when read. 0 if none.
  [[nodiscard]] std::uint64_t missing_bytes() const;

  // Extends a short file, never shrinks it: another process may be writing. Returns the size before.
  std::uint64_t extend() const;

  // For a file that was short: Error{corrupt} unless every text, digest and free page list is there, so that what was
  // missing were pages never written. Costs a read of everything.
  void prove_whole();

  // What a failed commit means: Error{try again} if it surely stored nothing, otherwise Error{io}, and no write begins
  // again on this object.
  [[noreturn]] void fail_commit(int code);

  // The cached dictionary, loaded through `txn` if need be. Lives as long as this object.
  const Dictionary* dictionary(MDB_txn* txn, std::uint64_t number);
  void publish(std::uint32_t number, std::shared_ptr<Dictionary> dictionary);

  AddressKey addresses;
  Lock open;                    // shared, as long as the environment is; see open_env()
  Environment* here = nullptr;  // shared with others of this process who have the same directory open
  MDB_env* env = nullptr;       // of `here`
  Tables tables;
  std::mutex mutex;  // guards what follows
  std::map<std::uint64_t, std::shared_ptr<Dictionary>> dictionaries;
  std::weak_ptr<TextMemory> remembered;
};

// A transaction's view of the tables; what Reader and Writer both do.
class FactsView {
 public:
  FactsView(Facts::State& state, unsigned flags) : state_(state), txn_(state.begin(flags)) {}
  virtual ~FactsView() { end(); }
  FactsView(const FactsView&) = delete;
  FactsView& operator=(const FactsView&) = delete;

  [[nodiscard]] std::string text(TextId id);
  [[nodiscard]] std::optional<TextId> find(const Address& address) { return find_address(address); }
  [[nodiscard]] FrameParts parts(TextId id) const;
  void vector(VectorId id, TextId text, std::span<float> values) const;
  [[nodiscard]] std::vector<SavedAnswer> answers(const VoteKey& vote) const;
  // Returns how many entries of the log are of answers that were purged.
  std::uint64_t each_answer(const std::function<void(const SavedAnswer&)>& visit) const;
  bool put_answer(const VoteKey& vote, std::uint32_t attempt, std::string_view envelope);
  [[nodiscard]] std::uint64_t next_of(std::string_view counter) const;  // meta; 1 where nothing was given yet
  // Of those in this transaction's view: what another process has removed is not used again.
  const Dictionary* newest(PrivacyClass cls);
  // A number that no dictionary ever had.
  [[nodiscard]] std::uint64_t next_dictionary() const;
  void keep_tables() {  // handles opened in this transaction stay valid only if it commits
    const int code = mdb_txn_commit(txn_);
    spent();
    check(code, "open its tables");
  }
  [[nodiscard]] MDB_txn* txn() const { return txn_; }
  [[nodiscard]] Facts::State& state() const { return state_; }

 protected:
  virtual std::optional<TextId> find_address(const Address& address);
  virtual const Dictionary* dictionary(std::uint64_t number) { return state_.dictionary(txn_, number); }
  std::optional<TextId> stored(const Address& address) const;
  void end();
  void spent();  // the engine has freed the transaction

  Facts::State& state_;
  MDB_txn* txn_;
  FrameCodec codec_;

 private:
  [[nodiscard]] std::string decode(TextId id);
};

}  // namespace residue::storage
