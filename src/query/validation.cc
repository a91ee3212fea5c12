#include "query/validation.h"

#include <fmt/format.h>

#include "query/agreement_report.h"
#include "query/calibration.h"
#include "query/lexical_judge.h"
#include "storage/files.h"

namespace residue::query {

std::string validation_text(const Judge& judge) {
  if (judge.name() != "lexical") return "never";
  const auto& v = lexical_validation();
  return fmt::format("on {} labels of {} (Spearman {:.2f} [{:.2f}, {:.2f}], out of fold)", v.pairs, v.labels,
                     v.spearman, v.low, v.high);
}

std::string validation_on(storage::Db& db, JudgeId judge, DatasetId dataset) {
  const auto labels = support_labels(db, dataset);
  if (labels >= kFewestLabels)
    return fmt::format("held against {} labels of this dataset by --table agreement", labels);
  std::string text = "not validated on this dataset";
  // An older version of a judge was validated by nothing that is known here.
  const LexicalJudge lexical;
  storage::Statement find = db.prepare("SELECT digest FROM judge WHERE id = ?1");
  if (find.bind(judge).step() && find.text(0) == storage::sha256(lexical.spec())) {
    text += "; elsewhere " + validation_text(lexical);
  }
  return text;
}

}  // namespace residue::query
