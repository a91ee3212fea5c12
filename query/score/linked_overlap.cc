#include "query/score/linked_overlap.h"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/hash.h"
#include "query/score/overlap_texts.h"
#include "text/characters/accents.h"
#include "text/characters/as_read.h"

namespace residue::query {
namespace {

std::vector<TokenList> tokens_of(text::RougeTokenizer& tokenizer, const std::vector<std::string>& texts) {
  std::vector<TokenList> tokens;
  for (const std::string& text : texts) tokens.push_back(tokenizer.tokens(text));
  return tokens;
}

// Of each sentence, whether it carries one of the claims.
std::vector<bool> carriers(const std::vector<TokenList>& sentences, std::span<const text::Tokens> claims) {
  std::vector<bool> carries(sentences.size(), false);
  for (const text::Tokens claim : claims) {
    std::size_t best = sentences.size();
    std::uint32_t most = 0;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      const std::uint32_t common = text::lcs_length(claim, sentences[i]);
      if (best == sentences.size() || common > most) {
        best = i;
        most = common;
      }
    }
    if (best < sentences.size()) carries[best] = true;
  }
  return carries;
}

// The words that are left.
TokenList rest_of(const std::vector<TokenList>& sentences, const std::vector<bool>& carries) {
  TokenList rest;
  for (std::size_t i = 0; i < carries.size(); ++i) {
    if (!carries[i]) rest.insert(rest.end(), sentences[i].begin(), sentences[i].end());
  }
  return rest;
}

// The identifiers that begin in what is left, as they read, each once.
std::vector<std::string> identifiers_left(const Findings& found, const std::vector<bool>& carries) {
  const auto left = [&](std::size_t at) {
    for (std::size_t i = 0; i < carries.size(); ++i) {
      if (at >= found.sentences[i].begin && at < found.sentences[i].end) return !carries[i];
    }
    return true;
  };
  std::vector<std::string> identifiers;
  for (const Findings::Identifier& one : found.identifiers) {
    if (left(one.begin)) identifiers.push_back(one.reads);
  }
  std::sort(identifiers.begin(), identifiers.end());
  identifiers.erase(std::unique(identifiers.begin(), identifiers.end()), identifiers.end());
  return identifiers;
}

Share absent(const std::vector<std::string>& identifiers, const LinkedWords& linked) {
  Share share;
  std::string store;
  const std::string& plain = linked.plain ? *linked.plain : linked.reads;
  for (const std::string& identifier : identifiers) {
    ++share.of;
    const bool there = linked.reads.find(identifier) != std::string::npos ||
                       plain.find(text::without_accents(identifier, store)) != std::string::npos;
    share.count += there ? 0 : 1;
  }
  return share;
}

// How many word pairs of `said` occur in `original`. A pair that is said twice counts twice, however often it occurs:
// the share asks whether the words are the record's own, not whether their number is.
Share occurring_bigrams(const TokenList& original, const TokenList& said) {
  const auto pair_at = [](const TokenList& tokens, std::size_t i) {
    return (std::uint64_t{tokens[i]} << 32) | tokens[i + 1];
  };
  std::vector<std::uint64_t> pairs;
  pairs.reserve(original.size());
  for (std::size_t i = 0; i + 1 < original.size(); ++i) pairs.push_back(pair_at(original, i));
  std::sort(pairs.begin(), pairs.end());
  Share share;
  for (std::size_t i = 0; i + 1 < said.size(); ++i) {
    ++share.of;
    share.count += std::binary_search(pairs.begin(), pairs.end(), pair_at(said, i)) ? 1 : 0;
  }
  return share;
}

// What comes of a record's original and what is known of it, whatever it is linked to.
struct OwnSide {
  std::vector<bool> carries;
  std::vector<std::string> identifiers;
  LinkedOverlap overlap;  // where nothing is linked
};

OwnSide own_side(text::RougeTokenizer& tokenizer, const OriginalWords& original, const Findings& found,
                 const std::string& known, std::span<const text::Tokens> claims) {
  const bool readable = original.readable;
  OwnSide own;
  own.carries = carriers(original.sentences, claims);
  own.identifiers = identifiers_left(found, own.carries);
  own.overlap.no_words = readable && original.whole.empty();
  own.overlap.unreadable = !readable;
  own.overlap.known_bigrams = occurring_bigrams(original.whole, tokenizer.tokens(known));
  own.overlap.identifiers.of = static_cast<std::int64_t>(own.identifiers.size());
  own.overlap.no_rest = readable && rest_of(original.sentences, own.carries).empty();
  return own;
}

// Of what a text says as it is written and as it is decoded: what is only encoded is no distance.
text::Overlap closer(const text::Overlap& written, const text::Overlap& decoded) {
  return text::prf(decoded).f > text::prf(written).f ? decoded : written;
}

// Adds what is linked. `others`: identifiers left in the linked record's original, where that is another text.
LinkedOverlap with_linked(text::RougeTokenizer& tokenizer, const OriginalWords& original, const Findings& found,
                          const OwnSide& own, const LinkedWords& linked, bool same_original,
                          const std::optional<std::vector<std::string>>& others) {
  LinkedOverlap overlap = own.overlap;
  overlap.unreadable = overlap.unreadable || !linked.readable;
  const TokenList rest = rest_of(original.sentences, own.carries);
  overlap.whole = text::rouge_l_overlap(original.whole, linked.written);
  overlap.without_known = text::rouge_l_overlap(rest, linked.written);
  const auto compare_also = [&](const TokenList& words, const TokenList& whole, const TokenList& left) {
    overlap.whole = closer(overlap.whole, text::rouge_l_overlap(whole, words));
    overlap.without_known = closer(*overlap.without_known, text::rouge_l_overlap(left, words));
  };
  if (linked.also) compare_also(*linked.also, original.whole, rest);
  if (text::accents_dropped(original.text, linked.said)) {
    const OriginalWords plain = without_accents(tokenizer, original, found);
    const std::string as = text::as_read(linked.said);  // marks belong to their letters
    std::string store;
    compare_also(tokenizer.tokens(text::without_accents(as, store)), plain.whole,
                 rest_of(plain.sentences, own.carries));
  }
  overlap.identifiers = absent(own.identifiers, linked);
  if (same_original) {  // the attack found the right record
    overlap.linked_identifiers = overlap.identifiers;
  } else if (others) {
    overlap.linked_identifiers = absent(*others, linked);
  }
  return overlap;
}

}  // namespace

