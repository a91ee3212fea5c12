#include "cli/flags/context_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "base/error.h"
#include "base/nearest.h"
#include "storage/disk/files.h"
#include "text/characters/unicode.h"

namespace residue::cli {
namespace {

struct Field {
  const char* key;
  const char* shown;
};

// In the order of the page.
constexpr std::array kFields = {Field{"recipient", "recipient"},
                                Field{"release_type", "type of release"},
                                Field{"controls", "controls on access and use"},
                                Field{"purpose", "purpose"},
                                Field{"law", "law, policy, approval"},
                                Field{"background", "background knowledge considered"},
                                Field{"harm", "harm if somebody is found"},
                                Field{"conditions", "conditions"},
                                Field{"review", "to be looked at again"},
                                Field{"signed_by", "who signs"}};
constexpr std::string_view kThreshold = "threshold", kSource = "threshold_source";

[[noreturn]] void refuse(const std::string& file, const toml::source_region& where, const std::string& cause,
                         const std::string& remedy) {
  throw Error(Code::kBadInput, fmt::format("{}, line {}: {}", file, where.begin.line, cause), remedy);
}

std::vector<std::string> keys() {
  std::vector<std::string> all;
  for (const Field& field : kFields) all.emplace_back(field.key);
  all.emplace_back(kThreshold);
  all.emplace_back(kSource);
  return all;
}

std::string words(const std::string& file, const std::string& key, const toml::node& value) {
  const auto* text = value.as_string();
  if (text == nullptr) {
    refuse(file, value.source(), key + " is no text in quotes", fmt::format("write {} = \"...\"", key));
  }
  return text->get();
}

double share(const std::string& file, const toml::node& value) {
  const auto number = value.value<double>();
  if (!number || value.is_boolean() || !(*number >= 0 && *number <= 1)) {
    refuse(file, value.source(), "threshold is no number from 0 to 1", "write threshold = 0.09");
  }
  return *number;
}

}  // namespace

std::string context_keys() { return fmt::format("{}", fmt::join(keys(), ", ")); }

page::ReleaseContext parse_context(std::string_view toml, const std::string& file) {
  page::ReleaseContext context;
  std::map<std::string, std::string> said;
  try {
    const toml::table table = toml::parse(toml);
    for (const auto& [name, value] : table) {
      const std::string key(name.str());
      if (key == kThreshold) {
        context.threshold = share(file, value);
        continue;
      }
      const std::vector<std::string> known = keys();
      if (std::ranges::find(known, key) == known.end()) {
        refuse(file, name.source(),
               fmt::format("unknown key '{}'{}", text::escape_controls(key, text::Breaks::kEscape),
                           did_you_mean(key, known, 1)),
               fmt::format("the keys are {}", context_keys()));
      }
      said[key] = words(file, key, value);
    }
  } catch (const toml::parse_error& error) {
    refuse(file, error.source(), "this is no TOML",
           "write KEY = \"words\", a key once, for example recipient = \"...\"");
  }
  for (const Field& field : kFields) {
    if (const auto found = said.find(field.key); found != said.end()) {
      context.fields.emplace_back(field.shown, found->second);
    }
  }
  if (const auto found = said.find(std::string(kSource)); found != said.end()) context.threshold_source = found->second;
  if (context.threshold) {
    context.fields.emplace_back(
        "threshold for mean_risk and max_risk",
        fmt::format("{}{}", *context.threshold,
                    context.threshold_source.empty() ? ", nobody said whose it is" : ", " + context.threshold_source));
  }
  return context;
}

page::ReleaseContext read_context(const std::string& file) {
  try {
    return parse_context(storage::read_store_file(file), file);
  } catch (const Error& error) {
    if (error.code() != Code::kCorrupt) throw;
    throw Error(Code::kBadInput, file + " is no file, or larger than 1 MiB", "name a TOML file of some lines");
  }
}

}  // namespace residue::cli
