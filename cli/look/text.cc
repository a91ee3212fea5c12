// text: metrics on pairs of texts as JSONL filters; no store needed.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/flags/jsonl_filter.h"
#include "cli/print/formats.h"
#include "cli/print/numbers.h"
#include "cli/syntax.h"
#include "text/characters/unicode.h"
#include "text/measures/rouge.h"
#include "text/words/porter.h"

namespace residue::cli {
namespace {

std::string prf_json(const text::Prf& score) {
  return fmt::format(R"({{"p": {}, "r": {}, "f": {}}})", json_number(score.p), json_number(score.r),
                     json_number(score.f));
}

std::string rouge_json(const std::string& reference, const std::string& hypothesis, bool stem) {
  thread_local text::RougeTokenizer stemmed(true), as_written(false);
  text::RougeTokenizer& tokenizer = stem ? stemmed : as_written;
  tokenizer.clear_if_large();
  const auto ref = tokenizer.tokens(reference);
  const auto hyp = tokenizer.tokens(hypothesis);
  return fmt::format(R"({{"rouge1": {}, "rouge2": {}, "rouge3": {}, "rougeL": {}, "rougeLsum": {}}})",
                     prf_json(text::rouge_n(ref, hyp, 1)), prf_json(text::rouge_n(ref, hyp, 2)),
                     prf_json(text::rouge_n(ref, hyp, 3)), prf_json(text::rouge_l(ref, hyp)),
                     prf_json(text::rouge_lsum(reference, hypothesis, stem)));
}

Run setup_rouge(Syntax& syntax) {
  struct Options {
    std::vector<std::string> files;
    bool no_stem = false;
  };
  auto options = std::make_shared<Options>();
  syntax.add("FILE", options->files, "JSON Lines; - or none: standard input");
  syntax.flag("--no-stem", options->no_stem, "compare words, not their stems; adds \"nostem\" instead of \"stem\"");
  return [options](Context& context) {
    const bool stem = !options->no_stem;
    return filter_jsonl(context, options->files,
                        {.fields = {"reference", "hypothesis"},
                         .adds = {stem ? "stem" : "nostem"},
                         .values = [stem](const std::vector<std::string>& values) {
                           return std::vector<std::string>{rouge_json(values[0], values[1], stem)};
                         }});
  };
}

Run setup_stem(Syntax& syntax) {
  return setup_filter(
      syntax, {.fields = {"w"}, .adds = {"stem", "rouge_token"}, .values = [](const std::vector<std::string>& values) {
                 const std::string word = text::lower(values[0]);
                 const std::string stem = text::porter_stem(word, text::Porter::kNltk);
                 const std::string& token = text::code_points(word) > 3 ? stem : word;
                 return std::vector<std::string>{json_string(stem), json_string(token)};
               }});
}

}  // namespace

Command text_rouge_command() {
  return {.name = "text rouge",
          .group = Group::kLook,
          .summary = "ROUGE of text pairs (JSONL filter)",
          .usage = "[FILE...] [--no-stem]",
          .details =
              "Reads {\"reference\": ..., \"hypothesis\": ...} lines and adds the field \"stem\" (or \"nostem\") with "
              "rouge1,\n"
              "rouge2, rouge3, rougeL and rougeLsum, each as {\"p\", \"r\", \"f\"}, equal to rouge_score's to the last "
              "bit.",
          .examples = {{"residue text rouge pairs.jsonl > scored.jsonl", "precision, recall and F of stemmed words"},
                       {"residue text rouge --no-stem < pairs.jsonl", "words as they are written"}},
          .setup = setup_rouge};
}

Command text_stem_command() {
  return {.name = "text stem",
          .group = Group::kLook,
          .summary = "Porter stems of words (JSONL filter)",
          .usage = "[FILE...]",
          .details =
              "Reads {\"w\": ...} lines and adds \"stem\" (NLTK's Porter stemmer) and \"rouge_token\" (the stem for "
              "words of\n"
              "more than three characters, else the word), as ROUGE uses them.",
          .examples = {{"residue text stem words.jsonl", "each line with its stem"}},
          .setup = setup_stem};
}

}  // namespace residue::cli
