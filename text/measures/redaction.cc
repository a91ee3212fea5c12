#include "text/measures/redaction.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "text/characters/as_read.h"
#include "text/characters/token_diff.h"

namespace residue::text {
namespace {

// Adpositions, particles, conjunctions, determiners and titles that the benchmark does not count as left over.
constexpr std::array<std::string_view, 29> kForgiven = {
    "a",      "about", "after", "an",   "and",   "as",  "at",  "before", "between", "by",
    "during", "for",   "from",  "in",   "into",  "mr",  "mrs", "ms",     "no",      "nr",
    "of",     "on",    "or",    "over", "since", "the", "to",  "until",  "with"};

bool is_forgiven_word(std::string_view lower_case) { return std::ranges::binary_search(kForgiven, lower_case); }

bool is_forgiven_sign(char32_t c) {
  constexpr std::u32string_view kSigns = U",.-;:/&()[]–'\" ’“”";
  return kSigns.find(c) != std::u32string_view::npos;
}

bool is_apostrophe(char32_t c) { return c == U'\'' || c == U'’'; }

// Disjoint ascending spans; answers in logarithmic time.
class Mask {
 public:
  explicit Mask(std::span<const Span> spans) {
    std::vector<Span> sorted(spans.begin(), spans.end());
    std::ranges::sort(sorted, {}, &Span::begin);
    for (const Span span : sorted) {
      if (span.begin >= span.end) continue;
      if (!spans_.empty() && span.begin <= spans_.back().end) {
        spans_.back().end = std::max(spans_.back().end, span.end);
      } else {
        spans_.push_back(span);
      }
    }
  }

  [[nodiscard]] bool covers(Span span) const {
    const auto behind = std::ranges::upper_bound(spans_, span.begin, {}, &Span::begin);
    return behind != spans_.begin() && std::prev(behind)->end >= span.end;
  }

  // Whether what is left over of something may be forgiven.
  void forgive(bool yes) { forgives_ = yes; }
  [[nodiscard]] bool forgives() const { return forgives_; }

 private:
  bool forgives_ = false;
  std::vector<Span> spans_;
};

// Is everything in `span` masked or forgiven? Words end where the span does.
bool is_masked(std::string_view text, Span span, const Mask& mask) {
  if (mask.covers(span)) return true;
  if (!mask.forgives()) return false;
  char32_t last = 0;         // the character in front, 0 at the beginning
  char32_t before_last = 0;  // and the one in front of that
  for (std::size_t at = span.begin; at < span.end;) {
    const CodePoint c = code_point_at(text, at);
    std::size_t end = at + c.bytes;
    if (!is_word_character(c.value)) {
      if (!is_forgiven_sign(c.value) && !mask.covers({at, end})) return false;
      before_last = last;
      last = c.value;
      at = end;
      continue;
    }
    bool covered = mask.covers({at, end});
    while (end < span.end) {
      const CodePoint next = code_point_at(text, end);
      if (!is_word_character(next.value)) break;
      covered = covered && mask.covers({end, end + next.bytes});
      end += next.bytes;
    }
    if (!covered) {
      const std::string word = lower(slice(text, {at, end}));
      const bool genitive = word == "s" && is_apostrophe(last) && is_word_character(before_last);
      if (!genitive && !is_forgiven_word(word)) return false;
    }
    before_last = last = U'w';  // whatever word character it ends in
    at = end;
  }
  return true;
}

std::vector<Span> tokens_in(std::string_view text, Span span) {
  std::vector<Span> tokens = word_tokens(slice(text, span));
  for (Span& token : tokens) {
    token.begin += span.begin;
    token.end += span.begin;
  }
  return tokens;
}

bool must_be_masked(const GoldMention& mention) { return mention.identifier != Identifier::kNoMask; }

// The mentions of one entity, in the order of the text.
using Entity = std::vector<const GoldMention*>;

std::vector<Entity> entities_of(std::span<const GoldMention> gold) {
  std::vector<Entity> out;
  std::map<std::pair<std::string_view, std::string_view>, Entity> named;
  for (const GoldMention& mention : gold) {
    if (mention.entity.empty()) {
      out.push_back({&mention});
    } else {
      named[{mention.annotator, mention.entity}].push_back(&mention);
    }
  }
  for (auto& [name, mentions] : named) {
    const auto order = [](const GoldMention* m) {
      return std::tuple(m->span.begin, m->span.end, m->identifier, std::string_view(m->type));
    };
    std::ranges::sort(mentions, {}, order);
    out.push_back(std::move(mentions));
  }
  return out;
}

RecallCounts recall_of(std::string_view text, const Entity& entity, const Mask& mask) {
  RecallCounts counts;
  bool all_masked = true;
  for (const GoldMention* mention : entity) {
    for (const Span token : tokens_in(text, mention->span)) {
      counts.tokens += {is_masked(text, token, mask) ? 1U : 0U, 1};
    }
    const bool masked = is_masked(text, mention->span, mask);
    counts.mentions += {masked ? 1U : 0U, 1};
    all_masked = all_masked && (masked || !must_be_masked(*mention));
  }
  const Share whole{all_masked ? 1U : 0U, 1};
  const Identifier identifier = entity.front()->identifier;
  if (identifier == Identifier::kDirect) counts.direct = whole;
  if (identifier == Identifier::kQuasi || identifier == Identifier::kNoMask) counts.quasi = whole;
  return counts;
}

// By token; nothing where it has no weight.
std::vector<std::optional<std::uint64_t>> weights_of(const std::vector<Span>& tokens,
                                                     std::span<const WordWeight> weights) {
  std::vector<std::optional<std::uint64_t>> out(tokens.size());
  for (const WordWeight& one : weights) {
    const auto behind = std::ranges::upper_bound(tokens, one.span.begin, {}, &Span::begin);
    if (behind == tokens.begin() || std::prev(behind)->end < one.span.end) continue;
    auto& weight = out[static_cast<std::size_t>(behind - tokens.begin()) - 1];
    weight = weight.value_or(0) + one.weight;
  }
  return out;
}

struct Precision {
  Share counted, weighted;
  std::uint64_t weightless = 0, heaviest = 0;
};

Precision precision_of(const std::vector<Span>& tokens, std::span<const GoldMention> gold, const Mask& mask,
                       std::span<const WordWeight> weights) {
  const auto weight = weights_of(tokens, weights);
  std::map<std::string_view, std::vector<Span>> mentions;  // by annotator, those that must be masked
  for (const GoldMention& mention : gold) {
    auto& spans = mentions[mention.annotator];
    if (must_be_masked(mention)) spans.push_back(mention.span);
  }
  Precision precision;
  for (const auto& one : weight) precision.heaviest = std::max(precision.heaviest, one.value_or(0));
  for (auto& [annotator, spans] : mentions) {
    std::ranges::sort(spans, {}, &Span::begin);
    std::vector<std::size_t> furthest;  // end of any of the mentions up to each one
    for (const Span span : spans) furthest.push_back(std::max(furthest.empty() ? 0 : furthest.back(), span.end));
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const Span token = tokens[i];
      if (!mask.covers(token)) continue;
      // Of the mentions that begin at or before the token, one reaches its end.
      const auto behind = std::ranges::upper_bound(spans, token.begin, {}, &Span::begin) - spans.begin();
      const bool inside = behind > 0 && furthest[static_cast<std::size_t>(behind) - 1] >= token.end;
      precision.counted += {inside ? 1U : 0U, 1};
      if (weight[i]) {
        precision.weighted += {inside ? *weight[i] : 0, *weight[i]};
      } else {
        ++precision.weightless;
      }
    }
  }
  return precision;
}

std::vector<std::string> words_read(std::vector<ReadToken> tokens) {
  std::vector<std::string> out;
  out.reserve(tokens.size());
  for (ReadToken& token : tokens) out.push_back(std::move(token.word));
  return out;
}

// Calls `f(first)` for each place where `part` occurs in `whole`.
template <class F>
void each_occurrence(const std::vector<std::string>& whole, const std::vector<std::string>& part, F&& f) {
  for (auto at = whole.begin();; ++at) {
    at = std::search(at, whole.end(), part.begin(), part.end());
    if (at == whole.end()) return;
    f(static_cast<std::size_t>(at - whole.begin()));
  }
}

}  // namespace