LinkedOverlap compare(text::RougeTokenizer& tokenizer, const LinkedTexts& texts) {
  const Findings found = find_in(texts.original);
  const OriginalWords words = original_words(tokenizer, texts.original, found);
  const std::vector<TokenList> tokens = tokens_of(tokenizer, texts.known_claims);
  const std::vector<text::Tokens> claims(tokens.begin(), tokens.end());
  const OwnSide own = own_side(tokenizer, words, found, texts.known, claims);
  if (!texts.linked) return own.overlap;
  const bool same = texts.linked_original == texts.original;
  std::optional<std::vector<std::string>> others;
  if (texts.linked_original && !same) {
    const Findings in_other = find_in(*texts.linked_original);
    const OriginalWords other = original_words(tokenizer, *texts.linked_original, in_other);
    others = identifiers_left(in_other, carriers(other.sentences, claims));
  }
  return with_linked(tokenizer, words, found, own, linked_words(tokenizer, *texts.linked), same, others);
}

namespace {

// Values by texts, until there is no room: then those that are there stay.
template <class Value>
class Memory {
 public:
  using Key = std::vector<std::int64_t>;

  std::shared_ptr<const Value> find(const Key& key) {
    Part& part = part_of(key);
    const std::scoped_lock lock(part.mutex);
    const auto found = part.values.find(key);
    return found == part.values.end() ? nullptr : found->second;
  }

