// text bleu: BLEU of text pairs as a JSONL filter.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/flags/jsonl_filter.h"
#include "cli/print/formats.h"
#include "cli/print/numbers.h"
#include "cli/syntax.h"
#include "text/measures/bleu.h"

namespace residue::cli {
namespace {

using text::kBleuOrders;

std::string list_json(const std::array<double, kBleuOrders>& values) {
  return fmt::format("[{}, {}, {}, {}]", json_number(values[0]), json_number(values[1]), json_number(values[2]),
                     json_number(values[3]));
}

std::string list_json(const std::array<std::uint64_t, kBleuOrders>& values) {
  return fmt::format("[{}, {}, {}, {}]", values[0], values[1], values[2], values[3]);
}

struct NltkSetting {
  const char* name;
  text::NltkSmoothing smoothing;
};

constexpr NltkSetting kNltk[] = {{"none", text::NltkSmoothing::kNone},
                                 {"method1", text::NltkSmoothing::kMethod1},
                                 {"method2", text::NltkSmoothing::kMethod2},
                                 {"method3", text::NltkSmoothing::kMethod3},
                                 {"method4", text::NltkSmoothing::kMethod4}};

std::string nltk_json(const std::string& reference, const std::string& hypothesis) {
  const text::BleuCounts counts = text::bleu_counts(reference, hypothesis);
  std::string out;
  for (const NltkSetting& setting : kNltk) {
    out += fmt::format("{}\"{}\": {}", out.empty() ? "{" : ", ", setting.name,
                       list_json(text::nltk_bleu(counts, setting.smoothing)));
  }
  return out + "}";
}

struct SacreSetting {
  const char* name;
  text::SacreTokenizer tokenizer;
  text::SacreSmoothing smoothing;
  bool lower_case = false;
};

constexpr SacreSetting kSacre[] = {
    {"13a_exp", text::SacreTokenizer::k13a, text::SacreSmoothing::kExp},
    {"13a_exp_lc", text::SacreTokenizer::k13a, text::SacreSmoothing::kExp, true},
    {"13a_floor", text::SacreTokenizer::k13a, text::SacreSmoothing::kFloor},
    {"13a_addk", text::SacreTokenizer::k13a, text::SacreSmoothing::kAddK},
    {"13a_none", text::SacreTokenizer::k13a, text::SacreSmoothing::kNone},
    {"intl_exp", text::SacreTokenizer::kInternational, text::SacreSmoothing::kExp},
    {"char_exp", text::SacreTokenizer::kCharacters, text::SacreSmoothing::kExp},
    {"zh_exp", text::SacreTokenizer::kChinese, text::SacreSmoothing::kExp},
    {"none_exp", text::SacreTokenizer::kNone, text::SacreSmoothing::kExp},
};

std::string sacre_json(const std::string& reference, const std::string& hypothesis) {
  std::string out;
  for (const SacreSetting& setting : kSacre) {
    const text::SacreBleu bleu =
        text::sacre_bleu(reference, hypothesis, setting.tokenizer, setting.smoothing, setting.lower_case);
    out += fmt::format(
        R"({}"{}": {{"score": {}, "counts": {}, "totals": {}, "precisions": {}, "bp": {}, "sys_len": {}, "ref_len": {}}})",
        out.empty() ? "{" : ", ", setting.name, json_number(bleu.score), list_json(bleu.counts.common),
        list_json(bleu.counts.total), list_json(bleu.precisions), json_number(bleu.brevity), bleu.counts.hypothesis,
        bleu.counts.reference);
  }
  return out + "}";
}

Run setup(Syntax& syntax) {
  return setup_filter(syntax, {.fields = {"reference", "hypothesis"},
                               .adds = {"nltk", "sacrebleu", "tok13a_ref", "tok13a_hyp"},
                               .values = [](const std::vector<std::string>& values) {
                                 const auto tokenized = [](const std::string& value) {
                                   return json_string(text::sacre_tokenized(value, text::SacreTokenizer::k13a));
                                 };
                                 return std::vector<std::string>{nltk_json(values[0], values[1]),
                                                                 sacre_json(values[0], values[1]), tokenized(values[0]),
                                                                 tokenized(values[1])};
                               }});
}

}  // namespace

Command text_bleu_command() {
  return {
      .name = "text bleu",
      .group = Group::kLook,
      .summary = "BLEU of text pairs (JSONL filter)",
      .usage = "[FILE...]",
      .details =
          "Reads {\"reference\": ..., \"hypothesis\": ...} lines and adds\n"
          "  nltk       BLEU-1 to BLEU-4 of NLTK's sentence_bleu, split at single spaces, for each smoothing: none, "
          "method1 ... method4. The metrics bleu1 ... bleu4 are those of method4\n"
          "  sacrebleu  score, counts and precisions of sacrebleu, named TOKENIZER_SMOOTHING (with _lc: in lower "
          "case): "
          "13a with exp, floor, addk and none; intl, char, zh and none with exp\n"
          "  tok13a_ref, tok13a_hyp   the texts as the tokenizer 13a leaves them",
      .examples = {{"residue text bleu pairs.jsonl > scored.jsonl", "every kind of BLEU"},
                   {"residue text bleu pairs.jsonl | jq .nltk.method4[3]", "BLEU-4 as the papers report it"}},
      .setup = setup};
}

}  // namespace residue::cli
