#include "query/judge/verbatim.h"

namespace residue::query {

std::optional<Rating> rate_verbatim(std::string_view passage, std::string_view claim) {
  static constexpr std::string_view kBlank = " \t\r\n\f\v";
  const auto begin = claim.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return std::nullopt;
  claim = claim.substr(begin, claim.find_last_not_of(kBlank) + 1 - begin);
  for (const std::string_view stop : {".", "\xE3\x80\x82"}) {
    if (claim.size() > stop.size() && claim.ends_with(stop)) claim.remove_suffix(stop.size());
  }
  return passage.find(claim) == std::string_view::npos ? Rating{3, 0.0} : Rating{1, 1.0};
}

}  // namespace residue::query
