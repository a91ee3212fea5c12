#include "storage/facts/facts_txn.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <utility>

#include "base/error.h"
#include "storage/disk/big_endian.h"
#include "storage/disk/mutant.h"
#include "storage/facts/facts_space.h"

namespace residue::storage {

namespace {
constexpr int kMapAttempts = 2'000;  // of 1 ms each

void try_to_enlarge(MDB_env* env) {
  try {
    enlarge_map(env, true);
  } catch (const Error& error) {
    if (error.code() != Code::kTryAgain) throw;
  }
}
}  // namespace

void fail(int code, const char* what) {
  const std::string message = std::string("facts/: cannot ") + what + ": " + mdb_strerror(code);
  if (code == ENOMEM || ((code == MDB_MAP_FULL || code == MDB_MAP_RESIZED) && address_room())) {
    throw Error(Code::kTryAgain,
                std::string("facts/: cannot ") + what + ": it does not fit into the address space of this process",
                "raise the limit (ulimit -v), or use fewer --jobs, then run the command again");
  }
  switch (code) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case MDB_MAP_FULL:
    case MDB_MAP_RESIZED:
    case MDB_READERS_FULL:
      throw Error(Code::kTryAgain, message, "free space or end other processes, then run the command again");
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_INVALID:
    case MDB_VERSION_MISMATCH:
    case MDB_NOTFOUND:
      throw Error(Code::kCorrupt, message, "restore the store from a backup");
    case MDB_BAD_TXN:
    case MDB_BAD_DBI:
    case MDB_BAD_VALSIZE:
    case MDB_KEYEXIST:
    case MDB_INCOMPATIBLE:
    case EINVAL:
      throw Error(Code::kInternal, message, "please report this");
    default:
      throw Error(Code::kIo, message, "check the disk, then run the command again");
  }
}

void damaged_text(TextId id, const std::string& why) {
  throw Error(Code::kCorrupt, "text " + std::to_string(id.value) + ": " + why, "restore the store from a backup");
}

