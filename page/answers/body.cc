#include "page/answers/body.h"

#include <fmt/format.h>
#include <utility>

#include "base/error.h"

namespace residue::page {
namespace {

[[noreturn]] void wrong(std::string_view name, std::string_view kind) {
  throw Error(Code::kUsage, fmt::format("{} is no {}", name, kind), "a JSON object with these members is expected");
}

const Json* given(const Json& said, std::string_view name) {
  const Json* const found = said.find(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

}  // namespace

Body::Body(const Request& request) {
  auto said = Json::parse(request.body);
  if (!said || !said->is_object()) wrong("the body", "JSON object");
  said_ = std::move(*said);
}

std::string Body::text(std::string_view name) const {
  auto found = text_or_none(name);
  if (!found) wrong(name, "text");
  return *found;
}

std::int64_t Body::whole(std::string_view name) const {
  const Json* const found = given(said_, name);
  if (found == nullptr || !found->is_integer()) wrong(name, "whole number");
  try {
    return found->get<std::int64_t>();
  } catch (const JsonError&) {
    wrong(name, "whole number");
  }
}

std::optional<std::string> Body::text_or_none(std::string_view name) const {
  const Json* const found = given(said_, name);
  if (found == nullptr) return std::nullopt;
  if (!found->is_string()) wrong(name, "text");
  return found->get<std::string>();
}

std::optional<double> Body::number(std::string_view name) const {
  const Json* const found = given(said_, name);
  if (found == nullptr) return std::nullopt;
  if (!found->is_number()) wrong(name, "number");
  return found->get<double>();
}

bool Body::yes(std::string_view name, bool otherwise) const {
  const Json* const found = given(said_, name);
  if (found == nullptr) return otherwise;
  if (!found->is_boolean()) wrong(name, "true or false");
  return found->get<bool>();
}

}  // namespace residue::page
