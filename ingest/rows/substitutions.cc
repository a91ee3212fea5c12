#include "ingest/rows/substitutions.h"

#include "base/json.h"

namespace residue::ingest {
namespace {

[[noreturn]] void refuse() {
  throw Refusal{"the substitutions cannot be used", "\"substitutions\": [[\"Ann\", \"Ruth\"], [\"Oslo\", \"Bergen\"]]"};
}

std::string side(const Json& value) {
  if (!value.is_string() || value.string().empty()) refuse();
  return value.get<std::string>();
}

Json pair_of(const Json& one) {
  if (one.is_array() && one.size() == 2) return {side(one[0]), side(one[1])};
  if (!one.is_object() || !one.contains("original") || !one.contains("replacement")) refuse();
  return {side(one["original"]), side(one["replacement"])};
}

}  // namespace

std::string canonical_substitutions(const Value& value) {
  const bool spelled = value.is(Value::Kind::kString);
  const Json json = Json::parse(spelled ? std::string(value.text) : canonical(value)).value_or(Json());
  Json pairs = Json::array();
  if (json.is_object()) {
    for (const auto& [original, replacement] : json.sorted().items()) {
      if (original.empty()) refuse();
      pairs.push_back({original, side(replacement)});
    }
  } else if (json.is_array()) {
    for (const Json& one : json) pairs.push_back(pair_of(one));
  } else {
    refuse();
  }
  return pairs.dump();
}

}  // namespace residue::ingest
