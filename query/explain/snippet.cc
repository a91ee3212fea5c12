#include "query/explain/snippet.h"

#include <algorithm>
#include <utility>

#include "text/words/words.h"

namespace residue::query {
namespace {

using Weights = std::map<std::string, double, std::less<>>;

constexpr std::size_t kLead = 3;  // words before the first match, where there is room

struct Word {
  text::Span span;
  std::size_t column = 0;        // where it begins, counted from the beginning of the text
  std::size_t width = 0;         // columns
  Weights::const_iterator term;  // end(): does not match
};

std::vector<Word> read_words(std::string_view text, const text::Analyzer& analyzer, const Weights& weights) {
  std::vector<text::Span> spans;
  text::words(text, spans);
  std::vector<Word> words;
  std::vector<std::string> terms;
  std::size_t column = 0;
  std::size_t at = 0;
  for (const text::Span& span : spans) {
    column += text::display_width(text.substr(at, span.begin - at));
    at = span.end;
    Word word{span, column, text::display_width(slice(text, span)), weights.end()};
    column += word.width;
    analyzer.terms(slice(text, span), terms);
    for (const std::string& term : terms) {
      if (word.term == weights.end()) word.term = weights.find(term);
    }
    words.push_back(word);
  }
  return words;
}

// The words [begin, end) whose distinct terms weigh most within `columns`.
std::pair<std::size_t, std::size_t> best_window(const std::vector<Word>& words, const Weights& weights,
                                                std::size_t columns) {
  std::map<std::string_view, std::size_t> inside;
  double weight = 0;
  double best = -1;
  std::pair<std::size_t, std::size_t> result{0, 0};
  std::size_t end = 0;
  const auto fits = [&](std::size_t begin, std::size_t last) {
    return words[last].column + words[last].width - words[begin].column <= columns;
  };
  for (std::size_t begin = 0; begin < words.size(); ++begin) {
    for (; end < words.size() && (end <= begin || fits(begin, end)); ++end) {
      if (words[end].term != weights.end() && inside[words[end].term->first]++ == 0) weight += words[end].term->second;
    }
    // What sums and differences leave of rounding must not decide between equal windows.
    if (weight > best + 1e-9) {
      best = weight;
      result = {begin, end};
    }
    if (words[begin].term != weights.end() && --inside[words[begin].term->first] == 0) {
      weight -= words[begin].term->second;
    }
  }
  return result;
}

// A window that begins with its first match reads badly: some words before it, at the cost of those behind the last.
std::pair<std::size_t, std::size_t> with_lead(const std::vector<Word>& words, const Weights& weights,
                                              std::pair<std::size_t, std::size_t> window, std::size_t columns) {
  const auto matches = [&](const Word& word) { return word.term != weights.end(); };
  const auto begin_at = words.begin() + static_cast<std::ptrdiff_t>(window.first);
  const auto end_at = words.begin() + static_cast<std::ptrdiff_t>(window.second);
  const auto first = std::find_if(begin_at, end_at, matches);
  if (first == end_at) return window;
  auto begin = static_cast<std::size_t>(first - words.begin());
  std::size_t end = window.second;
  while (!matches(words[end - 1])) --end;
  const std::size_t stop = words[end - 1].column + words[end - 1].width;
  for (std::size_t lead = 0; lead < kLead && begin > 0 && stop - words[begin - 1].column <= columns; ++lead) --begin;
  while (end < words.size() && words[end].column + words[end].width - words[begin].column <= columns) ++end;
  return {begin, end};
}

// Appends `part` with every run of white space as one space, safe to print.
void append_line(std::string& out, std::string_view part) {
  for (std::size_t at = 0; at < part.size();) {
    const text::CodePoint c = text::code_point_at(part, at);
    if (!text::is_space(c.value)) {
      out += text::escape_controls(part.substr(at, c.bytes), text::Breaks::kEscape);
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
    at += c.bytes;
  }
}

}  // namespace

Snippet make_snippet(std::string_view text, const text::Analyzer& analyzer, const Weights& weights,
                     std::size_t columns) {
  const std::vector<Word> words = read_words(text, analyzer, weights);
  Snippet snippet;
  if (words.empty()) {
    append_line(snippet.text, text::cut_to_width(text, columns));
    return snippet;
  }
  const auto [begin, end] = with_lead(words, weights, best_window(words, weights, columns), columns);
  if (begin > 0) snippet.text = "… ";
  std::size_t at = begin == 0 ? 0 : words[begin].span.begin;
  for (std::size_t i = begin; i < end; ++i) {
    append_line(snippet.text, text.substr(at, words[i].span.begin - at));
    const std::size_t start = snippet.text.size();
    append_line(snippet.text, slice(text, words[i].span));
    if (words[i].term != weights.end()) snippet.marks.push_back({start, snippet.text.size()});
    at = words[i].span.end;
  }
  if (end < words.size()) {
    snippet.text += " …";
  } else {
    append_line(snippet.text, text.substr(at));
  }
  return snippet;
}

}  // namespace residue::query
