#include "query/score/category_scores.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace residue::query {

std::vector<Contribution> category_scores(const RecordCase& record,
                                          std::span<const CategoryAnswers::Answer* const> about, Ratings linked) {
  if (record.empty_original || record.all_known) return {};
  const State state = rated_state(record, linked);
  struct Counts {
    std::int64_t claims = 0, leaked = 0;
  };
  std::map<std::string_view, Counts> parts;
  for (std::size_t i = 0; i < about.size(); ++i) {
    const bool leaked = state == State::kValue && record.linked && *linked[i] <= 2;
    const auto count = [&](std::string_view part) {
      ++parts[part].claims;
      parts[part].leaked += leaked ? 1 : 0;
    };
    if (!about[i]->said) {
      count(kNotCategorized);
    } else if (about[i]->names.empty()) {
      count(kNoCategory);
    } else {
      for (const std::string& name : about[i]->names) count(name);
    }
  }
  std::vector<Contribution> out;
  for (const auto& [name, counts] : parts) {
    const bool known = state == State::kValue;
    out.push_back({MetricId::kLeakByCategory, Outcome::kNone, state, known ? counts.leaked : counts.claims,
                   counts.claims, known ? counts.leaked : 0, std::string(name)});
  }
  return out;
}

}  // namespace residue::query
