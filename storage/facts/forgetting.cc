#include "storage/facts/forgetting.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "storage/disk/fault.h"
#include "storage/facts/dictionary.h"
#include "storage/facts/facts_txn.h"

namespace residue::storage {
namespace {

constexpr std::size_t kStepBytes = std::size_t{4} << 20U;  // of texts that one transaction rewrites
constexpr std::size_t kLeastStepBytes = 8U << 10U;
constexpr std::size_t kCopiedBytes = std::size_t{64} << 20U;  // of entries that one transaction copies
constexpr std::size_t kAnswersOfAStep = 4'096;

MDB_val number_key(const std::uint64_t& number) { return {sizeof number, const_cast<std::uint64_t*>(&number)}; }

// A transaction for writing, with none of what new texts need.
class WriteView : public FactsView {
 public:
  explicit WriteView(Facts::State& state) : FactsView(state, 0) {}

  // Trained in this transaction, by privacy class: nobody else sees them before it commits, and nobody ever does if it
  // does not.
  std::array<std::shared_ptr<Dictionary>, 2> trained;
  const Dictionary* dictionary(std::uint64_t number) override {
    for (const auto& one : trained) {
      if (one && one->number() == number) return one.get();
    }
    return FactsView::dictionary(number);
  }

  void put(MDB_dbi table, MDB_val key, std::string_view bytes, unsigned flags = 0) {
    MDB_val value = as_val(bytes);
    const int code = mdb_put(txn_, table, &key, &value, flags);
    if (code == MDB_MAP_FULL) state_.here->full = true;
    check(code, "rewrite an entry");
  }
  // False if it was not there.
  bool erase(MDB_dbi table, MDB_val key) {
    const int code = mdb_del(txn_, table, &key, nullptr);
    if (code == MDB_NOTFOUND) return false;
    if (code == MDB_MAP_FULL) state_.here->full = true;
    check(code, "delete an entry");
    return true;
  }
  void commit() {
    const int code = mdb_txn_commit(txn_);
    spent();
    if (code != MDB_SUCCESS) state_.fail_commit(code);
    state_.reach_last_page();
  }
};

std::vector<std::int64_t> trained_on(const FactsView& view, std::uint64_t number) {
  const std::string name = trained_key(number);
  MDB_val key = as_val(name);
  MDB_val value{};
  const int code = mdb_get(view.txn(), view.state().tables.meta, &key, &value);
  if (code == MDB_NOTFOUND) return {};
  check(code, "read meta");
  std::vector<std::int64_t> ids(value.mv_size / sizeof(std::int64_t));
  std::memcpy(ids.data(), value.mv_data, ids.size() * sizeof(std::int64_t));
  return ids;
}

}  // namespace

Forgetting::Forgetting(Facts& facts, const std::unordered_set<std::int64_t>& keep) : facts_(facts) {
  FactsView view(*facts.state_, MDB_RDONLY);
  const auto each_frame = [&](const std::function<void(Frame, bool)>& visit) {
    TableCursor cursor(view.txn(), view.state().tables.texts);
    MDB_val key{};
    MDB_val value{};
    while (cursor.next(key, value)) {
      Frame frame;
      frame.id = TextId{static_cast<std::int64_t>(number_of(key))};
      try {
        const FrameParts parts = parse_frame(as_view(value));
        if (parts.kind == FrameKind::kDictionary) frame.dictionary = parts.reference;
        if (parts.kind == FrameKind::kAgainst && parts.reference < static_cast<std::uint64_t>(frame.id.value)) {
          frame.original = TextId{frame.id.value - static_cast<std::int64_t>(parts.reference)};
        }
      } catch (const Error& error) {
        if (error.code() != Code::kCorrupt) throw;
      }
      visit(frame, keep.count(frame.id.value) != 0);
    }
  };
  std::uint64_t staying = 0;
  std::unordered_set<std::int64_t> originals;  // of frames that stay
  each_frame([&](const Frame& frame, bool stays) {
    if (!stays) return;
    ++staying;
    if (frame.original.value != 0 && keep.count(frame.original.value) == 0) originals.insert(frame.original.value);
  });
  find_dictionaries(keep, staying);
  std::map<std::uint64_t, PrivacyClass> classes;
  for (const std::uint64_t number : dictionaries_) {
    MDB_val key = number_key(number);
    MDB_val value{};
    check(mdb_get(view.txn(), view.state().tables.dicts, &key, &value), "read a dictionary");
    classes.emplace(number, as_view(value).starts_with('\0') ? PrivacyClass::kOriginal : PrivacyClass::kSanitized);
  }
  each_frame([&](Frame frame, bool stays) {
    if (!stays) {
      (originals.count(frame.id.value) != 0 ? held_ : free_).push_back(frame.id);
      return;
    }
    const auto found = classes.find(frame.dictionary);
    if (found != classes.end()) frame.cls = found->second;
    if (found != classes.end() || originals.count(frame.original.value) != 0) frames_.push_back(frame);
  });
  std::reverse(free_.begin(), free_.end());
  std::reverse(held_.begin(), held_.end());
}

// A dictionary of a store that kept no list may have been trained on any text: it goes as soon as one has gone.
void Forgetting::find_dictionaries(const std::unordered_set<std::int64_t>& keep, std::uint64_t staying) {
  FactsView view(*facts_.state_, MDB_RDONLY);
  const bool any_went = staying + 1 < view.next_of("next");
  TableCursor cursor(view.txn(), view.state().tables.dicts);
  MDB_val key{};
  MDB_val value{};
  while (cursor.next(key, value)) {
    const std::uint64_t number = number_of(key);
    const std::vector<std::int64_t> ids = trained_on(view, number);
    const auto went = [&](std::int64_t id) { return keep.count(id) == 0; };
    if (ids.empty() ? any_went : std::any_of(ids.begin(), ids.end(), went)) dictionaries_.push_back(number);
  }
}

std::vector<TextId> Forgetting::held() const {
  std::vector<TextId> held = held_;
  std::erase_if(held, [&](TextId id) { return needed_texts_.count(id) != 0; });
  return held;
}

// The frames of one Forgetting, rewritten step by step.
class Forgetting::Rewriting {
 public:
  explicit Rewriting(Forgetting& owner) : owner_(owner) {}

