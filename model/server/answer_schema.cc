#include "model/server/answer_schema.h"

#include <algorithm>
#include <string>

namespace residue::model {
namespace {

Json ordered(const Json& json, bool names_fields) {
  Json copy = json;
  for (Json& element : copy) element = ordered(element, false);
  if (!copy.is_object()) return copy;
  for (Json::Member& member : copy.items()) {
    member.value = ordered(member.value, !names_fields && member.key == "properties");
  }
  if (!names_fields) std::ranges::sort(copy.items(), {}, &Json::Member::key);
  return copy;
}

}  // namespace

Json schema_as_sent(const Json& schema) { return ordered(schema, false); }

Json schema_in_spec(const Json& schema) {
  const std::string sent = schema_as_sent(schema).dump();
  return sent == schema.sorted().dump() ? schema : Json(sent);
}

}  // namespace residue::model
