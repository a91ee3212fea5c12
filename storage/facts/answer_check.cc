#include "storage/facts/answer_check.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "storage/disk/big_endian.h"
#include "storage/facts/answer_entry.h"
#include "storage/facts/facts_txn.h"
#include "storage/facts/forgetting.h"

namespace residue::storage {
namespace {

constexpr int kNearBits = 16;  // of 288: two places that differ in no more are one place and its damage
constexpr std::uint64_t kMostFilled = 1U << 20U;

class View : public FactsView {
 public:
  using FactsView::FactsView;

  [[nodiscard]] std::optional<std::string_view> get(std::string_view name) const {
    MDB_val key = as_val(name);
    MDB_val value{};
    const int code = mdb_get(txn_, state_.tables.answers, &key, &value);
    if (code == MDB_NOTFOUND) return std::nullopt;
    check(code, "read an answer");
    return as_view(value);
  }
  void put(std::string_view name, std::string_view bytes) {
    MDB_val key = as_val(name);
    MDB_val value = as_val(bytes);
    const int code = mdb_put(txn_, state_.tables.answers, &key, &value, 0);
    if (code == MDB_MAP_FULL) state_.here->full = true;
    check(code, "mend an answer");
  }
  void count_on_from(std::uint64_t next) {
    MDB_val key = as_val("next_answer");
    MDB_val value{sizeof next, &next};
    check(mdb_put(txn_, state_.tables.meta, &key, &value, 0), "mend the order of answers");
  }
  // Every entry, in the order of the pages: a damaged key hides none.
  template <class Visit>
  void walk(const Visit& visit) {
    TableCursor cursor(txn_, state_.tables.answers);
    MDB_val key{};
    MDB_val value{};
    while (cursor.next(key, value)) visit(cursor, as_view(key), as_view(value));
  }
  void commit() {
    const int code = mdb_txn_commit(txn_);
    spent();
    if (code != MDB_SUCCESS) state_.fail_commit(code);
    state_.reach_last_page();
  }
};

AnswerCheck::Place place_in(std::string_view bytes) {
  return {VoteKey(bytes.substr(0, kDigestBytes)),
          static_cast<std::uint32_t>(of_big_endian(bytes.substr(kDigestBytes)))};
}

bool near(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  int bits = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    bits += std::popcount(static_cast<unsigned>(static_cast<unsigned char>(a[i] ^ b[i])));
  return bits <= kNearBits;
}

bool is_answer(std::string_view key, std::string_view value) {
  return key.starts_with('a') && read_answer(key.substr(1), value);
}

bool is_of_order(std::string_view key) { return key.starts_with('l') && key.size() == 1 + kAnswerNumberBytes; }

// Everything that lies in the table, and how it fits together.
struct Inventory {
  std::set<std::string> unlisted;                // places of sound answers that the order does not name
  std::map<std::uint64_t, std::string> missing;  // number -> place without a sound answer
  std::map<std::uint64_t, std::string> wrong;    // number -> the place that belongs there
  std::vector<std::uint64_t> gaps;               // numbers that the order lacks
  std::uint64_t gap_count = 0;
  std::set<std::string> hidden;  // keys of sound entries that are not found by them
  std::uint64_t sound = 0, strays = 0;
};

Inventory inventory(View& view) {
  Inventory all;
  std::map<std::uint64_t, std::string> order;
  const std::uint64_t next = view.next_of("next_answer");
  view.walk([&](TableCursor&, std::string_view key, std::string_view value) {
    const std::uint64_t number = is_of_order(key) ? of_big_endian(key.substr(1)) : 0;
    if (is_answer(key, value)) {
      all.unlisted.emplace(key.substr(1));
      ++all.sound;
    } else if (number == 0 || number >= next || !order.emplace(number, value).second) {
      ++all.strays;
      return;
    }
    if (!view.get(key)) all.hidden.emplace(key);
  });
  const std::set<std::string> sound = all.unlisted;
  for (const auto& [number, place] : order) {
    if (place.empty()) continue;
    if (sound.contains(place)) {
      all.unlisted.erase(place);
    } else {
      all.missing.emplace(number, place);
    }
  }
  std::erase_if(all.missing, [&](const auto& entry) {
    const auto other = std::ranges::find_if(all.unlisted, [&](const auto& one) { return near(one, entry.second); });
    if (other == all.unlisted.end()) return false;
    all.wrong.emplace(entry.first, *other);
    all.unlisted.erase(other);
    return true;
  });
  all.gap_count = next - 1 - order.size();
  for (std::uint64_t number = 1; number < next && all.gap_count <= kMostFilled; ++number) {
    if (!order.contains(number)) all.gaps.push_back(number);
  }
  return all;
}

// Nothing where anything does not fit.
std::optional<std::uint64_t> sound_answers(View& view) {
  const std::uint64_t next = view.next_of("next_answer");
  std::uint64_t answers = 0;
  std::uint64_t purged = 0;
  for (std::uint64_t number = 1; number < next; ++number) {
    const auto place = view.get("l" + big_endian(number, kAnswerNumberBytes));
    if (!place) return std::nullopt;
    if (place->empty()) {
      ++purged;
      continue;
    }
    const auto entry = view.get("a" + std::string(*place));
    if (!entry || !read_answer(*place, *entry)) return std::nullopt;
    ++answers;
  }
  MDB_stat stat{};
  check(mdb_stat(view.txn(), view.state().tables.answers, &stat), "count answers");
  return 2 * answers + purged == stat.ms_entries ? std::optional(answers) : std::nullopt;
}

}  // namespace

AnswerCheck::Found AnswerCheck::look(const Facts& facts) {
  View view(Forgetting::state_of(facts), MDB_RDONLY);
  Found found;
  if (const auto sound = sound_answers(view)) {
    found.read = *sound;
    return found;
  }
  const Inventory all = inventory(view);
  found.read = all.sound;
  for (const auto& [number, place] : all.missing) {
    if (place.size() == kAnswerPlaceBytes) {
      found.damaged.push_back(place_in(place));
    } else {
      ++found.nameless;
    }
  }
  const std::uint64_t unnumbered = std::min<std::uint64_t>(all.gap_count, all.unlisted.size());
  found.nameless += all.gap_count - unnumbered;
  found.strays = all.strays;
  found.mended = all.wrong.size() + all.unlisted.size() + all.hidden.size();
  return found;
}

void AnswerCheck::repair(const Facts& facts) {
  View view(Forgetting::state_of(facts), 0);
  Inventory all = inventory(view);
  if (all.gap_count > kMostFilled)
    throw Error(Code::kCorrupt, "facts/: the order in which answers came cannot be mended", "restore the last backup");
  std::uint64_t next = view.next_of("next_answer");
  std::vector<std::pair<std::string, std::string>> again;
  std::set<std::uint64_t> numbers;
  view.walk([&](TableCursor& cursor, std::string_view key, std::string_view value) {
    const std::uint64_t number = is_of_order(key) ? of_big_endian(key.substr(1)) : 0;
    if (is_answer(key, value) || (number > 0 && number < next && numbers.insert(number).second)) {
      if (!all.hidden.contains(std::string(key))) return;
      again.emplace_back(key, value);
    }
    cursor.erase();
  });
  for (const auto& [key, value] : again) view.put(key, value);
  const auto at = [](std::uint64_t number) { return "l" + big_endian(number, kAnswerNumberBytes); };
  for (const auto& [number, place] : all.wrong) view.put(at(number), place);
  // Sound answers that no place of the list names get a free place, or a new one behind the last.
  std::vector<std::uint64_t> free = all.gaps;
  for (const auto& [number, place] : all.missing) free.push_back(number);
  auto unlisted = all.unlisted.begin();
  for (const std::uint64_t number : free) view.put(at(number), unlisted == all.unlisted.end() ? "" : *unlisted++);
  for (; unlisted != all.unlisted.end(); ++unlisted) view.put(at(next++), *unlisted);
  view.count_on_from(next);
  view.commit();
}

std::vector<AnswerCheck::Place> AnswerCheck::lost(const Facts& facts, const std::vector<Place>& places) {
  View view(Forgetting::state_of(facts), MDB_RDONLY);
  std::map<std::string, Place> suspects;
  for (const Place& one : places) {
    std::string place = answer_place(one.vote, one.attempt);
    if (!view.get("a" + place)) suspects.emplace(std::move(place), one);
  }
  std::vector<Place> lost;
  if (suspects.empty()) return lost;
  const std::uint64_t next = view.next_of("next_answer");
  for (std::uint64_t number = 1; number < next && lost.size() < suspects.size(); ++number) {
    const auto place = view.get("l" + big_endian(number, kAnswerNumberBytes));
    if (!place || (!place->empty() && place->size() != kAnswerPlaceBytes)) {
      lost.clear();
      for (const auto& [name, one] : suspects) lost.push_back(one);
      break;
    }
    const auto found = suspects.find(std::string(*place));
    if (found != suspects.end()) lost.push_back(found->second);
  }
  return lost;
}

}  // namespace residue::storage