std::string trained_key(std::uint64_t number) {
  std::string key = "trained";
  return key.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string digest_entry(const Address& address, TextId id) {
  return std::string(address.data(), address.size()) +
         big_endian(static_cast<std::uint64_t>(id.value), kDigestEntryBytes - kAddressBytes);
}

TextId digest_id(std::string_view entry) {
  return TextId{static_cast<std::int64_t>(of_big_endian(entry.substr(kAddressBytes)))};
}

std::uint64_t number_of(const MDB_val& value) {
  if (value.mv_size != sizeof(std::uint64_t)) fail(MDB_CORRUPTED, "read a number");
  std::uint64_t number = 0;
  std::memcpy(&number, value.mv_data, sizeof number);
  return number;
}

MDB_txn* Facts::State::begin(unsigned flags) {
  const bool writes = (flags & MDB_RDONLY) == 0;
  if (writes && map_nearly_full(env)) {
    const std::unique_lock lock(here->gate);
    // Ahead of time, where that is possible; a transaction that does not fit says so itself.
    if (here->transactions == 0) try_to_enlarge(env);
  }
  for (int attempt = 0;; ++attempt) {
    const bool grow = writes && here->full;
    int code = MDB_MAP_RESIZED;
    if (!grow) {
      {
        const std::shared_lock lock(here->gate);
        ++here->transactions;
      }
      MDB_txn* txn = nullptr;
      code = mdb_txn_begin(env, nullptr, flags, &txn);
      if (code == MDB_SUCCESS) return txn;
      --here->transactions;
    }
    if (code != MDB_MAP_RESIZED || attempt == kMapAttempts) fail(code, "begin a transaction");
    {
      const std::unique_lock lock(here->gate);
      if (here->transactions == 0) {
        enlarge_map(env, grow);
        if (grow) here->full = false;
        continue;
      }
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void Facts::State::publish(std::uint32_t number, std::shared_ptr<Dictionary> dictionary) {
  const std::scoped_lock lock(mutex);
  dictionaries.emplace(number, std::move(dictionary));
}

const Dictionary* Facts::State::dictionary(MDB_txn* txn, std::uint64_t number) {
  {
    const std::scoped_lock lock(mutex);
    const auto found = dictionaries.find(number);
    if (found != dictionaries.end()) return found->second.get();
  }
  MDB_val key{sizeof number, &number};
  MDB_val value{};
  const int code = mdb_get(txn, tables.dicts, &key, &value);
  if (code == MDB_NOTFOUND) return nullptr;
  check(code, "read a dictionary");
  const std::string_view bytes = as_view(value);
  if (bytes.empty() || bytes.front() < 0 || bytes.front() > 1 || number > UINT32_MAX) {
    fail(MDB_CORRUPTED, "read a dictionary");
  }
  publish(static_cast<std::uint32_t>(number),
          std::make_shared<Dictionary>(bytes.substr(1), static_cast<std::uint32_t>(number)));
  return dictionary(txn, number);
}

const Dictionary* FactsView::newest(PrivacyClass cls) {
  TableCursor dicts(txn_, state_.tables.dicts);
  MDB_val key{};
  MDB_val value{};
  for (bool more = dicts.get(key, value, MDB_LAST); more; more = dicts.get(key, value, MDB_PREV)) {
    if (as_view(value).starts_with(static_cast<char>(cls))) return dictionary(number_of(key));
  }
  return nullptr;
}

std::uint64_t FactsView::next_dictionary() const {
  TableCursor dicts(txn_, state_.tables.dicts);
  MDB_val key{};
  MDB_val value{};
  const std::uint64_t last = dicts.get(key, value, MDB_LAST) ? number_of(key) : 0;
  return std::max(next_of("next_dict"), last + 1);
}

void FactsView::end() {
  if (txn_ == nullptr) return;
  mdb_txn_abort(txn_);
  spent();
}

void FactsView::spent() {
  txn_ = nullptr;
  --state_.here->transactions;
}

FrameParts FactsView::parts(TextId id) const {
  std::uint64_t number = static_cast<std::uint64_t>(id.value);
  MDB_val key{sizeof number, &number};
  MDB_val value{};
  const int code = mdb_get(txn_, state_.tables.texts, &key, &value);
  if (code == MDB_NOTFOUND) damaged_text(id, "it is not there");
  check(code, "read a text");
  return parse_frame(as_view(value));
}

std::optional<TextId> FactsView::stored(const Address& address) const {
  MDB_cursor* cursor = nullptr;
  check(mdb_cursor_open(txn_, state_.tables.digests, &cursor), "read digests");
  const std::unique_ptr<MDB_cursor, void (*)(MDB_cursor*)> closing(cursor, mdb_cursor_close);
  MDB_val key = as_val(kDigestKey);
  const std::string least = digest_entry(address, TextId{0});
  MDB_val value = as_val(least);
  const int code = mdb_cursor_get(cursor, &key, &value, MDB_GET_BOTH_RANGE);
  if (code == MDB_NOTFOUND) return std::nullopt;
  check(code, "read digests");
  if (value.mv_size != kDigestEntryBytes) fail(MDB_CORRUPTED, "read digests");
  if (std::memcmp(value.mv_data, address.data(), address.size()) != 0) return std::nullopt;
  return digest_id(as_view(value));
}

std::optional<TextId> FactsView::find_address(const Address& address) { return stored(address); }

std::string FactsView::decode(TextId id) {
  const FrameParts frame = parts(id);
  if (frame.kind == FrameKind::kDictionary) return codec_.decode(frame, dictionary(frame.reference), {});
  if (frame.kind != FrameKind::kAgainst) return codec_.decode(frame, nullptr, {});
  if (frame.reference >= static_cast<std::uint64_t>(id.value)) damaged_text(id, "it refers to no text");
  const TextId original{id.value - static_cast<std::int64_t>(frame.reference)};
  if (parts(original).kind == FrameKind::kAgainst) damaged_text(id, "its original is not one");
  return codec_.decode(frame, nullptr, decode(original));
}

std::string FactsView::text(TextId id) {
  std::string text;
  try {
    text = decode(id);
  } catch (const Error& error) {
    if (error.code() != Code::kCorrupt) throw;
    damaged_text(id, error.what());
  }
  if (mutant("text-unchecked")) return text;
  if (find_address(state_.addresses.of(text)) != id) damaged_text(id, "it is not the text that was stored");
  return text;
}

}  // namespace residue::storage
