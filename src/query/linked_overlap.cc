#include "query/linked_overlap.h"

#include <set>

#include "text/as_read.h"
#include "text/recognizers.h"
#include "text/sentences.h"
#include "text/unicode.h"

namespace residue::query {
namespace {

using TokenList = std::vector<std::uint32_t>;

// The sentences of a text, without those that carry auxiliary claims.
class Unknown {
 public:
  Unknown(text::RougeTokenizer& tokenizer, std::string_view original, const std::vector<std::string>& claims)
      : original_(original), spans_(text::sentences(original)), removed_(spans_.size(), false) {
    for (const text::Span span : spans_) tokens_.push_back(tokenizer.tokens(text::slice(original, span)));
    for (const std::string& claim : claims) {
      const TokenList words = tokenizer.tokens(claim);
      std::size_t best = spans_.size();
      std::uint32_t most = 0;
      for (std::size_t i = 0; i < spans_.size(); ++i) {
        const std::uint32_t common = text::lcs_length(words, tokens_[i]);
        if (best == spans_.size() || common > most) {
          best = i;
          most = common;
        }
      }
      if (best < spans_.size()) removed_[best] = true;
    }
  }

  // The words that are left.
  [[nodiscard]] TokenList words() const {
    TokenList rest;
    for (std::size_t i = 0; i < spans_.size(); ++i) {
      if (!removed_[i]) rest.insert(rest.end(), tokens_[i].begin(), tokens_[i].end());
    }
    return rest;
  }

  // The identifiers that begin in what is left, as they read, each once.
  [[nodiscard]] std::set<std::string> identifiers() const {
    std::set<std::string> found;
    for (const text::Entity& entity : text::recognize(original_)) {
      if (kept(entity.begin)) found.insert(text::as_read(original_.substr(entity.begin, entity.end - entity.begin)));
    }
    return found;
  }

 private:
  [[nodiscard]] bool kept(std::size_t at) const {
    for (std::size_t i = 0; i < spans_.size(); ++i) {
      if (at >= spans_[i].begin && at < spans_[i].end) return !removed_[i];
    }
    return true;
  }

  std::string_view original_;
  std::vector<text::Span> spans_;
  std::vector<TokenList> tokens_;
  std::vector<bool> removed_;
};

Share absent(const std::set<std::string>& identifiers, const std::string& linked) {
  Share share;
  const std::string text = text::as_read(linked);
  for (const std::string& identifier : identifiers) {
    ++share.of;
    share.count += text.find(identifier) == std::string::npos ? 1 : 0;
  }
  return share;
}

}  // namespace

LinkedOverlap compare(text::RougeTokenizer& tokenizer, const LinkedTexts& texts) {
  const TokenList reference = tokenizer.tokens(texts.original);
  LinkedOverlap overlap;
  overlap.no_words = reference.empty();
  overlap.known_bigrams = text::rouge_n_overlap(reference, tokenizer.tokens(texts.known), 2);
  const Unknown own(tokenizer, texts.original, texts.known_claims);
  const std::set<std::string> identifiers = own.identifiers();
  overlap.identifiers.of = static_cast<std::int64_t>(identifiers.size());
  const TokenList rest = own.words();
  overlap.no_rest = rest.empty();
  if (!texts.linked) return overlap;
  const TokenList hypothesis = tokenizer.tokens(*texts.linked);
  overlap.whole = text::rouge_l_overlap(reference, hypothesis);
  overlap.without_known = text::rouge_l_overlap(rest, hypothesis);
  overlap.identifiers = absent(identifiers, *texts.linked);
  if (texts.linked_original == texts.original) {  // the attack found the right record
    overlap.linked_identifiers = overlap.identifiers;
  } else if (texts.linked_original) {
    const Unknown other(tokenizer, *texts.linked_original, texts.known_claims);
    overlap.linked_identifiers = absent(other.identifiers(), *texts.linked);
  }
  return overlap;
}

}  // namespace residue::query
