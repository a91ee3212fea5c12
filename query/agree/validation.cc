#include "query/agree/validation.h"

#include <fmt/format.h>

#include "base/digest.h"
#include "query/agree/agreement_report.h"
#include "query/agree/calibration.h"
#include "query/judge/lexical_judge.h"
#include "storage/catalog/answers/judge.h"

namespace residue::query {

std::string validation_text(const Judge& judge) {
  const auto* lexical = dynamic_cast<const LexicalJudge*>(&judge);
  if (lexical == nullptr) return "never";
  const auto v = lexical->validation();
  if (!v) return "never with this WordNet";
  const LexicalValidation::Unseen& agreement = v->least_agreement();
  const LexicalValidation::Unseen& flattering = v->most_flattering();
  return fmt::format(
      "on labels that it never saw (Spearman {:.2f} [{:.2f}, {:.2f}] on {} of {}; {:.0f} % of supported claims called "
      "unsupported on {} of {})",
      agreement.spearman, agreement.low, agreement.high, agreement.pairs, agreement.labels,
      100 * flattering.flattering(), flattering.pairs, flattering.labels);
}

std::string validation_on(storage::Db& db, JudgeId judge, DatasetId dataset) {
  const auto labels = support_labels(db, dataset);
  if (labels >= kFewestLabels)
    return fmt::format("held against {} labels of this dataset by --table agreement", labels);
  std::string text = "not validated on this dataset";
  // An older version of a judge was validated by nothing that is known here.
  storage::Statement find = db.prepare(storage::sql::kJudgeNameAndDigest);
  if (!find.bind(judge).step()) return text;
  const auto present = installed_judge(find.text(0));
  if (present && find.text(1) == sha256(present->spec())) {
    if (const std::string elsewhere = validation_text(*present); elsewhere != "never") {
      text += "; elsewhere " + elsewhere;
    }
  }
  return text;
}

}  // namespace residue::query
