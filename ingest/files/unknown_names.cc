#include "ingest/files/unknown_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/nearest.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"

namespace residue::ingest {
namespace {

constexpr std::size_t kLooks = 200;
constexpr std::string_view kDigits = "0123456789";

bool digit(char c) { return kDigits.find(c) != std::string_view::npos; }

// Without the zeros that numbers in it begin with.
std::string without_zeros(std::string_view key) {
  std::string out;
  for (std::size_t i = 0; i < key.size(); ++i) {
    const bool begins = key[i] == '0' && (i == 0 || !digit(key[i - 1]) || (!out.empty() && !digit(out.back())));
    if (begins && i + 1 < key.size() && digit(key[i + 1])) continue;
    out += key[i];
  }
  return out;
}

std::string without_digits(std::string_view key) {
  std::string out;
  for (const char c : key) {
    if (!digit(c)) out += c;
  }
  return out;
}

std::string_view trimmed(std::string_view key) {
  const std::size_t begin = key.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return key.substr(begin, key.find_last_not_of(" \t\r\n") + 1 - begin);
}

std::string ordinal(std::size_t n) {
  const std::size_t tens = n % 100;
  const char* end = tens >= 11 && tens <= 13 ? "th"
                    : n % 10 == 1            ? "st"
                    : n % 10 == 2            ? "nd"
                    : n % 10 == 3            ? "rd"
                                             : "th";
  return fmt::format("{}{}", n, end);
}

// Of characters, not of bytes, up to and with the one at byte `at`.
std::size_t characters(std::string_view key, std::size_t at) {
  return static_cast<std::size_t>(
      std::count_if(key.begin(), key.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                    [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::optional<std::string> difference(std::string_view key, std::string_view nearest) {
  if (trimmed(key) == trimmed(nearest)) return "differs in the white space around it alone";
  if (edit_distance(key, nearest) == 0) return "differs in upper and lower case alone";
  if (without_zeros(key) == without_zeros(nearest)) return "differs in the zeros before a number alone";
  if (without_digits(key) == without_digits(nearest)) return std::nullopt;
  const std::size_t edits = edit_distance(key, nearest);
  if (edits > 1) return fmt::format("differs in {} characters", edits);
  const auto [a, b] = std::mismatch(key.begin(), key.end(), nearest.begin(), nearest.end());
  if (nearest.size() > key.size()) {
    const auto at = static_cast<std::size_t>(b - nearest.begin());
    return fmt::format("has one character more, the {}", ordinal(characters(nearest, at)));
  }
  const auto at = static_cast<std::size_t>(a - key.begin());
  if (nearest.size() < key.size()) return fmt::format("lacks one character, the {}", ordinal(characters(key, at)));
  return fmt::format("has another {} character", ordinal(characters(key, at)));
}

Problem UnknownNames::record(std::string_view key, std::string remedy) {
  Problem problem{fmt::format("no record with this id in dataset {}", dataset_), std::move(remedy)};
  if (looked_++ >= kLooks) return problem;
  if (keys_.empty()) {
    storage::Statement all = db_.prepare(storage::sql::kRecordFirstKeysInOrder);
    all.bind(storage::find_dataset(db_, dataset_));
    while (all.step()) keys_.emplace_back(all.text(0));
  }
  for (const std::string& near : nearest(key, keys_, 1)) {
    if (const auto how = difference(key, near)) problem.cause += fmt::format(": the nearest id {}", *how);
  }
  return problem;
}

Problem UnknownNames::run(std::string_view name) {
  std::vector<std::string> names;
  storage::Statement all = db_.prepare(storage::sql::kRunNamesInOrder);
  all.bind(storage::find_dataset(db_, dataset_));
  while (all.step()) names.emplace_back(all.text(0));
  return {fmt::format("no run with this name in dataset {}{}", dataset_, did_you_mean(name, names)),
          "ingest the run first"};
}

Problem UnknownNames::claim(RecordId record, const std::optional<std::string>& set) {
  storage::Statement count = db_.prepare(storage::sql::kClaimHighestNumberOfRecord);
  const std::int64_t last = count.bind(record, set).step() ? count.integer(0) : 0;
  return {last == 0 ? "the record has no claim with this number: it has none"
                    : fmt::format("the record has no claim with this number: its last one is {}", last),
          "ingest its claims first, or name their set with --set"};
}

}  // namespace residue::ingest
