#include "ingest/rows/label_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/nearest.h"
#include "ingest/rows/source_base.h"
#include "text/characters/unicode.h"
#include "text/identifiers/recognizers.h"
#include "text/measures/attribute_match.h"
#include "text/support/categories.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kIdentifiers[] = {"DIRECT", "QUASI", "NO_MASK"};
constexpr std::string_view kLevels[] = {"country", "state", "city"};

constexpr std::string_view kTypes[] = {
    // Text Anonymization Benchmark
    "PERSON", "CODE", "LOC", "ORG", "DEM", "DATETIME", "QUANTITY", "MISC",
    // Amazon Comprehend
    "ADDRESS", "AGE", "AWS_ACCESS_KEY", "AWS_SECRET_KEY", "BANK_ACCOUNT_NUMBER", "BANK_ROUTING", "CREDIT_DEBIT_CVV",
    "CREDIT_DEBIT_EXPIRY", "CREDIT_DEBIT_NUMBER", "DATE_TIME", "DRIVER_ID", "EMAIL",
    "INTERNATIONAL_BANK_ACCOUNT_NUMBER", "IP_ADDRESS", "LICENSE_PLATE", "MAC_ADDRESS", "NAME", "PASSPORT_NUMBER",
    "PASSWORD", "PHONE", "PIN", "SSN", "SWIFT_CODE", "URL", "USERNAME", "VEHICLE_IDENTIFICATION_NUMBER",
    // Presidio
    "CREDIT_CARD", "CRYPTO", "DOMAIN_NAME", "EMAIL_ADDRESS", "GPE", "IBAN_CODE", "LOCATION", "MEDICAL_LICENSE", "NRP",
    "ORGANIZATION", "PHONE_NUMBER", "STREET_ADDRESS", "TITLE", "US_BANK_NUMBER", "US_DRIVER_LICENSE", "US_ITIN",
    "US_PASSPORT", "US_SSN", "ZIP_CODE"};

bool among(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

bool is_category(std::string_view word) {
  return among(word, text::category_names(text::CategoryList::kGeneral)) ||
         among(word, text::category_names(text::CategoryList::kMedical));
}

std::vector<std::string> all_categories() {
  const auto names = text::category_names(text::CategoryList::kMedical);
  std::vector<std::string> all(names.begin(), names.end());
  for (const std::string_view name : text::category_names(text::CategoryList::kGeneral)) {
    if (!among(name, names)) all.emplace_back(name);
  }
  return all;
}

[[noreturn]] void refuse(std::string_view field, std::string_view word, const std::vector<std::string>& known,
                         std::string remedy) {
  throw Refusal{fmt::format("field \"{}\" has an unknown name{}", field, did_you_mean(word, known)), std::move(remedy)};
}

}  // namespace

LabelWords::LabelWords(const LabelWordOptions& options) : map_(options.map), any_category_(options.any_category) {}

std::string LabelWords::mapped(const std::string& word) const {
  const auto found = map_.find(word);
  return found != map_.end() ? found->second : word;
}

std::vector<std::string> LabelWords::categories(std::vector<std::string> names) const {
  for (std::string& name : names) {
    const bool declared = map_.contains(name);
    name = mapped(name);
    if (!text::is_category_name(name)) {
      throw Refusal{"\"category\" has a name that leak_by_category uses for something else",
                    "a claim about no category has \"category\": []; give another name with --map-label OLD=NEW"};
    }
    if (declared || any_category_ || is_category(name)) continue;
    refuse("category", name, all_categories(), "map it with --map-label OLD=NEW, or add --any-category");
  }
  return names;
}

std::string LabelWords::attribute(const std::string& name) const {
  const auto known = text::attribute_names();
  std::string word = mapped(name);
  if (map_.contains(name) || among(word, known)) return word;
  refuse("attribute", word, {known.begin(), known.end()},
         "map it with --map-label OLD=NEW; --map-label NAME=NAME makes a new one known");
}

std::string LabelWords::identifier(const std::string& word) const {
  const std::string now = mapped(word);
  for (const std::string_view known : kIdentifiers) {
    if (text::lower(now) == text::lower(known)) return now;
  }
  throw Refusal{"field \"identifier\" has an unknown value",
                "write DIRECT, QUASI or NO_MASK, or map it with --map-label OLD=NEW"};
}

std::string LabelWords::level(const std::string& name) const {
  std::string word = mapped(name);
  if (map_.contains(name) || among(word, kLevels)) return word;
  refuse("level", word, {std::begin(kLevels), std::end(kLevels)},
         "write country, state or city, or map it with --map-label OLD=NEW");
}

LabelWords::Type LabelWords::type(const std::string& name) const {
  Type type{mapped(name), map_.contains(name)};
  const auto names_it = [&](const text::Recognizer& one) { return one.tag == type.name; };
  type.known = type.known || among(type.name, kTypes) || std::ranges::any_of(text::recognizers(), names_it);
  return type;
}

std::optional<std::string> LabelWords::rating(const std::string& word) const {
  const auto found = map_.find(word);
  return found != map_.end() ? std::optional(found->second) : std::nullopt;
}

}  // namespace residue::ingest
