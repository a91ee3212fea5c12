#include "query/sql/functions/token_tables.h"

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "text/characters/unicode.h"
#include "text/measures/rouge.h"
#include "text/words/analyzer.h"
#include "text/words/words.h"

namespace residue::query {
namespace {

constexpr std::size_t kMostNgramBytes = std::size_t{32} << 20U;  // of all of them together

void check_length(std::string_view text) {
  if (text.size() > kMostTokenBytes) {
    throw Error(Code::kUsage, "the text is larger than 1 MiB", "substr() takes a part");
  }
}

}  // namespace

SqlRows token_rows(std::string_view text) {
  check_length(text);
  std::vector<text::Span> words;
  text::words(text, words);
  SqlRows rows;
  rows.reserve(words.size());
  std::size_t byte = 0;
  std::size_t character = 1;
  for (const text::Span& word : words) {
    const std::string_view written = text::slice(text, word);
    character += text::code_points(text.substr(byte, word.begin - byte));
    const std::size_t length = text::code_points(written);
    std::string term = text::Analyzer::fsp().term(written);
    rows.push_back({static_cast<std::int64_t>(rows.size() + 1), std::string(written),
                    term.empty() ? SqlValue() : SqlValue(std::move(term)), static_cast<std::int64_t>(character),
                    static_cast<std::int64_t>(length)});
    character += length;
    byte = word.end;
  }
  return rows;
}

SqlRows ngram_rows(std::string_view text, std::int64_t n) {
  check_length(text);
  if (n < 1 || n > kMostNgram) {
    throw Error(Code::kUsage, fmt::format("N is a whole number from 1 to {}", kMostNgram));
  }
  const std::vector<std::string> words = text::rouge_tokens(text, true);
  const auto size = static_cast<std::size_t>(n);
  SqlRows rows;
  std::unordered_map<std::string, std::size_t> row_of;
  std::size_t bytes = 0;
  for (std::size_t begin = 0; begin + size <= words.size(); ++begin) {
    std::string ngram = words[begin];
    for (std::size_t i = begin + 1; i < begin + size; ++i) ngram += " " + words[i];
    const auto [place, is_new] = row_of.emplace(ngram, rows.size());
    if (!is_new) {
      ++std::get<std::int64_t>(rows[place->second][1]);
      continue;
    }
    bytes += ngram.size();
    if (bytes > kMostNgramBytes) {
      throw Error(Code::kUsage, "its n-grams are larger than 32 MiB", "take a smaller N, or a part of the text");
    }
    rows.push_back({std::move(ngram), std::int64_t{1}});
  }
  return rows;
}

}  // namespace residue::query
