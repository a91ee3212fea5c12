#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "base/error.h"
#include "storage/facts_txn.h"
#include "storage/fault.h"

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
  std::shared_ptr<Dictionary> trained;
  bool done = false;
};

}  // namespace

struct Facts::Writer::Txn : FactsView {
  explicit Txn(State& state) : FactsView(state, 0) {
    MDB_val key = as_val("next");
    MDB_val value{};
    const int code = mdb_get(txn_, state_.tables.meta, &key, &value);
    if (code != MDB_NOTFOUND) check(code, "read meta");
    next = code == MDB_NOTFOUND ? 1 : static_cast<std::int64_t>(number_of(value));
  }

  TextId add(std::string_view text, PrivacyClass cls, std::optional<TextId> original, const Address& address);
  void flush();
  void finish();
  void train(std::string_view text, PrivacyClass cls);
  const Dictionary* newest(PrivacyClass cls) {
    const auto& own = training[static_cast<std::size_t>(cls)].trained;
    return own ? own.get() : state_.newest(cls);
  }

  std::optional<TextId> find_address(const Address& address) override {
    const auto found = pending.find(address);
    return found != pending.end() ? std::optional(found->second) : stored(address);
  }
  const Dictionary* dictionary(std::uint64_t number) override {
    for (const auto& own : training) {
      if (own.trained && own.trained->number() == number) return own.trained.get();
    }
    return state_.dictionary(txn_, number);
  }

  std::int64_t next = 1;
  std::unordered_map<Address, TextId, AddressHash> pending;
  std::array<Training, 2> training;
};

void Facts::Writer::Txn::flush() {
  std::vector<std::pair<Address, TextId>> sorted(pending.begin(), pending.end());
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return std::memcmp(a.first.data(), b.first.data(), kAddressBytes) < 0;  // the engine's order: unsigned bytes
  });
  for (const auto& [address, id] : sorted) {
    const std::string entry = digest_entry(address, id);
    MDB_val key = as_val(kDigestKey);
    MDB_val value = as_val(entry);
    check(mdb_put(txn_, state_.tables.digests, &key, &value, MDB_NODUPDATA), "write a digest");
  }
  pending.clear();
}

void Facts::Writer::Txn::train(std::string_view text, PrivacyClass cls) {
  Training& t = training[static_cast<std::size_t>(cls)];
  if (t.done || text.empty() || text.size() > kMaxDictionaryTextBytes || newest(cls) != nullptr) return;
  t.samples.append(text);
  t.sizes.push_back(text.size());
  if (t.samples.size() < kTrainingBytes || t.sizes.size() < kTrainingTexts) return;
  t.done = true;
  std::uint64_t number = 1;
  MDB_stat stat{};
  check(mdb_stat(txn_, state_.tables.dicts, &stat), "count dictionaries");
  number += stat.ms_entries;
  const std::string bytes = train_dictionary(t.samples, t.sizes, static_cast<std::uint32_t>(number));
  t.samples = {};
  t.sizes = {};
  if (bytes.empty()) return;
  const std::string value_bytes = std::string(1, static_cast<char>(cls)) + bytes;
  MDB_val key{sizeof number, &number};
  MDB_val value = as_val(value_bytes);
  check(mdb_put(txn_, state_.tables.dicts, &key, &value, MDB_NOOVERWRITE | MDB_APPEND), "write a dictionary");
  t.trained = std::make_shared<Dictionary>(bytes, static_cast<std::uint32_t>(number));
}

TextId Facts::Writer::Txn::add(std::string_view text, PrivacyClass cls, std::optional<TextId> original,
                               const Address& address) {
  const TextId id{next};
  const bool against = original && parts(*original).kind != FrameKind::kAgainst;
  const Dictionary* dict = text.size() <= kMaxDictionaryTextBytes ? newest(cls) : nullptr;
  std::string_view frame = codec_.encode(text, dict);
  std::string alone;
  if (against) {
    alone = frame;
    const std::string source = this->text(*original);
    frame = codec_.encode_against(text, source, static_cast<std::uint64_t>(id.value - original->value));
    if (alone.size() <= frame.size()) frame = alone;
  } else {
    train(text, cls);
  }
  std::uint64_t number = static_cast<std::uint64_t>(id.value);
  MDB_val key{sizeof number, &number};
  MDB_val value = as_val(frame);
  check(mdb_put(txn_, state_.tables.texts, &key, &value, MDB_APPEND), "write a text");
  ++next;
  pending.emplace(address, id);
  if (pending.size() >= kPendingDigests) flush();
  return id;
}

void Facts::Writer::Txn::finish() {
  if (txn_ == nullptr) throw Error(Code::kInternal, "facts/: a transaction was committed twice", "please report this");
  flush();
  auto number = static_cast<std::uint64_t>(next);
  MDB_val key = as_val("next");
  MDB_val value{sizeof number, &number};
  check(mdb_put(txn_, state_.tables.meta, &key, &value, 0), "write meta");
  fault_point("facts.commit.before");
  const int code = mdb_txn_commit(txn_);
  spent();
  check(code, "commit");
  fault_point("facts.commit.after");
  state_.reach_last_page();
  for (std::size_t cls = 0; cls < training.size(); ++cls) {
    if (const auto& own = training[cls].trained) state_.publish(own->number(), static_cast<PrivacyClass>(cls), own);
  }
}

Facts::Writer::Writer(Facts& facts) : txn_(std::make_unique<Txn>(*facts.state_)) {}
Facts::Writer::~Writer() = default;

TextId Facts::Writer::put(std::string_view text, PrivacyClass cls, std::optional<TextId> original) {
  if (text.size() > kMaxTextBytes) throw Error(Code::kBadInput, "a text is longer than 64 MiB", "split or skip it");
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
  t.flush();
  const Tables& tables = t.state().tables;
  std::uint64_t number = static_cast<std::uint64_t>(id.value);
  MDB_val key{sizeof number, &number};
  MDB_val value{};
  const int there = mdb_get(t.txn(), tables.texts, &key, &value);
  if (there == MDB_NOTFOUND) return false;
  check(there, "read a text");
  const std::string entry = digest_entry(t.state().addresses.of(t.text(id)), id);
  MDB_val digest_key = as_val(kDigestKey);
  MDB_val digest = as_val(entry);
  check(mdb_del(t.txn(), tables.digests, &digest_key, &digest), "delete a digest");
  check(mdb_del(t.txn(), tables.texts, &key, nullptr), "delete a text");
  return true;
}

void Facts::Writer::commit() { txn_->finish(); }

}  // namespace residue::storage
