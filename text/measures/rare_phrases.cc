#include "text/measures/rare_phrases.h"

#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "base/parallel_ranges.h"

namespace residue::text {
namespace {

constexpr std::size_t kLook = 4096;                  // texts between two looks at `interrupted`
constexpr std::size_t kMany = std::size_t{1} << 18;  // phrases from which on each thread has a part of its own

// A bit for each place. Set by several threads at once.
class Places {
 public:
  explicit Places(std::size_t count) : bits_((count + 63) / 64) {}
  void set(std::size_t place) {
    std::atomic_ref(bits_[place / 64]).fetch_or(std::uint64_t{1} << place % 64, std::memory_order_relaxed);
  }
  [[nodiscard]] bool operator[](std::size_t place) const { return (bits_[place / 64] >> place % 64 & 1) != 0; }
  [[nodiscard]] std::size_t count() const {
    std::size_t all = 0;
    for (const std::uint64_t bits : bits_) all += static_cast<std::size_t>(std::popcount(bits));
    return all;
  }

 private:
  std::vector<std::uint64_t> bits_;
};

// A phrase of the originals.
struct Slot {
  static constexpr std::uint32_t kSeveral = std::numeric_limits<std::uint32_t>::max() >> 1;

  std::uint32_t hash = 0;
  std::uint32_t place = 0;        // where it stands first; 0: the slot is free
  std::uint32_t again : 1 = 0;    // it stands elsewhere too
  std::uint32_t person : 31 = 0;  // whose it is, or kSeveral
};

// Phrases of one length. Grows by itself.
class PhraseTable {
 public:
  PhraseTable(const std::uint32_t* words, std::size_t n) : words_(words), n_(n), slots_(1024) {}

  // What the phrase at `phrase` has here, or the free slot where it belongs.
  Slot& at(std::uint32_t hash, const std::uint32_t* phrase) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = hash & mask;
    while (slots_[at].place != 0 && !(slots_[at].hash == hash && same(slots_[at].place, phrase))) at = (at + 1) & mask;
    return slots_[at];
  }
  void prefetch(std::uint32_t hash) const { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }

  void take(Slot& free, const Slot& value) {
    free = value;
    if (++used_ * 4 > slots_.size() * 3) grow();
  }

 private:
  [[nodiscard]] bool same(std::size_t place, const std::uint32_t* phrase) const {
    return std::equal(phrase, phrase + n_, words_ + place);
  }
  void grow() {
    std::vector<Slot> before(slots_.size() * 2);
    before.swap(slots_);
    const std::size_t mask = slots_.size() - 1;
    for (const Slot& slot : before) {
      if (slot.place == 0) continue;
      std::size_t at = slot.hash & mask;
      while (slots_[at].place != 0) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  const std::uint32_t* words_;
  std::size_t n_;
  std::vector<Slot> slots_;
  std::size_t used_ = 0;
};

std::uint64_t hash_of_phrase(const std::uint32_t* words, std::size_t n) {
  std::uint64_t hash = n;
  for (std::size_t i = 0; i < n; ++i) {
    hash = (hash ^ words[i]) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 32;
  }
  return mix(hash);
}

// Calls f(place) for each phrase of n words of the text.
template <class F>
void each_phrase(const WordRuns& texts, std::size_t text, std::size_t n, const F& f) {
  std::size_t run = 0;
  for (std::size_t at = texts.begin(text); at < texts.end(text); ++at) {
    run = texts.words()[at] == 0 ? 0 : run + 1;
    if (run >= n) f(at + 1 - n);
  }
}

std::size_t threads() {
  const auto allowed = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
  return std::min<std::size_t>(allowed, static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()));
}

class Search {
 public:
  Search(const WordRuns& originals, std::span<const std::uint32_t> persons, const WordRuns& released,
         const RarePhraseOptions& options)
      : originals_(originals),
        persons_(persons),
        released_(released),
        options_(options),
        words_(originals.words().data()),
        open_(0),
        reach_(released.words().size()) {
    for (Reach& one : reach_) one.longest = static_cast<std::uint8_t>(options.least - 1) & 15U;
  }

