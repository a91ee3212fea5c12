// The table `answers` of facts/: what models said, kept for ever.
//
//   'a' vote key (32) attempt (4, big-endian) -> checksum (8) envelope
//   'l' number (8, big-endian)                -> vote key attempt      the order in which they came; proves that none
//   is lost
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "base/hash.h"
#include "storage/disk/fault.h"
#include "storage/disk/mutant.h"
#include "storage/facts/facts_txn.h"

namespace residue::storage {
namespace {

constexpr std::uint64_t kSeed = 0x616e7377657273;
constexpr std::size_t kChecksumBytes = 8;
constexpr std::size_t kAttemptBytes = 4;

std::string big_endian(std::uint64_t number, std::size_t bytes) {
  std::string out;
  for (std::size_t i = bytes; i-- > 0;) out.push_back(static_cast<char>(number >> (8 * i)));
  return out;
}

std::string place_of(const VoteKey& vote, std::uint32_t attempt) {
  return std::string(vote.bytes()) + big_endian(attempt, kAttemptBytes);
}

std::uint64_t checksum(std::string_view place, std::string_view envelope) {
  return hash_of(hash_bytes(place, kSeed), envelope);
}

[[noreturn]] void damaged() {
  throw Error(Code::kCorrupt, "facts/: an answer is not what was stored", "restore the store from a backup");
}

// `place`: vote key and attempt.
SavedAnswer answer_of(std::string_view place, std::string_view entry) {
  if (place.size() != kDigestBytes + kAttemptBytes || entry.size() < kChecksumBytes) damaged();
  std::uint64_t stored = 0;
  std::memcpy(&stored, entry.data(), kChecksumBytes);
  const std::string_view envelope = entry.substr(kChecksumBytes);
  if (stored != checksum(place, envelope) && !mutant("answer-unchecked")) damaged();
  SavedAnswer answer;
  answer.vote = VoteKey(place.substr(0, kDigestBytes));
  for (const char byte : place.substr(kDigestBytes))
    answer.attempt = answer.attempt << 8 | static_cast<unsigned char>(byte);
  answer.envelope = std::string(envelope);
  return answer;
}

}  // namespace

std::vector<SavedAnswer> FactsView::answers(const VoteKey& vote) const {
  std::vector<SavedAnswer> all;
  TableCursor cursor(txn_, state_.tables.answers);
  const std::string least = "a" + place_of(vote, 0);
  MDB_val key = as_val(least);
  MDB_val value{};
  for (bool more = cursor.get(key, value, MDB_SET_RANGE); more; more = cursor.next(key, value)) {
    if (!as_view(key).starts_with(least.substr(0, 1 + kDigestBytes))) break;
    all.push_back(answer_of(as_view(key).substr(1), as_view(value)));
  }
  return all;
}

std::uint64_t FactsView::each_answer(const std::function<void(const SavedAnswer&)>& visit) const {
  const std::uint64_t next = next_of("next_answer");
  std::uint64_t purged = 0;
  for (std::uint64_t number = 1; number < next; ++number) {
    const std::string entry = "l" + big_endian(number, 8);
    MDB_val key = as_val(entry);
    MDB_val value{};
    if (mdb_get(txn_, state_.tables.answers, &key, &value) != MDB_SUCCESS) damaged();
    const std::string place(as_view(value));
    if (place.empty()) {
      ++purged;
      continue;
    }
    const std::string answer = "a" + place;
    key = as_val(answer);
    if (mdb_get(txn_, state_.tables.answers, &key, &value) != MDB_SUCCESS) damaged();
    visit(answer_of(place, as_view(value)));
  }
  return purged;
}

bool FactsView::put_answer(const VoteKey& vote, std::uint32_t attempt, std::string_view envelope) {
  const std::string place = place_of(vote, attempt);
  const std::uint64_t digest = checksum(place, envelope);
  std::string bytes(kChecksumBytes, '\0');
  std::memcpy(bytes.data(), &digest, kChecksumBytes);
  bytes.append(envelope);
  const std::string name = "a" + place;
  MDB_val key = as_val(name);
  MDB_val value = as_val(bytes);
  const int code = mdb_put(txn_, state_.tables.answers, &key, &value, MDB_NOOVERWRITE);
  if (code == MDB_KEYEXIST) return false;
  const auto write = [&](int result) {
    if (result == MDB_MAP_FULL) state_.full = true;
    check(result, "write an answer");
  };
  write(code);
  std::uint64_t number = next_of("next_answer");
  const std::string log = "l" + big_endian(number, 8);
  key = as_val(log);
  value = as_val(place);
  write(mdb_put(txn_, state_.tables.answers, &key, &value, MDB_NOOVERWRITE));
  ++number;
  key = as_val("next_answer");
  value = {sizeof number, &number};
  write(mdb_put(txn_, state_.tables.meta, &key, &value, 0));
  return true;
}

std::vector<SavedAnswer> Facts::Reader::answers(const VoteKey& vote) const { return view().answers(vote); }

void Facts::Reader::each_answer(const std::function<void(const SavedAnswer&)>& visit) const {
  (void)view().each_answer(visit);
}

}  // namespace residue::storage
