#include "ingest/batches/label_subject.h"

#include <array>

#include "base/json.h"

namespace residue::ingest {
namespace {

// Empty names are none.
constexpr std::array<std::string_view, 3> fields_of(std::string_view kind) {
  if (kind == "support") return {"claim", "claim_text", "passage"};
  if (kind == "category") return {"claim", "claim_text"};
  if (kind == "attribute") return {"attribute"};
  if (kind == "span") return {"start", "end"};
  if (kind == "entity") return {"entity"};
  return {};
}

}  // namespace

std::string label_subject(std::string_view kind, const Json& payload) {
  Json subject = Json::object();
  const auto take = [&](std::string_view name) {
    if (const Json* found = payload.find(name)) subject[name] = *found;
  };
  take("annotator");
  take("run");
  // What a word tells is said beside the mentions that it lies in.
  if (kind == "span" && payload.contains("weight")) subject["of"] = "weight";
  for (const std::string_view name : fields_of(kind)) take(name);
  return subject.sorted().dump();
}

}  // namespace residue::ingest