  std::vector<Reach> run() {
    for (std::size_t n = options_.least; n <= options_.most; ++n) level(n);
    for (Reach& one : reach_) {
      if (one.longest < options_.least) one.longest = 0;
    }
    return std::move(reach_);
  }

 private:
  // A phrase on its way to the table, which is slow to reach.
  struct Waiting {
    std::size_t place = 0;
    std::uint32_t hash = 0, person = 0;
  };
  // Hands phrases on with a delay, so that their slots can be fetched meanwhile.
  template <class Use>
  class Delayed {
   public:
    Delayed(PhraseTable& table, const Use& use) : table_(table), use_(use) {}
    void push(const Waiting& one) {
      table_.prefetch(one.hash);
      Waiting& slot = waiting_[next_++ % waiting_.size()];
      if (next_ > waiting_.size()) use_(slot);
      slot = one;
    }
    void finish() {
      const std::size_t held = std::min(next_, waiting_.size());
      for (std::size_t i = next_ - held; i < next_; ++i) use_(waiting_[i % waiting_.size()]);
    }

   private:
    PhraseTable& table_;
    const Use& use_;
    std::array<Waiting, 32> waiting_{};
    std::size_t next_ = 0;
  };

  void level(std::size_t n) {
    std::size_t phrases = n == options_.least ? originals_.words().size() : open_.count();
    if (phrases == 0) return;
    // While a table grows, its slots are there one and a half times.
    const std::size_t at_once = threads();
    const std::size_t slots =
        std::bit_floor(std::max<std::size_t>(1024, options_.memory_bytes / at_once / sizeof(Slot) * 2 / 3));
    const std::size_t fit = slots / 10 * 7;
    std::size_t parts = (phrases + fit - 1) / fit;
    if (phrases >= kMany) parts = std::max(parts, at_once);
    parts = std::min<std::size_t>(parts, std::numeric_limits<std::uint32_t>::max());
    Places next(originals_.words().size());
    parallel_ranges(parts, 1, [&](const TaskRange& range) {
      for (std::size_t part = range.begin(); part < range.end(); ++part) {
        PhraseTable table(words_, n);
        fill(table, n, part, parts, next);
        look(table, n, part, parts);
      }
    });
    open_ = std::move(next);
  }

  [[nodiscard]] bool is_open(std::size_t place, std::size_t n) const { return n == options_.least || open_[place]; }

  // Whether the phrase is of this part; if so, the hash that its table knows it by.
  bool of_part(const std::uint32_t* phrase, std::size_t n, std::size_t part, std::size_t parts,
               std::uint32_t& hash) const {
    const std::uint64_t all = hash_of_phrase(phrase, n) & options_.hash_mask;
    hash = static_cast<std::uint32_t>(all);
    return ((all >> 32) * parts) >> 32 == part;
  }

  void look_for_end(std::size_t text) const {
    if (text % kLook == 0 && options_.interrupted && options_.interrupted()) throw Error(Code::kInterrupted, "stopped");
  }

  void fill(PhraseTable& table, std::size_t n, std::size_t part, std::size_t parts, Places& next) const {
    const auto use = [&](const Waiting& one) {
      Slot& slot = table.at(one.hash, words_ + one.place);
      if (slot.place == 0) {
        Slot first;
        first.hash = one.hash;
        first.place = static_cast<std::uint32_t>(one.place);
        first.person = one.person & Slot::kSeveral;
        table.take(slot, first);
        return;
      }
      if (slot.again == 0) next.set(slot.place);
      next.set(one.place);
      slot.again = 1;
      if (slot.person != one.person) slot.person = Slot::kSeveral;
    };
    Delayed delayed(table, use);
    for (std::size_t text = 0; text < originals_.texts(); ++text) {
      look_for_end(text);
      each_phrase(originals_, text, n, [&](std::size_t place) {
        Waiting one{place, 0, persons_[text]};
        if (is_open(place, n) && of_part(words_ + place, n, part, parts, one.hash)) delayed.push(one);
      });
    }
    delayed.finish();
  }

