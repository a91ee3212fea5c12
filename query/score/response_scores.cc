#include "query/score/response_scores.h"

#include <array>

#include "base/json.h"
#include "text/measures/bleu.h"

namespace residue::query {
namespace {

using M = MetricId;

constexpr std::array kBleu = {M::kResponseBleu1, M::kResponseBleu2, M::kResponseBleu3, M::kResponseBleu4};
constexpr std::array kRouge = {M::kResponseRouge1F, M::kResponseRouge2F, M::kResponseRougeLF};

}  // namespace

std::string response_text(std::string_view answer) {
  const Json json = Json::parse(answer).value_or(Json());
  for (const char* field : {"restored", "response"}) {
    if (json.contains(field) && json[field].is_string()) return json[field].get<std::string>();
  }
  return {};
}

std::vector<Contribution> response_scores(const TaskCase& original, const TaskCase& own,
                                          text::RougeTokenizer& tokenizer) {
  const State state = state_of(original, own);
  std::array<double, kBleu.size()> bleu{};
  std::array<double, kRouge.size()> rouge{};
  bool words = true;
  if (original.answer) words = !tokenizer.tokens(response_text(*original.answer)).empty();
  if (state == State::kValue) {
    const std::string reference = response_text(*original.answer), hypothesis = response_text(*own.answer);
    bleu = text::nltk_bleu(text::bleu_counts(reference, hypothesis));
    tokenizer.clear_if_large();
    const auto expected = tokenizer.tokens(reference), said = tokenizer.tokens(hypothesis);
    const text::RougeOverlaps overlaps = text::rouge_overlaps(expected, said);
    rouge = {text::prf(overlaps.rouge1).f, text::prf(overlaps.rouge2).f, text::prf(overlaps.rouge_l).f};
  }
  std::vector<Contribution> out;
  for (std::size_t i = 0; i < kBleu.size(); ++i) {
    out.push_back(answer_contribution(kBleu[i], state, fixed(bleu[i]), 0, kOne));
  }
  for (std::size_t i = 0; i < kRouge.size(); ++i) {
    out.push_back(answer_contribution(kRouge[i], words ? state : State::kNotApplicable, fixed(rouge[i]), 0, kOne));
  }
  return out;
}

}  // namespace residue::query
