#include "base/nearest.h"

#include <algorithm>
#include <utility>

namespace residue {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool begins_with(std::string_view name, std::string_view prefix) {
  return name.size() >= prefix.size() &&
         std::equal(prefix.begin(), prefix.end(), name.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + change});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::vector<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates, std::size_t max) {
  const std::size_t limit = std::max<std::size_t>(2, name.size() / 3);
  std::vector<std::pair<std::size_t, std::size_t>> found;  // (distance, position)
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    std::size_t distance = edit_distance(name, candidates[i]);
    if (distance > limit && name.size() >= 2 && begins_with(candidates[i], name)) distance = limit;
    if (distance <= limit && distance < std::min(name.size(), candidates[i].size())) found.emplace_back(distance, i);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> result;
  for (const auto& [distance, position] : found) {
    if (result.size() == max) break;
    result.push_back(candidates[position]);
  }
  return result;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates, std::size_t max) {
  const std::vector<std::string> names = nearest(name, candidates, max);
  if (names.empty()) return {};
  std::string result = "; did you mean ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) result += i + 1 == names.size() ? " or " : ", ";
    result += '"' + names[i] + '"';
  }
  return result + "?";
}

}  // namespace residue
