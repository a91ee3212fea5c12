#include "ingest/neighbours/choices.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace residue::ingest {
namespace {

constexpr std::size_t kMostNames = 8;     // that a message lists
constexpr std::size_t kLongestName = 80;  // of one of them, in bytes

bool shown(const std::string& name) {
  return !name.empty() && name.size() <= kLongestName &&
         std::ranges::all_of(name, [](unsigned char c) { return c > ' ' && c < 0x7f; });
}

bool is_number(const std::string& name) { return name.find_first_not_of("0123456789") == std::string::npos; }

}  // namespace

Choices::Choices(std::map<std::string, std::string> only, std::string file, std::string_view pseudo)
    : only_(std::move(only)), file_(std::move(file)), pseudo_(pseudo) {}

bool Choices::keeps(const Value& item) {
  for (const auto& [path, wanted] : only_) {
    if (path == pseudo_) continue;
    const Value* value = item.at(path);
    if (value != nullptr && value->items.empty() && value->text == wanted) continue;
    ++left_out_;
    return false;
  }
  return true;
}

bool Choices::keeps_time(std::uint64_t time) {
  const auto wanted = only_.find(pseudo_);
  if (wanted == only_.end() || wanted->second == std::to_string(time)) return true;
  ++left_out_;
  return false;
}

void Choices::see(std::string_view axis, std::string value) {
  auto seen = seen_.find(axis);
  if (seen == seen_.end()) seen = seen_.emplace(axis, std::set<std::string>()).first;
  seen->second.insert(std::move(value));
}

std::string Choices::names(std::string_view axis) const {
  const auto seen = seen_.find(axis);
  if (seen == seen_.end()) return {};
  std::vector<std::string> names(seen->second.begin(), seen->second.end());
  if (names.size() > kMostNames || !std::ranges::all_of(names, shown)) return {};
  if (std::ranges::all_of(names, is_number)) {
    std::ranges::sort(names, [](const std::string& a, const std::string& b) {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

void Choices::check(const std::vector<std::string_view>& order, std::string_view items) const {
  for (const std::string_view axis : order) {
    const auto seen = seen_.find(axis);
    if (seen == seen_.end() || seen->second.size() < 2) continue;
    const std::string list = names(axis);
    throw Error(Code::kUsage,
                fmt::format("{} has {} of {} values of {}{}{}", file_, items, seen->second.size(), axis,
                            list.empty() ? "" : ": ", list),
                fmt::format("choose one with --only {}={}; each can be a run of its own", axis,
                            list.empty() ? "VALUE" : list.substr(0, list.find(','))));
  }
}

std::string Choices::words() const {
  std::vector<std::string> words;
  for (const auto& [path, value] : only_) words.push_back(fmt::format("{}={}", path, shown(value) ? value : "..."));
  return fmt::format("{}", fmt::join(words, " and "));
}

}  // namespace residue::ingest