RecallCounts& RecallCounts::operator+=(const RecallCounts& other) {
  tokens += other.tokens;
  mentions += other.mentions;
  direct += other.direct;
  quasi += other.quasi;
  return *this;
}

SpanCounts compare_spans(std::string_view text, std::span<const GoldMention> gold, std::span<const Span> masked,
                         std::span<const WordWeight> weights) {
  const std::vector<Span> tokens = word_tokens(text);
  Mask mask(masked);
  mask.forgive(std::ranges::any_of(tokens, [&mask](Span token) { return mask.covers(token); }));
  SpanCounts out;
  for (const Entity& entity : entities_of(gold)) {
    if (std::ranges::none_of(entity, [](const GoldMention* m) { return must_be_masked(*m); })) continue;
    const RecallCounts counts = recall_of(text, entity, mask);
    out.recall += counts;
    out.by_type[entity.front()->type] += counts;
  }
  const Precision precision = precision_of(tokens, gold, mask, weights);
  out.precision = precision.counted;
  if (weights.empty()) return out;
  out.weighted = precision.weighted;
  out.weightless = precision.weightless;
  out.heaviest = precision.heaviest;
  return out;
}

TermCounts compare_terms(std::string_view text, std::span<const std::string> terms, std::span<const Span> masked) {
  const Mask mask(masked);
  const std::vector<ReadToken> tokens = read_tokens(text);
  const auto words = words_read(tokens);
  std::vector<bool> unsafe(tokens.size(), false);
  for (const std::string& term : terms) {
    const auto parts = words_read(read_tokens(term));
    if (parts.empty()) continue;
    each_occurrence(words, parts, [&](std::size_t first) {
      for (std::size_t i = 0; i < parts.size(); ++i) unsafe[first + i] = true;
    });
  }
  TermCounts out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool redacted = mask.covers(tokens[i].span);
    out.unsafe += unsafe[i] ? 1 : 0;
    out.redacted += redacted ? 1 : 0;
    out.both += unsafe[i] && redacted ? 1 : 0;
  }
  return out;
}

bool has_term(std::string_view text, std::string_view term) {
  const auto parts = words_read(read_tokens(term));
  if (parts.empty()) {
    const std::string read = as_read(term);
    return !read.empty() && as_read(text).find(read) != std::string::npos;
  }
  bool found = false;
  each_occurrence(words_read(read_tokens(text)), parts, [&found](std::size_t) { found = true; });
  return found;
}

}  // namespace residue::text
