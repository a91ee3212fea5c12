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
#include <utility>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "storage/disk/big_endian.h"
#include "storage/facts/answer_entry.h"
#include "storage/facts/facts_txn.h"

namespace residue::storage {
namespace {

[[noreturn]] void damaged() {
  throw Error(Code::kCorrupt, "facts/: an answer is not what was stored",
              "residue check names each that is damaged; restore the last backup, or residue check --repair removes "
              "them, and they are asked and paid for again");
}

// `place`: vote key and attempt.
SavedAnswer answer_of(std::string_view place, std::string_view entry) {
  auto answer = read_answer(place, entry);
  if (!answer) damaged();
  return std::move(*answer);
}

}  // namespace

std::vector<SavedAnswer> FactsView::answers(const VoteKey& vote) const {
  std::vector<SavedAnswer> all;
  TableCursor cursor(txn_, state_.tables.answers);
  const std::string least = "a" + answer_place(vote, 0);
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
    const std::string entry = "l" + big_endian(number, kAnswerNumberBytes);
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
  const std::string place = answer_place(vote, attempt);
  const std::uint64_t digest = answer_checksum(place, envelope);
  std::string bytes(kAnswerChecksumBytes, '\0');
  std::memcpy(bytes.data(), &digest, kAnswerChecksumBytes);
  bytes.append(envelope);
  const std::string name = "a" + place;
  MDB_val key = as_val(name);
  MDB_val value = as_val(bytes);
  const int code = mdb_put(txn_, state_.tables.answers, &key, &value, MDB_NOOVERWRITE);
  if (code == MDB_KEYEXIST) return false;
  const auto write = [&](int result) {
    if (result == MDB_MAP_FULL) state_.here->full = true;
    check(result, "write an answer");
  };
  write(code);
  std::uint64_t number = next_of("next_answer");
  const std::string log = "l" + big_endian(number, kAnswerNumberBytes);
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