  void look(PhraseTable& table, std::size_t n, std::size_t part, std::size_t parts) {
    const std::uint32_t* const words = released_.words().data();
    const auto use = [&](const Waiting& one) {
      const Slot& slot = table.at(one.hash, words + one.place);
      if (slot.place == 0) return;
      Reach& reach = reach_[one.place];
      if (slot.person != Slot::kSeveral && reach.alone == 0) reach.alone = static_cast<std::uint8_t>(n) & 15U;
      const std::size_t longest = slot.again != 0 ? n : n + shared(words + one.place + n, words_ + slot.place + n, n);
      reach.longest = static_cast<std::uint8_t>(longest) & 15U;
    };
    Delayed delayed(table, use);
    for (std::size_t text = 0; text < released_.texts(); ++text) {
      look_for_end(text);
      each_phrase(released_, text, n, [&](std::size_t place) {
        Waiting one{place, 0, 0};
        if (reach_[place].longest == n - 1 && of_part(words + place, n, part, parts, one.hash)) delayed.push(one);
      });
    }
    delayed.finish();
  }

  // How many words more both have in common, up to the longest phrase. Each text ends in a 0.
  [[nodiscard]] std::size_t shared(const std::uint32_t* a, const std::uint32_t* b, std::size_t n) const {
    std::size_t more = 0;
    while (n + more < options_.most && a[more] != 0 && a[more] == b[more]) ++more;
    return more;
  }

  const WordRuns& originals_;
  std::span<const std::uint32_t> persons_;
  const WordRuns& released_;
  const RarePhraseOptions& options_;
  const std::uint32_t* words_;
  Places open_;  // where phrases of the length before stand that the originals have several times
  std::vector<Reach> reach_;
};

}  // namespace

void WordRuns::add(std::span<const std::uint32_t> words) {
  if (words_.size() + words.size() + 1 > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(Code::kUsage, "the texts have too many words: phrases are counted in fewer than 2^32",
                "split the dataset");
  }
  words_.insert(words_.end(), words.begin(), words.end());
  ends_.push_back(words_.size());
  words_.push_back(0);
}

std::vector<Reach> rare_phrases(const WordRuns& originals, std::span<const std::uint32_t> persons,
                                const WordRuns& released, const RarePhraseOptions& options) {
  return Search(originals, persons, released, options).run();
}

std::vector<RarePhrase> listed_phrases(std::span<const Reach> reach) {
  std::vector<RarePhrase> longest;  // those inside of no other: they begin and end one after the other
  for (std::size_t at = 0; at < reach.size(); ++at) {
    if (reach[at].alone == 0) continue;
    const std::size_t end = at + reach[at].longest;
    if (longest.empty() || longest.back().word + longest.back().words < end) longest.push_back({at, end - at, 0});
  }
  std::vector<RarePhrase> listed;
  std::size_t held = 0;  // words up to here are
  for (std::size_t i = 0; i < longest.size(); ++i) {
    const auto end = [&](std::size_t j) { return longest[j].word + longest[j].words; };
    const std::size_t word = std::max(held, longest[i].word);
    while (i + 1 < longest.size() && longest[i + 1].word <= word) ++i;
    RarePhrase& one = listed.emplace_back(longest[i]);
    held = end(i);
    one.alone = one.words;
    for (std::size_t at = one.word; at < held; ++at) {
      if (reach[at].alone != 0 && at + reach[at].alone <= held)
        one.alone = std::min<std::size_t>(one.alone, reach[at].alone);
    }
  }
  return listed;
}

}  // namespace residue::text
