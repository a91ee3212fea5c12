// The JSON that an answer is, or has among words: one reader for every task.
//
//   "Here is the answer:\n```json\n{...}\n```\nI hope this helps." ──> {...}
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/json.h"

namespace residue::model {

struct AnswerJson {
  std::optional<Json> json;     // none: there is no JSON, or nobody can tell which of several is meant
  bool repeated = false;        // an object in it has a key twice: readers differ in which one counts
  std::string_view whole;       // of `content`, without what is taken off everywhere (unwrapped)
  std::string_view value = {};  // the part of `whole` that is the JSON
};

// What `content` is after reasoning and a fence around it are taken off; else what stands in the one code fence that
// has JSON in it; else the one object among words. Of a list among words it cannot be told where it begins.
AnswerJson json_in(std::string_view content);

// What stands around the JSON.
std::string words_around(const AnswerJson& answer);

// The same of an answer that may be free text: JSON only where the answer begins like it, or where it is an object that
// has every required field of `schema` and no text that was asked about (`has_braces`) could have lent it.
AnswerJson json_in_free(std::string_view content, const Json& schema, bool has_braces);

}  // namespace residue::model
