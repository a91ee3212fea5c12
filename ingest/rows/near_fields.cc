#include "ingest/rows/near_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/ascii.h"
#include "base/nearest.h"

namespace residue::ingest {
namespace {

constexpr std::size_t kLongestName = 32;
constexpr std::size_t kMostNames = 200;
constexpr std::size_t kLongName = 6;  // letters from which two edits are a slip

std::string letters(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (is_upper(c)) out.push_back(static_cast<char>(c + 32));
    if (is_lower(c) || is_digit(c)) out.push_back(c);
  }
  return out;
}

// Names that others give to what is called so here.
std::span<const std::string_view> other_words(std::string_view field) {
  static constexpr std::string_view kPerson[] = {
      "personid", "patient",    "patientid",   "subject",       "subjectid",  "user",       "userid",    "username",
      "author",   "authorid",   "participant", "participantid", "individual", "respondent", "client",    "clientid",
      "customer", "customerid", "personkey",   "pid",           "speaker",    "employee",   "employeeid"};
  static constexpr std::string_view kError[] = {"errormessage", "exception", "failure", "failed"};
  static constexpr std::string_view kCategory[] = {"categories"};
  static constexpr std::string_view kAnnotator[] = {"rater", "coder", "labeler", "labeller", "annotatorid", "reviewer"};
  static constexpr std::string_view kSubstitutions[] = {"replacements", "mapping", "mappings"};
  if (field == "person") return kPerson;
  if (field == "error") return kError;
  if (field == "category") return kCategory;
  if (field == "annotator") return kAnnotator;
  if (field == "substitutions") return kSubstitutions;
  return {};
}

bool can_be_said(std::string_view name) {
  return name.size() <= kLongestName && std::count(name.begin(), name.end(), ' ') < 3 &&
         std::ranges::all_of(
             name, [](char c) { return is_alpha(c) || is_digit(c) || c == '_' || c == '-' || c == '.' || c == ' '; });
}

bool is_near(std::string_view field, std::string_view name) {
  const std::string ours = letters(field), theirs = letters(name);
  if (theirs.empty() || !can_be_said(name)) return false;
  if (ours == theirs || std::ranges::find(other_words(field), theirs) != other_words(field).end()) return true;
  const std::size_t edits = ours.size() >= kLongName ? 2 : 1;
  return ours.size() > 3 && theirs.size() > 3 && edit_distance(ours, theirs) <= edits;
}

}  // namespace

bool same_letters(std::string_view a, std::string_view b) { return letters(a) == letters(b); }

std::optional<std::string> near_field(std::string_view field, std::span<const Value> keys) {
  for (const Value& value : keys) {
    if (same_letters(field, value.key) && can_be_said(value.key)) return std::string(value.key);
  }
  for (const Value& value : keys) {
    if (is_near(field, value.key)) return std::string(value.key);
  }
  return std::nullopt;
}

bool header_is_a_row(const InputRow& row) {
  if (row.typed) return false;
  return std::ranges::any_of(row.object.items, [](const Value& value) {
    const std::string_view name = value.key;
    const bool number = std::ranges::all_of(name, [](char c) { return is_digit(c) || c == '.'; });
    return number || name.size() > kLongestName || name.ends_with('.') || std::count(name.begin(), name.end(), ' ') > 2;
  });
}

void PassedOver::take(std::string_view path) {
  if (!path.empty()) taken_.emplace_back(path.substr(0, path.find('.')));
}

bool PassedOver::see(const InputRow& row) {
  std::size_t hash = row.object.items.size();
  for (const Value& item : row.object.items) hash = hash * 31 + std::hash<std::string_view>()(item.key);
  if (hash == last_) return false;
  last_ = hash;
  for (const Value& item : row.object.items) {
    if (names_.size() < kMostNames && std::ranges::find(names_, item.key) == names_.end())
      names_.emplace_back(item.key);
  }
  return true;
}

std::vector<std::string> PassedOver::notes() const {
  std::vector<std::string> notes;
  std::vector<Value> others;
  const auto read = [&](std::string_view name) {
    return std::ranges::find(fields_, name) != fields_.end() || std::ranges::find(taken_, name) != taken_.end();
  };
  for (const std::string& name : names_) {
    if (read(name)) continue;
    others.emplace_back().key = name;
  }
  for (const std::string_view field : fields_) {
    if (std::ranges::find(names_, field) != names_.end() || std::ranges::find(taken_, field) != taken_.end()) continue;
    const auto near = near_field(field, others);
    if (!near) continue;
    const bool quoted = near->find(' ') != std::string::npos;
    notes.push_back(fmt::format("\"{}\" is {}, and no field is called \"{}\": --map {}{}={}{} reads it as that", *near,
                                what_, field, quoted ? "'" : "", field, *near, quoted ? "'" : ""));
  }
  return notes;
}

}  // namespace residue::ingest
