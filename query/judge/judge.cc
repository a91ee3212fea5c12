#include "query/judge/judge.h"

#include <array>

#include "base/error.h"
#include "query/judge/lexical_judge.h"
#include "query/judge/rouge_judge.h"

namespace residue::query {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"lexical", kLexicalWordNet, "rouge"};

}  // namespace

std::span<const std::string_view> judge_names() { return kNames; }

std::unique_ptr<Judge> make_judge(std::string_view name) {
  if (name == "lexical") return std::make_unique<LexicalJudge>();
  if (name == kLexicalWordNet) return std::make_unique<LexicalJudge>(installed_dictionary());
  if (name == "rouge") return std::make_unique<RougeJudge>();
  std::string known;
  for (const auto known_name : kNames) {
    if (!known.empty()) known += ", ";
    known += known_name;
  }
  throw Error(Code::kNotFound, "no judge named '" + std::string(name) + "'", "the judges are: " + known);
}

std::unique_ptr<Judge> installed_judge(std::string_view name) {
  try {
    return make_judge(name);
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound) throw;
    return nullptr;
  }
}

}  // namespace residue::query
