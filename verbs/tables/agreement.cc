#include "verbs/tables/agreement.h"

#include <utility>

#include "base/error.h"

namespace residue::verbs {
namespace {

std::vector<std::string> undefined(const query::AgreementLine& line) {
  std::vector<std::string> names;
  if (line.constant.empty() || line.too_few) return names;
  const bool counted = line.kind != "annotators";
  if (counted && !line.spearman) names.emplace_back("spearman");
  if (!line.kappa && (counted || line.first != "all annotators")) names.emplace_back("kappa");
  if (counted && !line.cohen) names.emplace_back("cohen");
  if (!line.alpha) names.emplace_back("alpha");
  if (counted && !line.linear) names.emplace_back("kappa_linear");
  return names;
}

std::vector<const query::PublishedRow*> published_for(const query::AgreementLine& line) {
  if (line.kind != "people" && line.kind != "annotators") return {};
  const std::vector<std::string> names{line.kind == "people" ? line.second : std::string(line.kind)};
  return query::find_published("agreement", "", names);
}

}  // namespace

AgreementFigures agreement_figures(query::AgreementLine line, bool published) {
  AgreementFigures figures{{}, undefined(line), {}};
  if (published) figures.published = published_for(line);
  figures.line = std::move(line);
  return figures;
}

std::vector<AgreementFigures> agreement(storage::Store& store, const std::optional<std::string>& dataset,
                                        bool published) {
  std::vector<AgreementFigures> all;
  for (query::AgreementLine& line : query::load_agreement(store, dataset)) {
    all.push_back(agreement_figures(std::move(line), published));
  }
  if (!all.empty()) return all;
  throw Error(Code::kNotFound, "the store has no labels of people and no judgments from elsewhere",
              "residue label DATASET/RUN draws pairs for people to rate; residue ingest judgments FILE");
}

}  // namespace residue::verbs
