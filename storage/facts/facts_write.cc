#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "storage/disk/fault.h"
#include "storage/facts/facts_txn.h"

namespace residue::storage {

namespace {

// New digests are kept aside and inserted in order: neighbours share pages, and a first batch fills them.
constexpr std::size_t kPendingDigests = std::size_t{1} << 20U;

struct AddressHash {
  std::size_t operator()(const Address& address) const {
    std::size_t hash = 0;  // an address is random already
    std::memcpy(&hash, address.data(), sizeof hash);
    return hash;
  }
};

struct Training {
  std::string samples;
  std::vector<std::size_t> sizes;
  std::vector<std::int64_t> ids;
  std::shared_ptr<Dictionary> trained;
  bool done = false;
};

}  // namespace

struct Facts::Writer::Txn : FactsView {
  explicit Txn(State& state) : FactsView(state, 0) {
    next = static_cast<std::int64_t>(next_of("next"));
    next_vector = first_vector = static_cast<std::int64_t>(next_of("next_vector"));
    MDB_stat digests{};
    check(mdb_stat(txn_, state_.tables.digests, &digests), "count digests");
    empty = digests.ms_entries == 0;
  }

  TextId add(std::string_view text, PrivacyClass cls, std::optional<TextId> original, const Address& address);
  void flush();
  void finish();
  void write_counter(std::string_view name, std::int64_t number);
  void erase_damaged(TextId id);
  void write(MDB_dbi table, MDB_val key, std::string_view bytes, unsigned flags, const char* what);
  void usable() const {
    if (failed != MDB_SUCCESS) fail(failed, "go on with a batch that failed");
    if (txn_ == nullptr)
      throw Error(Code::kInternal, "facts/: a transaction was committed twice", "please report this");
  }
  void train(std::string_view text, PrivacyClass cls, TextId id);
  const Dictionary* dictionary_of(PrivacyClass cls) {
    auto& known = newest_of[static_cast<std::size_t>(cls)];
    if (!known) known = newest(cls);
    return *known;
  }

  std::optional<TextId> find_address(const Address& address) override {
    const auto found = pending.find(address);
    if (found != pending.end()) return found->second;
    return empty ? std::nullopt : stored(address);
  }
  const Dictionary* dictionary(std::uint64_t number) override {
    for (const auto& own : training) {
      if (own.trained && own.trained->number() == number) return own.trained.get();
    }
    return state_.dictionary(txn_, number);
  }

  std::int64_t next = 1;
  std::int64_t next_vector = 1, first_vector = 1;
  std::int64_t follows = 0;  // the catalog's commit; 0: as before
  int failed = MDB_SUCCESS;  // of an earlier write: the engine accepts no other
  bool empty = false;        // no digest was stored before this transaction, and none has been flushed
  std::unordered_map<Address, TextId, AddressHash> pending;
  std::array<Training, 2> training;
  std::array<std::optional<const Dictionary*>, 2> newest_of;
};

void Facts::Writer::Txn::write(MDB_dbi table, MDB_val key, std::string_view bytes, unsigned flags, const char* what) {
  MDB_val value = as_val(bytes);
  const int code = mdb_put(txn_, table, &key, &value, flags);
  if (code == MDB_SUCCESS) return;
  failed = code;
  if (code == MDB_MAP_FULL) state_.here->full = true;
  fail(code, what);
}

void Facts::Writer::Txn::flush() {
  if (pending.empty()) return;
  std::vector<std::pair<Address, TextId>> sorted(pending.begin(), pending.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return std::memcmp(a.first.data(), b.first.data(), kAddressBytes) < 0;  // the engine's order: unsigned bytes
  });
  for (const auto& [address, id] : sorted) {
    const std::string entry = digest_entry(address, id);
    write(state_.tables.digests, as_val(kDigestKey), entry, MDB_NODUPDATA, "write a digest");
  }
  pending.clear();
  empty = false;
}

void Facts::Writer::Txn::train(std::string_view text, PrivacyClass cls, TextId id) {
  Training& t = training[static_cast<std::size_t>(cls)];
  if (t.done || text.empty() || text.size() > kMaxDictionaryTextBytes || dictionary_of(cls) != nullptr) return;
  t.samples.append(text);
  t.sizes.push_back(text.size());
  t.ids.push_back(id.value);
  if (t.samples.size() < kTrainingBytes || t.sizes.size() < kTrainingTexts) return;
  t.done = true;
  std::uint64_t number = next_dictionary();
  const std::string bytes = train_dictionary(t.samples, t.sizes, static_cast<std::uint32_t>(number));
  t.samples = {};
  t.sizes = {};
  if (bytes.empty()) return;
  const std::string value_bytes = std::string(1, static_cast<char>(cls)) + bytes;
  MDB_val key{sizeof number, &number};
  write(state_.tables.dicts, key, value_bytes, MDB_NOOVERWRITE | MDB_APPEND, "write a dictionary");
  // It holds pieces of these texts: it goes when one of them does.
  write(state_.tables.meta, as_val(trained_key(number)),
        {reinterpret_cast<const char*>(t.ids.data()), t.ids.size() * sizeof t.ids[0]}, 0, "write meta");
  write_counter("next_dict", static_cast<std::int64_t>(number) + 1);
  t.ids = {};
  t.trained = std::make_shared<Dictionary>(bytes, static_cast<std::uint32_t>(number));
  newest_of[static_cast<std::size_t>(cls)] = t.trained.get();
}