  std::shared_ptr<const Value> put(const Key& key, Value value, std::size_t bytes, std::atomic<std::int64_t>& room) {
    auto kept = std::make_shared<const Value>(std::move(value));
    constexpr std::size_t kAround = 128;  // of a place in the table
    if (room.fetch_sub(static_cast<std::int64_t>(bytes + kAround + sizeof(Value))) <= 0) return kept;
    Part& part = part_of(key);
    const std::scoped_lock lock(part.mutex);
    return part.values.try_emplace(key, std::move(kept)).first->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t hash = key.size();
      for (const std::int64_t id : key) hash = mix(hash ^ static_cast<std::uint64_t>(id));
      return hash;
    }
  };
  struct Part {
    std::mutex mutex;
    std::unordered_map<Key, std::shared_ptr<const Value>, Hash> values;
  };
  Part& part_of(const Key& key) { return parts_[Hash()(key) >> 60U]; }

  std::array<Part, 16> parts_;
};

std::size_t bytes_of(const std::vector<std::string>& texts) {
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += sizeof text + text.size();
  return bytes;
}

}  // namespace

struct OverlapMemory::Parts {
  std::atomic<std::int64_t> room;
  tbb::enumerable_thread_specific<OverlapTexts> texts;
  Memory<Findings> findings;
  Memory<OwnSide> own_sides;
  Memory<LinkedOverlap> overlaps;
};

OverlapMemory::OverlapMemory(std::size_t most_bytes) : parts_(std::make_unique<Parts>()) {
  parts_->room = static_cast<std::int64_t>(most_bytes);
}
OverlapMemory::~OverlapMemory() = default;

LinkedOverlap OverlapMemory::compare(const LinkedIds& ids, const std::function<std::string(TextId)>& read) {
  Parts& parts = *parts_;
  std::vector<std::int64_t> key = {ids.original.value, ids.known.value};
  for (const TextId claim : ids.known_claims) key.push_back(claim.value);
  std::vector<std::int64_t> whole = key;
  for (const auto& text : {ids.linked, ids.linked_original}) whole.push_back(text ? text->value : -1);
  if (const auto before = parts.overlaps.find(whole)) return *before;

  OverlapTexts& texts = parts.texts.local();
  texts.make_room();
  text::RougeTokenizer& tokenizer = texts.tokenizer();
  const auto findings = [&](TextId id, std::string_view text) {
    if (auto before = parts.findings.find({id.value})) return before;
    Findings found = find_in(text);
    std::size_t bytes = found.sentences.size() * sizeof(text::Span);
    for (const auto& one : found.identifiers) bytes += sizeof one + one.reads.size();
    return parts.findings.put({id.value}, std::move(found), bytes, parts.room);
  };
  const auto original_of = [&](TextId id) -> const OriginalWords& {
    return texts.original(id, read, [&](std::string_view text) { return findings(id, text); });
  };
  const auto claims = [&] {
    std::vector<text::Tokens> tokens;
    for (const TextId claim : ids.known_claims) tokens.push_back(texts.claim(claim, read));
    return tokens;
  };
  const OriginalWords& words = original_of(ids.original);
  const auto found = findings(ids.original, words.text);
  auto own = parts.own_sides.find(key);
  if (!own) {
    OwnSide side = own_side(tokenizer, words, *found, read(ids.known), claims());
    const std::size_t bytes = bytes_of(side.identifiers) + side.carries.size() / 8 + key.size() * sizeof key[0];
    own = parts.own_sides.put(key, std::move(side), bytes, parts.room);
  }
  LinkedOverlap overlap = own->overlap;
  if (ids.linked) {
    const bool same = ids.linked_original == ids.original;
    std::optional<std::vector<std::string>> others;
    if (ids.linked_original && !same) {
      const OriginalWords& other = original_of(*ids.linked_original);
      const auto in_other = findings(*ids.linked_original, other.text);
      others = identifiers_left(*in_other, carriers(other.sentences, claims()));
    }
    overlap = with_linked(tokenizer, words, *found, *own, texts.linked(*ids.linked, read), same, others);
  }
  return *parts.overlaps.put(whole, overlap, whole.size() * sizeof whole[0], parts.room);
}

}  // namespace residue::query
