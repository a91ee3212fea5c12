#include "ingest/mask/p_filter.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "text/characters/unicode.h"
#include "text/words/words.h"

namespace residue::ingest {
namespace {

using text::WordId;
using text::WordModel;

// Digits, and what stands between them in numbers.
bool is_number(std::string_view word) {
  return std::ranges::any_of(word, is_digit) &&
         std::ranges::all_of(word, [](char c) { return is_digit(c) || c == '.' || c == ',' || c == ':' || c == '_'; });
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// As the original is written: ANN, Ann, ann.
std::string in_case_of(std::string_view original, std::string word) {
  const auto raise = [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; };
  if (original.empty() || !is_upper(original[0])) return word;
  const bool all = original.size() > 1 && std::ranges::all_of(original, is_upper);
  for (std::size_t i = 0; i < (all ? word.size() : 1); ++i) word[i] = raise(word[i]);
  return word;
}

class Filtering {
 public:
  Filtering(const WordModel& model, const text::WordVectors* vectors, const PFilter& filter, const SanitizeInput& input)
      : model_(model), vectors_(vectors), filter_(filter) {
    if (filter.draws) draws_.emplace(filter.draws->of(input));
  }

  // Adds what goes of the utterance that begins at byte `begin` of the text.
  void read(std::string_view utterance, std::size_t begin) {
    text::words(utterance, spans_);
    if (spans_.empty()) return;
    ids_.assign({before_, WordModel::kBoundary});
    for (const text::Span& span : spans_) ids_.push_back(model_.id(lower(utterance, span)));
    ids_.insert(ids_.end(), {WordModel::kBoundary, WordModel::kUnknown});
    bool last_goes = false;
    for (std::size_t i = 0; i < spans_.size(); ++i) {
      const WordModel::Neighbours beside{ids_[i], ids_[i + 1], ids_[i + 3], ids_[i + 4]};
      last_goes = model_.probability(ids_[i + 2], beside) < filter_.p;
      if (!last_goes) continue;
      const std::string word = lower(utterance, spans_[i]);
      gone_.push_back({begin + spans_[i].begin, begin + spans_[i].end, "redacted", std::nullopt});
      if (!filter_.substitute) continue;
      if (const auto with = substitute(word, ids_[i + 2], beside)) {
        gone_.back().with = in_case_of(text::slice(utterance, spans_[i]), *with);
      }
    }
    before_ = last_goes ? WordModel::kUnknown : ids_[spans_.size() + 1];
  }

  std::vector<MaskedSpan> gone() { return std::move(gone_); }

 private:
  static std::string lower(std::string_view utterance, const text::Span& span) {
    return text::lower(text::slice(utterance, span));
  }

  std::optional<std::string> substitute(const std::string& word, WordId id, const WordModel::Neighbours& beside) {
    const auto [at, fresh] = table_.try_emplace(word);
    if (fresh) at->second = is_number(word) ? other_digits(word) : like(word, id, beside);
    return at->second;
  }

  [[nodiscard]] std::uint64_t draw(std::string_view word, std::uint64_t number) const {
    return draws_.value()(word, number);
  }

  [[nodiscard]] std::string other_digits(const std::string& word) const {
    std::string out = word;
    for (std::uint64_t attempt = 0; out == word; ++attempt) {
      for (std::size_t i = 0; i < word.size(); ++i) {
        if (is_digit(word[i])) out[i] = static_cast<char>('0' + draw(word, attempt * word.size() + i) % 10);
      }
    }
    return out;
  }

  [[nodiscard]] std::optional<std::string> like(const std::string& word, WordId id,
                                                const WordModel::Neighbours& beside) const {
    if (vectors_ == nullptr || !vectors_->has(id)) return std::nullopt;
    std::vector<WordId> others;
    for (const WordModel::Candidate& candidate : model_.likeliest(beside, filter_.n)) {
      if (candidate.word != id && vectors_->has(candidate.word)) others.push_back(candidate.word);
    }
    std::vector<double> distances(others.size());
    vectors_->distances(id, others, distances);
    std::vector<std::pair<double, std::string_view>> near;
    for (std::size_t i = 0; i < others.size(); ++i) {
      if (distances[i] <= filter_.s) near.emplace_back(distances[i], model_.word(others[i]));
    }
    if (near.size() < filter_.k) return std::nullopt;
    std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(filter_.k), near.end());
    return std::string(near[draw(word, 0) % filter_.k].second);
  }

  const WordModel& model_;
  const text::WordVectors* vectors_;
  const PFilter& filter_;
  std::optional<Draws> draws_;
  WordId before_ = WordModel::kBoundary;  // the last word of the utterance before
  std::vector<text::Span> spans_;
  std::vector<WordId> ids_;
  std::vector<MaskedSpan> gone_;
  std::map<std::string, std::optional<std::string>> table_;  // nothing: redacted
};

}  // namespace

std::vector<std::string_view> utterances(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

SanitizeOutput p_filter(const WordModel& model, const text::WordVectors* vectors, const PFilter& filter,
                        const SanitizeInput& input) {
  Filtering filtering(model, vectors, filter, input);
  for (const std::string_view line : utterances(input.text)) {
    filtering.read(line, static_cast<std::size_t>(line.data() - input.text.data()));
  }
  return mask(input.text, filtering.gone(), filter.redaction);
}

}  // namespace residue::ingest