TextId Facts::Writer::Txn::add(std::string_view text, PrivacyClass cls, std::optional<TextId> original,
                               const Address& address) {
  const TextId id{next};
  const bool against = original && parts(*original).kind != FrameKind::kAgainst;
  const Dictionary* dict = text.size() <= kMaxDictionaryTextBytes ? dictionary_of(cls) : nullptr;
  std::string_view frame;
  std::string diff;
  if (against) {
    const std::string source = this->text(*original);
    frame = codec_.encode_against(text, source, static_cast<std::uint64_t>(id.value - original->value));
    if (frame.size() > text.size() / 4) {
      diff = frame;
      frame = codec_.encode(text, dict);
      if (diff.size() < frame.size()) frame = diff;
    }
  } else {
    frame = codec_.encode(text, dict);
    train(text, cls, id);
  }
  std::uint64_t number = static_cast<std::uint64_t>(id.value);
  MDB_val key{sizeof number, &number};
  write(state_.tables.texts, key, frame, MDB_APPEND, "write a text");
  ++next;
  pending.emplace(address, id);
  if (pending.size() >= kPendingDigests) flush();
  return id;
}

void Facts::Writer::Txn::write_counter(std::string_view name, std::int64_t number) {
  write(state_.tables.meta, as_val(name), {reinterpret_cast<const char*>(&number), sizeof number}, 0, "write meta");
}

void Facts::Writer::Txn::finish() {
  usable();
  flush();
  write_counter("next", next);
  if (next_vector != first_vector) write_counter("next_vector", next_vector);
  write_counter("commits", static_cast<std::int64_t>(next_of("commits")) + 1);
  if (follows > 0) write_counter("catalog", follows);
  fault_point("facts.commit.before");
  const int code = mdb_txn_commit(txn_);
  spent();
  if (code != MDB_SUCCESS) state_.fail_commit(code);
  fault_point("facts.commit.after");
  state_.reach_last_page();
  for (const Training& own : training) {
    if (own.trained) state_.publish(own.trained->number(), own.trained);
  }
}

// The address of a text that cannot be read is unknown: without a search, its digest would name nothing for ever, and
// the same text could never be stored again.
void Facts::Writer::Txn::erase_damaged(TextId id) {
  TableCursor digests(txn_, state_.tables.digests);
  MDB_val key{};
  MDB_val value{};
  while (digests.next(key, value)) {
    if (value.mv_size != kDigestEntryBytes || digest_id(as_view(value)) != id) continue;
    digests.erase();
    return;
  }
}

Facts::Writer::Writer(Facts& facts) : txn_(std::make_unique<Txn>(*facts.state_)) {}
Facts::Writer::~Writer() = default;

TextId Facts::Writer::put(std::string_view text, PrivacyClass cls, std::optional<TextId> original) {
  if (text.size() > kMaxTextBytes) throw Error(Code::kBadInput, "a text is longer than 64 MiB", "split or skip it");
  txn_->usable();
  const Address address = txn_->state().addresses.of(text);
  if (const auto found = txn_->find(address)) return *found;
  return txn_->add(text, cls, original, address);
}

std::optional<TextId> Facts::Writer::find(std::string_view text) const {
  return txn_->find(txn_->state().addresses.of(text));
}

std::string Facts::Writer::text(TextId id) const { return txn_->text(id); }

bool Facts::Writer::erase(TextId id) {
  Txn& t = *txn_;
  t.usable();
  t.flush();
  const Tables& tables = t.state().tables;
  std::uint64_t number = static_cast<std::uint64_t>(id.value);
  MDB_val key{sizeof number, &number};
  MDB_val value{};
  const int there = mdb_get(t.txn(), tables.texts, &key, &value);
  if (there == MDB_NOTFOUND) {
    t.erase_damaged(id);
    return false;
  }
  check(there, "read a text");
  try {
    const std::string entry = digest_entry(t.state().addresses.of(t.text(id)), id);
    MDB_val digest_key = as_val(kDigestKey);
    MDB_val digest = as_val(entry);
    check(mdb_del(t.txn(), tables.digests, &digest_key, &digest), "delete a digest");
  } catch (const Error& error) {
    if (error.code() != Code::kCorrupt) throw;
    t.erase_damaged(id);
  }
  check(mdb_del(t.txn(), tables.texts, &key, nullptr), "delete a text");
  return true;
}

VectorId Facts::Writer::put_vector(TextId text, std::span<const float> values) {
  Txn& t = *txn_;
  t.usable();
  const VectorId id{t.next_vector};
  const std::string key = vector_key(id);
  t.write(t.state().tables.vectors, as_val(key), vector_entry(text, values), MDB_APPEND, "write a vector");
  ++t.next_vector;
  return id;
}

void Facts::Writer::vector(VectorId id, TextId text, std::span<float> values) const { txn_->vector(id, text, values); }

bool Facts::Writer::erase_vector(VectorId id) {
  txn_->usable();
  const std::string bytes = vector_key(id);
  MDB_val key = as_val(bytes);
  const int code = mdb_del(txn_->txn(), txn_->state().tables.vectors, &key, nullptr);
  if (code != MDB_NOTFOUND) check(code, "delete a vector");
  return code == MDB_SUCCESS;
}

bool Facts::Writer::put_answer(const VoteKey& vote, std::uint32_t attempt, std::string_view envelope) {
  txn_->usable();
  return txn_->put_answer(vote, attempt, envelope);
}

FactsCommits Facts::Writer::follow(std::uint64_t catalog) {
  txn_->usable();
  txn_->follows = static_cast<std::int64_t>(catalog);
  return {txn_->next_of("commits") + 1, catalog};
}

void Facts::Writer::commit() { txn_->finish(); }

}  // namespace residue::storage
