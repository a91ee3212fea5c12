// What the functions of `residue sql` make of texts: rouge_l(a, b), diff(a, b) ... Pure: nothing here knows SQLite or
// the store.
//
//   arguments of a call ── call_text_function ──> what text/ computes of them
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "query/sql/functions/sql_value.h"
#include "text/measures/vader.h"

namespace residue::query {

// What a call may need besides its arguments.
struct TextTools {
  std::shared_ptr<const text::Vader> vader;
  std::string no_vader = "no sentiment lexicon is named";  // why there is none
};

// One function as SQL has it.
struct TextFunction {
  std::string_view name;
  std::string_view usage;      // "rouge_n(REFERENCE, HYPOTHESIS, N)"
  std::size_t required = 1;    // arguments that must be given
  std::size_t arguments = 1;   // all
  std::size_t texts = 1;       // arguments that are texts; they come first
  std::size_t most_pairs = 0;  // bytes of the first text times those of the second, in MiB; 0: as many as there are
  SqlValue (*answer)(std::span<const SqlValue> arguments, const TextTools& tools);
};

// All of them, by name. Values are those of the metrics and of `residue text`:
//   rouge_l(REFERENCE, HYPOTHESIS), rouge_n(REFERENCE, HYPOTHESIS, N)  F1 of stemmed words, as rougeL_f and rouge1_f
//   bleu(REFERENCE, HYPOTHESIS)                                        as bleu4: NLTK's, smoothed by method4
//   jaro_winkler(A, B)                                                 over code points
//   diff(ORIGINAL, SANITIZED)                                          marked_diff.h
//   snippet(TEXT, QUERY [, COLUMNS])                                   as `residue search` shows a text; 160 columns
//   as_read(TEXT)                                                      decoded, and in plain letters
//   vader(TEXT)                                                        the compound, from -1 to 1
std::span<const TextFunction> text_functions();

// Null where one of the arguments is null. Throws Error{usage} for another number of arguments, for values that are no
// text or no number where one is needed, and for texts that are too long: a call cannot be stopped before its end.
SqlValue call_text_function(const TextFunction& function, std::span<const SqlValue> arguments, const TextTools& tools);

// Calls `function` once on a text that is not ASCII, so that libraries open what they need: a confined process cannot.
void warm_up(const TextFunction& function, const TextTools& tools);

}  // namespace residue::query
