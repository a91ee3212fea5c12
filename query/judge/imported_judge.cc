#include "query/judge/imported_judge.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/json.h"

namespace residue::query {

std::unique_ptr<ImportedJudge> ImportedJudge::of(const std::string& name, const std::string& spec) {
  const Json parsed = Json::parse(spec).value_or(Json());
  if (!parsed.is_object() || !parsed.value("imported", false)) return nullptr;
  return std::unique_ptr<ImportedJudge>(new ImportedJudge(name, spec));
}

std::vector<std::vector<std::optional<Rating>>> ImportedJudge::rate(std::span<const Request> requests) const {
  std::vector<std::vector<std::optional<Rating>>> ratings;
  for (const Request& request : requests) ratings.emplace_back(request.claims.size());
  return ratings;
}

Explanation ImportedJudge::explain(std::string_view /*passage*/, std::string_view /*claim*/) const {
  throw Error(Code::kUsage, fmt::format("the judgments of {} were made elsewhere, without reasons", name_),
              "--judge lexical has explanations");
}

}  // namespace residue::query
