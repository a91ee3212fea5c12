#include "ingest/synthesize/dp_ngrams.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/hash.h"

namespace residue::ingest {
namespace {

using text::NgramTrie;
using text::TokenId;
using text::TokenTable;
using Node = NgramTrie::Node;

struct Unit {
  std::string_view name;
  std::vector<const NgramDocument*> documents;
};

// The documents that count of each unit: those with the smallest hashes of their keys.
std::vector<Unit> bounded(const NgramCorpus& corpus, std::uint64_t records) {
  std::map<std::string_view, Unit> units;
  for (const NgramDocument& document : corpus.documents) {
    Unit& unit = units[document.unit];
    unit.name = document.unit;
    unit.documents.push_back(&document);
  }
  std::vector<Unit> out;
  for (auto& [name, unit] : units) {
    std::ranges::sort(unit.documents, {},
                      [](const NgramDocument* d) { return std::pair(hash_of(0, d->key), std::string_view(d->key)); });
    if (unit.documents.size() > records) unit.documents.resize(records);
    out.push_back(std::move(unit));
  }
  return out;
}

class Releasing {
 public:
  Releasing(const NgramCorpus& corpus, const NgramBounds& bounds, const numbers::Accounting& accounting,
            std::string_view key)
      : corpus_(corpus),
        bounds_(bounds),
        accounting_(accounting),
        key_(key),
        units_(bounded(corpus, bounds.records)),
        released_(corpus.codes.size()) {
    for (TokenId token = 0; token < corpus.tokens.size(); ++token) {
      hashes_.push_back(hash_of(token < TokenTable::kFirst ? token + 1 : 0, corpus.tokens.spelling(token)));
    }
  }

  void release_codes() {
    std::vector<std::int64_t> counts(corpus_.codes.size());
    for (const Unit& unit : units_) {
      for (const NgramDocument* document : unit.documents) ++counts[document->code];
    }
    const numbers::TableNoise& noise = accounting_.tables.front();
    for (Node root = 0; root < counts.size(); ++root) {
      const std::int64_t noisy = counts[root] + draw(noise, root, {});
      if (noisy <= (corpus_.codes_are_secret ? noise.threshold : 0)) continue;
      released_.add(root, noisy);
      released_.add(root, TokenTable::kStart, noisy);
    }
  }

  void release(std::size_t order) {
    const numbers::TableNoise& noise = accounting_.tables.at(order);
    std::unordered_map<std::uint64_t, std::int64_t> counts;  // of (the n-gram without its last token, that token)
    std::vector<std::uint64_t> added;
    for (const Unit& unit : units_) {
      contribution(unit, order, added);
      for (const std::uint64_t item : added) ++counts[item];
    }
    for (const auto& [item, count] : counts) {
      const auto parent = static_cast<Node>(item >> 32U);
      const auto token = static_cast<TokenId>(item);
      const std::int64_t noisy = count + draw(noise, parent, token);
      if (noisy > noise.threshold) released_.add(parent, token, noisy);
    }
  }

  NgramTrie take() { return std::move(released_); }

 private:
  struct Chosen {
    std::uint64_t hash, item;
  };

  // The different n-grams of the unit that may be counted: of too many those with the smallest hashes.
  void contribution(const Unit& unit, std::size_t order, std::vector<std::uint64_t>& added) {
    found_.clear();
    const std::uint64_t seed = hash_of(order, unit.name);
    for (const NgramDocument* document : unit.documents) {
      const std::span<const TokenId> tokens(document->tokens);
      const Node root = document->code;
      if (released_.count(root) == 0) continue;
      for (std::size_t end = order == 1 ? 2 : order; end <= tokens.size(); ++end) {
        const auto ngram = tokens.subspan(end - order, order);
        const Node parent = released_.find(root, ngram.first(order - 1));
        if (parent == NgramTrie::kNone) continue;
        if (order > 1 && released_.find(root, ngram.subspan(1)) == NgramTrie::kNone) continue;
        std::uint64_t hash = hash_of(seed, corpus_.codes[root]);
        for (const TokenId token : ngram) hash = mix(hash ^ hashes_[token]);
        found_.push_back({hash, std::uint64_t{parent} << 32U | ngram.back()});
      }
    }
    std::ranges::sort(found_, {}, [](const Chosen& c) { return std::pair(c.hash, c.item); });
    const auto again = std::ranges::unique(found_, {}, &Chosen::item);
    found_.erase(again.begin(), again.end());
    if (found_.size() > bounds_.ngrams) found_.resize(bounds_.ngrams);
    added.clear();
    for (const Chosen& chosen : found_) added.push_back(chosen.item);
  }

  // Noise of one item: a stream of its own, named by the code and the tokens themselves.
  std::int64_t draw(const numbers::TableNoise& noise, Node parent, std::optional<TokenId> token) {
    std::vector<TokenId> path;
    if (token) path.push_back(*token);
    Node node = parent;
    for (; released_.parent(node) != NgramTrie::kNone; node = released_.parent(node)) {
      path.push_back(released_.token(node));
    }
    std::string item;
    const auto name = [&item](std::string_view part) {
      for (int shift = 0; shift < 32; shift += 8) item.push_back(static_cast<char>(part.size() >> shift));
      item.append(part);
    };
    name(corpus_.codes[node]);
    for (auto at = path.rbegin(); at != path.rend(); ++at) {
      item.push_back(static_cast<char>(*at < TokenTable::kFirst ? *at : TokenTable::kFirst));
      name(corpus_.tokens.spelling(*at));
    }
    numbers::NoiseStream bits(key_, item);
    return numbers::discrete_gaussian(noise.variance, bits);
  }

  const NgramCorpus& corpus_;
  const NgramBounds& bounds_;
  const numbers::Accounting& accounting_;
  std::string_view key_;
  std::vector<Unit> units_;
  NgramTrie released_;
  std::vector<std::uint64_t> hashes_;  // by token
  std::vector<Chosen> found_;
};

// All records of a unit may have the same code.
std::vector<numbers::Contribution> tables_of(const NgramBounds& bounds, std::size_t order) {
  std::vector<numbers::Contribution> tables{
      {bounds.records, bounds.records, bounds.records * bounds.records, bounds.records}};
  tables.resize(order + 1, {bounds.ngrams, 1, bounds.ngrams, bounds.ngrams});
  return tables;
}

}  // namespace

numbers::Accounting account_ngrams(const numbers::PrivacyBudget& budget, const NgramBounds& bounds, std::size_t order) {
  return account(budget, tables_of(bounds, order));
}

numbers::Spending spending_of_ngrams(const numbers::PrivacyBudget& budget, const NgramBounds& bounds,
                                     std::size_t order) {
  const auto tables = tables_of(bounds, order);
  return numbers::spending_of(budget, tables, account(budget, tables));
}

NgramTrie count_ngrams(const NgramCorpus& corpus, std::size_t order) {
  NgramTrie counts(corpus.codes.size());
  for (const NgramDocument& document : corpus.documents) counts.count_all(document.code, document.tokens, order);
  return counts;
}

NgramTrie private_ngrams(const NgramCorpus& corpus, std::size_t order, const NgramBounds& bounds,
                         const numbers::Accounting& accounting, std::string_view key) {
  Releasing releasing(corpus, bounds, accounting, key);
  releasing.release_codes();
  for (std::size_t n = 1; n <= order; ++n) releasing.release(n);
  return releasing.take();
}

}  // namespace residue::ingest
