#include "query/judge.h"

#include <array>

#include "base/error.h"
#include "query/lexical_judge.h"
#include "query/rouge_judge.h"

namespace residue::query {
namespace {

constexpr std::array<std::string_view, 2> kNames = {"lexical", "rouge"};

}  // namespace

std::span<const std::string_view> judge_names() { return kNames; }

std::unique_ptr<Judge> make_judge(std::string_view name) {
  if (name == "lexical") return std::make_unique<LexicalJudge>();
  if (name == "rouge") return std::make_unique<RougeJudge>();
  std::string known;
  for (const auto known_name : kNames) {
    if (!known.empty()) known += ", ";
    known += known_name;
  }
  throw Error(Code::kNotFound, "no judge named '" + std::string(name) + "'", "the judges are: " + known);
}

}  // namespace residue::query
