// text vader: sentiment of texts as a JSONL filter.
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/flags/jsonl_filter.h"
#include "cli/flags/vader_files.h"
#include "cli/print/numbers.h"
#include "cli/print/output.h"
#include "cli/syntax.h"

namespace residue::cli {
namespace {

Run setup(Syntax& syntax) {
  struct Options {
    std::vector<std::string> files;
    VaderFiles vader;
  };
  auto options = std::make_shared<Options>();
  syntax.add("FILE", options->files, "JSON Lines; - or none: standard input");
  syntax.add("--lexicon", options->vader.lexicon,
             "vader_lexicon.txt of vaderSentiment: lines of word, tab, valence (RESIDUE_VADER_LEXICON)");
  syntax.add("--emoji", options->vader.emoji,
             "lines of emoji, tab, words; default: emoji_utf8_lexicon.txt beside the lexicon, if it is there");
  return [options](Context& context) {
    const VaderContents contents = read_vader(options->vader);
    const text::Vader vader(contents.lexicon, contents.emoji);
    if (contents.emoji.empty()) {
      context.out.note("no table of emoji beside the lexicon: emoji count as unknown words (--emoji FILE)");
    }
    return filter_jsonl(context, options->files,
                        {.fields = {"text"},
                         .adds = {"neg", "neu", "pos", "compound"},
                         .values = [&vader](const std::vector<std::string>& values) {
                           const text::Sentiment sentiment = vader.sentiment(values[0]);
                           return std::vector<std::string>{
                               json_number(sentiment.negative), json_number(sentiment.neutral),
                               json_number(sentiment.positive), json_number(sentiment.compound)};
                         }});
  };
}

}  // namespace

Command text_vader_command() {
  return {
      .name = "text vader",
      .group = Group::kLook,
      .summary = "VADER's sentiment of texts (JSONL filter)",
      .usage = "[FILE...] [--lexicon F] [--emoji F]",
      .details =
          "Reads {\"text\": ...} lines and adds neg, neu and pos (shares, together 1) and compound (-1 to 1), as\n"
          "vaderSentiment computes and rounds them. The lexicon is a file of that package, not part of this program.",
      .examples = {{"residue text vader --lexicon vader_lexicon.txt texts.jsonl", "each line with its sentiment"},
                   {"RESIDUE_VADER_LEXICON=vader_lexicon.txt residue text vader < texts.jsonl",
                    "the same, for all commands of a shell"}},
      .setup = setup};
}

}  // namespace residue::cli
