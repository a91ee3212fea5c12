#include "query/score/overlap_texts.h"

#include <utility>

#include "text/characters/accents.h"
#include "text/characters/as_read.h"
#include "text/encodings/decoded.h"
#include "text/identifiers/recognizers.h"
#include "text/measures/rouge_reads.h"
#include "text/words/sentences.h"

namespace residue::query {
namespace {

constexpr std::size_t kMostBytes = std::size_t{64} << 20U;

}  // namespace

Findings find_in(std::string_view text) {
  Findings found;
  found.sentences = text::sentences(text);
  for (const text::Entity& entity : text::recognize(text)) {
    found.identifiers.push_back({entity.begin, text::as_read(text.substr(entity.begin, entity.end - entity.begin))});
  }
  return found;
}

OriginalWords original_words(text::RougeTokenizer& tokenizer, std::string text, const Findings& found) {
  OriginalWords words;
  words.text = std::move(text);
  words.readable = text::rouge_reads(words.text);
  words.whole = tokenizer.tokens(words.text);
  for (const text::Span span : found.sentences) {
    words.sentences.push_back(tokenizer.tokens(text::slice(words.text, span)));
  }
  return words;
}

OriginalWords without_accents(text::RougeTokenizer& tokenizer, const OriginalWords& words, const Findings& found) {
  std::string store;
  OriginalWords plain;
  plain.readable = words.readable;
  plain.whole = tokenizer.tokens(text::without_accents(words.text, store));
  for (const text::Span span : found.sentences) {
    plain.sentences.push_back(tokenizer.tokens(text::without_accents(text::slice(words.text, span), store)));
  }
  return plain;
}

LinkedWords linked_words(text::RougeTokenizer& tokenizer, std::string_view linked) {
  LinkedWords words;
  words.readable = text::rouge_reads(linked);
  words.written = tokenizer.tokens(linked);
  words.reads = text::as_read(linked);
  const auto decoded = text::decoded(linked);
  words.said = decoded ? *decoded : std::string(linked);
  if (decoded) {
    words.also = tokenizer.tokens(words.said);
    words.reads += '\n' + text::as_read(words.said);
  } else if (!text::is_ascii(linked)) {  // invisible characters between letters
    words.also = tokenizer.tokens(text::as_read(linked, text::Letters::kKept));
  }
  words.plain = text::without_accents(words.reads);
  return words;
}

void OverlapTexts::make_room() {
  if (bytes_ <= kMostBytes && !tokenizer_.clear_if_large()) return;
  originals_.clear();
  linked_.clear();
  claims_.clear();
  bytes_ = 0;
}

std::size_t OverlapTexts::bytes_of(const OriginalWords& words) {
  std::size_t bytes = sizeof words + words.text.size() + words.whole.size() * sizeof words.whole[0];
  for (const TokenList& sentence : words.sentences) bytes += sizeof sentence + sentence.size() * sizeof sentence[0];
  return bytes;
}

std::size_t OverlapTexts::bytes_of(const LinkedWords& words) {
  const std::size_t tokens = words.written.size() + (words.also ? words.also->size() : 0);
  return sizeof words + tokens * sizeof words.written[0] + words.said.size() + words.reads.size() +
         (words.plain ? words.plain->size() : 0);
}

}  // namespace residue::query
