#include "text/predict/ngram_tokens.h"

#include <utility>

#include "text/characters/unicode.h"
#include "text/words/words.h"

namespace residue::text {

TokenId TokenTable::id_of(std::string spelling) {
  const auto [at, fresh] = ids_.try_emplace(std::move(spelling), static_cast<TokenId>(spellings_.size()));
  if (fresh) spellings_.push_back(at->first);
  return at->second;
}

std::vector<TokenId> TokenTable::read(std::string_view text) {
  std::vector<TokenId> tokens{kStart};
  std::vector<Span> spans;
  words(text, spans);
  std::string gap = " ";
  const auto take = [&](std::string_view body) {
    tokens.push_back(id_of(gap + std::string(body)));
    gap.clear();
  };
  const auto between = [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end;) {
      const CodePoint point = code_point_at(text, at);
      if (!is_space(point.value)) {
        take(text.substr(at, point.bytes));
      } else if (tokens.size() > 1 && gap != "\n") {
        gap = point.value == U'\n' ? "\n" : " ";
      }
      at += point.bytes;
    }
  };
  std::size_t done = 0;
  for (const Span& span : spans) {
    between(done, span.begin);
    take(slice(text, span));
    done = span.end;
  }
  between(done, text.size());
  tokens.push_back(kEnd);
  return tokens;
}

std::string TokenTable::join(const std::vector<TokenId>& tokens) const {
  std::string text;
  for (const TokenId token : tokens) text += spelling(token);
  if (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.erase(0, 1);
  return text;
}

}  // namespace residue::text
