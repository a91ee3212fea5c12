#include "query/sql/functions/text_functions.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "query/explain/snippet.h"
#include "query/sql/functions/marked_diff.h"
#include "text/characters/as_read.h"
#include "text/encodings/decoded.h"
#include "text/measures/bleu.h"
#include "text/measures/jaro_winkler.h"
#include "text/measures/rouge.h"
#include "text/words/analyzer.h"

namespace residue::query {
namespace {

using Arguments = std::span<const SqlValue>;

constexpr std::size_t kMiB = std::size_t{1} << 20U;
constexpr std::int64_t kMostN = 100;
constexpr std::int64_t kColumns = 160, kMostColumns = 10'000;

const std::string& text_at(Arguments arguments, std::size_t i) { return std::get<std::string>(arguments[i]); }

std::int64_t whole_at(Arguments arguments, std::size_t i, std::string_view name, std::int64_t most) {
  const auto* number = std::get_if<std::int64_t>(&arguments[i]);
  if (number == nullptr || *number < 1 || *number > most) {
    throw Error(Code::kUsage, fmt::format("{} is a whole number from 1 to {}", name, most));
  }
  return *number;
}

// Of both texts, stemmed as the metrics have them.
struct RougeWords {
  std::vector<std::uint32_t> reference, hypothesis;

  explicit RougeWords(Arguments arguments) {
    text::RougeTokenizer tokenizer(true);
    reference = tokenizer.tokens(text_at(arguments, 0));
    hypothesis = tokenizer.tokens(text_at(arguments, 1));
  }
};

SqlValue rouge_l(Arguments arguments, const TextTools& /*tools*/) {
  const RougeWords words(arguments);
  return text::rouge_l(words.reference, words.hypothesis).f;
}

SqlValue rouge_n(Arguments arguments, const TextTools& /*tools*/) {
  const auto n = static_cast<unsigned>(whole_at(arguments, 2, "N", kMostN));
  const RougeWords words(arguments);
  return text::rouge_n(words.reference, words.hypothesis, n).f;
}

SqlValue bleu(Arguments arguments, const TextTools& /*tools*/) {
  return text::nltk_bleu(text::bleu_counts(text_at(arguments, 0), text_at(arguments, 1))).back();
}

SqlValue jaro_winkler(Arguments arguments, const TextTools& /*tools*/) {
  return text::jaro_winkler(text_at(arguments, 0), text_at(arguments, 1));
}

SqlValue diff(Arguments arguments, const TextTools& /*tools*/) {
  return marked_diff(text_at(arguments, 0), text_at(arguments, 1));
}

SqlValue snippet(Arguments arguments, const TextTools& /*tools*/) {
  const text::Analyzer& analyzer = text::Analyzer::fsp();
  std::vector<std::string> terms;
  analyzer.terms(text_at(arguments, 1), terms);
  std::map<std::string, double, std::less<>> weights;
  for (std::string& term : terms) weights.emplace(std::move(term), 1.0);
  const std::int64_t columns = arguments.size() > 2 ? whole_at(arguments, 2, "COLUMNS", kMostColumns) : kColumns;
  return make_snippet(text_at(arguments, 0), analyzer, weights, static_cast<std::size_t>(columns)).text;
}

SqlValue as_read(Arguments arguments, const TextTools& /*tools*/) {
  std::string store;
  return text::as_read(text::decoded(text_at(arguments, 0), store), text::Letters::kKept);
}

SqlValue vader(Arguments arguments, const TextTools& tools) {
  if (!tools.vader) throw Error(Code::kUsage, tools.no_vader);
  return tools.vader->sentiment(text_at(arguments, 0)).compound;
}

constexpr std::size_t kMostBytes = 8 * kMiB;  // of all texts of a call
constexpr std::size_t kSquareMiB = kMiB;      // 1 MiB times 1 MiB, in MiB

constexpr std::array<TextFunction, 8> kFunctions = {{
    {"as_read", "as_read(TEXT)", 1, 1, 1, 0, as_read},
    {"bleu", "bleu(REFERENCE, HYPOTHESIS)", 2, 2, 2, 0, bleu},
    {"diff", "diff(ORIGINAL, SANITIZED)", 2, 2, 2, kSquareMiB, diff},
    {"jaro_winkler", "jaro_winkler(A, B)", 2, 2, 2, kSquareMiB / 64, jaro_winkler},
    {"rouge_l", "rouge_l(REFERENCE, HYPOTHESIS)", 2, 2, 2, kSquareMiB, rouge_l},
    {"rouge_n", "rouge_n(REFERENCE, HYPOTHESIS, N)", 3, 3, 2, 0, rouge_n},
    {"snippet", "snippet(TEXT, QUERY [, COLUMNS])", 2, 3, 2, 0, snippet},
    {"vader", "vader(TEXT)", 1, 1, 1, 0, vader},
}};

[[noreturn]] void too_long(const TextFunction& function) {
  throw Error(Code::kUsage, fmt::format("{}: these texts are too long", function.name), "substr() takes a part");
}

}  // namespace

std::span<const TextFunction> text_functions() { return kFunctions; }

SqlValue call_text_function(const TextFunction& function, std::span<const SqlValue> arguments, const TextTools& tools) {
  if (arguments.size() < function.required || arguments.size() > function.arguments) {
    throw Error(Code::kUsage, fmt::format("write {}", function.usage));
  }
  for (const SqlValue& value : arguments) {
    if (std::holds_alternative<std::monostate>(value)) return {};
  }
  std::size_t bytes = 0;
  std::size_t pairs = 1;
  for (std::size_t i = 0; i < function.texts; ++i) {
    const auto* text = std::get_if<std::string>(&arguments[i]);
    if (text == nullptr) {
      throw Error(Code::kUsage, fmt::format("{}: argument {} is no text: text(id) reads one, such as text(claim_text)",
                                            function.usage, i + 1));
    }
    bytes += text->size();
    pairs *= text->size();  // at most two, of at most 2^31 bytes each
  }
  if (bytes > kMostBytes || (function.most_pairs != 0 && pairs / kMiB > function.most_pairs)) {
    too_long(function);
  }
  return function.answer(arguments, tools);
}

void warm_up(const TextFunction& function, const TextTools& tools) {
  std::vector<SqlValue> arguments(function.texts, std::string("w\u00e4rm \uFF35p, J&#111;hn"));
  if (arguments.size() < function.required) arguments.emplace_back(std::int64_t{1});
  if (function.name != "vader" || tools.vader) static_cast<void>(call_text_function(function, arguments, tools));
}

}  // namespace residue::query