  // From the frame at `at`, some `bytes` of texts; gives the first that is left.
  std::size_t step(std::size_t at, std::size_t bytes, std::uint64_t& rewritten) {
    WriteView view(*owner_.facts_.state_);
    std::vector<const Frame*> unread;
    std::uint64_t written = 0;
    std::size_t done = 0;
    for (; at < owner_.frames_.size() && done < bytes; ++at) {
      const Frame& frame = owner_.frames_[at];
      std::string text;
      try {
        text = view.text(frame.id);
      } catch (const Error& error) {
        if (error.code() != Code::kCorrupt) throw;
        unread.push_back(&frame);
        continue;
      }
      done += text.size();
      const Dictionary* with = text.size() <= kMaxDictionaryTextBytes ? dictionary(view, frame.cls) : nullptr;
      const auto number = static_cast<std::uint64_t>(frame.id.value);
      view.put(view.state().tables.texts, number_key(number), codec_.encode(text, with));
      ++written;
    }
    view.commit();
    for (const auto& one : view.trained) {
      if (one) owner_.facts_.state_->publish(one->number(), one);
    }
    rewritten += written;
    owner_.damaged_ += unread.size();
    for (const Frame* frame : unread) {
      if (frame->dictionary != 0) owner_.needed_dictionaries_.insert(frame->dictionary);
      if (frame->original.value != 0) owner_.needed_texts_.insert(frame->original);
    }
    return at;
  }

 private:
  // The newest that stays, else one that is trained now; null where there is too little to train on.
  const Dictionary* dictionary(WriteView& view, PrivacyClass cls) {
    const auto index = static_cast<std::size_t>(cls);
    auto& own = view.trained.at(index);
    if (own) return own.get();
    auto& known = found_.at(index);
    if (known) return *known;
    const Dictionary* newest = view.newest(cls);
    const auto& going = owner_.dictionaries_;
    if (newest != nullptr && !std::binary_search(going.begin(), going.end(), std::uint64_t{newest->number()})) {
      known = newest;
      return newest;
    }
    if (!tried_.at(index)) own = train(view, cls);
    if (!own) tried_.at(index) = true;
    return own.get();
  }

  std::shared_ptr<Dictionary> train(WriteView& view, PrivacyClass cls) const {
    std::string samples;
    std::vector<std::size_t> sizes;
    std::vector<std::int64_t> ids;
    for (const Frame& frame : owner_.frames_) {
      if (samples.size() >= kTrainingBytes && sizes.size() >= kTrainingTexts) break;
      if (frame.cls != cls) continue;
      try {
        const std::string text = view.text(frame.id);
        if (text.empty() || text.size() > kMaxDictionaryTextBytes) continue;
        samples += text;
        sizes.push_back(text.size());
        ids.push_back(frame.id.value);
      } catch (const Error& error) {
        if (error.code() != Code::kCorrupt) throw;
      }
    }
    if (samples.size() < kTrainingBytes || sizes.size() < kTrainingTexts) return nullptr;
    const std::uint64_t number = view.next_dictionary();
    const std::string bytes = train_dictionary(samples, sizes, static_cast<std::uint32_t>(number));
    if (bytes.empty()) return nullptr;
    const Tables& tables = view.state().tables;
    view.put(tables.dicts, number_key(number), std::string(1, static_cast<char>(cls)) + bytes, MDB_NOOVERWRITE);
    view.put(tables.meta, as_val(trained_key(number)),
             {reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof ids[0]});
    const std::uint64_t next = number + 1;
    view.put(tables.meta, as_val("next_dict"), {reinterpret_cast<const char*>(&next), sizeof next});
    return std::make_shared<Dictionary>(bytes, static_cast<std::uint32_t>(number));
  }

