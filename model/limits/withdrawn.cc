#include "model/limits/withdrawn.h"

#include <fmt/format.h>

namespace residue::model {

std::string words(const Withdrawn& withdrawn) {
  std::string all;
  const auto add = [&](std::uint64_t count, const char* before, const char* one, const char* many) {
    if (count == 0) return;
    all += fmt::format("{}{}{} {}", all.empty() ? "" : ", ", before, count, count == 1 ? one : many);
  };
  add(withdrawn.judgments, "", "judgment", "judgments");
  add(withdrawn.checks, "the checks of ", "passage", "passages");
  add(withdrawn.answers, "", "answer about a text", "answers about texts");
  add(withdrawn.claims, "the claims of ", "text", "texts");
  return all;
}

}  // namespace residue::model