  Forgetting& owner_;
  FrameCodec codec_;
  std::array<std::optional<const Dictionary*>, 2> found_;  // committed, and staying
  std::array<bool, 2> tried_{};
};

std::uint64_t Forgetting::rewrite(const ProgressFunction& progress) {
  std::uint64_t rewritten = 0;
  Rewriting rewriting(*this);
  std::size_t bytes = kStepBytes;
  for (std::size_t at = 0; at < frames_.size();) {
    try {
      at = rewriting.step(at, bytes, rewritten);
    } catch (const Error& error) {  // Small steps need few new pages, and each gives its own to the next but one.
      if (error.code() != Code::kTryAgain || bytes <= kLeastStepBytes) throw;
      bytes /= 8;
      continue;
    }
    fault_point("gc.rewritten");
    if (progress) progress(at, frames_.size());
  }
  return rewritten;
}

std::uint64_t Forgetting::erase_dictionaries() {
  std::uint64_t erased = 0;
  WriteView view(*facts_.state_);
  for (const std::uint64_t number : dictionaries_) {
    if (needed_dictionaries_.count(number) != 0) continue;
    erased += view.erase(view.state().tables.dicts, number_key(number)) ? 1 : 0;
    view.erase(view.state().tables.meta, as_val(trained_key(number)));
    // Its number is never given again, in stores too that did not count them.
  }
  if (erased == 0) return 0;
  const std::uint64_t next = std::max(view.next_dictionary(), dictionaries_.back() + 1);
  view.put(view.state().tables.meta, as_val("next_dict"), {reinterpret_cast<const char*>(&next), sizeof next});
  view.commit();
  return erased;
}

std::uint64_t Forgetting::erase_answers(Facts& facts, const std::set<VoteKey>& votes) {
  std::vector<std::pair<std::string, std::string>> entries;  // key in the log, vote key and attempt
  {
    FactsView view(*facts.state_, MDB_RDONLY);
    TableCursor cursor(view.txn(), view.state().tables.answers);
    MDB_val key = as_val("l");
    MDB_val value{};
    for (bool more = cursor.get(key, value, MDB_SET_RANGE); more; more = cursor.next(key, value)) {
      const std::string_view place = as_view(value);
      if (!as_view(key).starts_with('l')) break;
      if (place.size() <= kDigestBytes || votes.count(VoteKey(place.substr(0, kDigestBytes))) == 0) continue;
      entries.emplace_back(as_view(key), place);
    }
  }
  for (std::size_t at = 0; at < entries.size();) {
    WriteView view(*facts.state_);
    const std::size_t end = std::min(entries.size(), at + kAnswersOfAStep);
    for (; at < end; ++at) {
      view.erase(view.state().tables.answers, as_val("a" + entries[at].second));
      view.put(view.state().tables.answers, as_val(entries[at].first), {});
    }
    view.commit();
    fault_point("gc.answers_erased");
  }
  return entries.size();
}

std::optional<TextId> Forgetting::find(const Facts& facts, const Address& address) {
  return FactsView(*facts.state_, MDB_RDONLY).find(address);
}

std::int64_t Forgetting::next_text(const Facts& facts) {
  return static_cast<std::int64_t>(FactsView(*facts.state_, MDB_RDONLY).next_of("next"));
}

void Forgetting::copy(const Facts& from, Facts& to) {
  FactsView view(*from.state_, MDB_RDONLY);
  const Tables& old = from.state_->tables;
  const Tables& fresh = to.state_->tables;
  auto writing = std::make_unique<WriteView>(*to.state_);
  std::size_t bytes = 0;
  const auto copy_table = [&](MDB_dbi source, MDB_dbi target, unsigned flags) {
    TableCursor cursor(view.txn(), source);
    MDB_val key{};
    MDB_val value{};
    while (cursor.next(key, value)) {
      writing->put(target, key, as_view(value), flags);
      bytes += key.mv_size + value.mv_size;
      if (bytes < kCopiedBytes) continue;
      bytes = 0;
      writing->commit();
      writing = std::make_unique<WriteView>(*to.state_);
    }
  };
  copy_table(old.texts, fresh.texts, MDB_APPEND);
  copy_table(old.digests, fresh.digests, MDB_APPENDDUP);
  copy_table(old.dicts, fresh.dicts, MDB_APPEND);
  copy_table(old.answers, fresh.answers, MDB_APPEND);
  copy_table(old.vectors, fresh.vectors, MDB_APPEND);
  copy_table(old.meta, fresh.meta, 0);
  writing->commit();
}

}  // namespace residue::storage
