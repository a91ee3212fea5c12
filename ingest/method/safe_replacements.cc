#include "ingest/method/safe_replacements.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "text/characters/accents.h"
#include "text/characters/as_read.h"
#include "text/characters/unicode.h"
#include "text/following/names_in_use.h"
#include "text/following/record_words.h"
#include "text/identifiers/name_lists.h"
#include "text/identifiers/recognizers.h"

namespace residue::ingest {
namespace {

constexpr std::size_t kLongestType = 32;
// A shorter name may be part of another word: "Ann" in "annual".
constexpr std::size_t kLongName = 4;

// What models and taggers call what they find (CoNLL, OntoNotes, Presidio, Azure, AWS).
constexpr auto kUsualTypes = std::to_array<std::string_view>({"per",        "person",
                                                              "name",       "loc",
                                                              "location",   "place",
                                                              "gpe",        "city",
                                                              "country",    "state",
                                                              "region",     "org",
                                                              "fac",        "organization",
                                                              "company",    "organisation",
                                                              "misc",       "norp",
                                                              "law",        "product",
                                                              "event",      "language",
                                                              "date",       "datetime",
                                                              "time",       "year",
                                                              "age",        "money",
                                                              "percent",    "quantity",
                                                              "ordinal",    "cardinal",
                                                              "number",     "id",
                                                              "code",       "address",
                                                              "street",     "phone",
                                                              "email",      "url",
                                                              "user",       "username",
                                                              "title",      "nationality",
                                                              "gender",     "profession",
                                                              "job",        "occupation",
                                                              "disease",    "drug",
                                                              "family",     "relationship",
                                                              "health",     "religion",
                                                              "work",       "art",
                                                              "education",  "contact",
                                                              "masked",     "disclosure",
                                                              "account",    "license",
                                                              "card",       "of",
                                                              "pers",       "patient",
                                                              "doctor",     "hospital",
                                                              "hosp",       "staff",
                                                              "firstname",  "lastname",
                                                              "surname",    "givenname",
                                                              "middlename", "fullname",
                                                              "first",      "last",
                                                              "given",      "middle",
                                                              "full",       "vendor",
                                                              "town",       "county",
                                                              "b",          "i"});

bool is_usual(std::string_view word) {
  return std::ranges::find(kUsualTypes, word) != kUsualTypes.end() || text::entity_type(word).has_value();
}

std::string known(std::string word) {
  if (auto bare = text::without_accents(word)) return std::move(*bare);
  return word;
}

bool stands_in(const std::vector<std::string>& said, const std::vector<std::string>& words) {
  return !words.empty() && !std::ranges::search(said, words).empty();
}

}  // namespace

bool is_telling(std::string_view written, std::string_view word, bool first) {
  if (std::ranges::any_of(word, is_digit)) return true;
  using text::NameBits;
  const auto& lists = text::NameLists::own();
  const NameBits bits = lists.bits_of(written);
  if (bits.has(NameBits::kWord)) return !first && text::lower(written) != written && text::code_points(word) > 2;
  if (bits.has(NameBits::kFirst | NameBits::kLast | NameBits::kPlace | NameBits::kOrganisation)) return true;
  if (text::lower(written) == written) return false;
  text::RecordWord unknown;
  unknown.written = text::WordCase::kTitle;
  unknown.key = unknown.exact = word;
  return first ? text::is_unknown_name(unknown, lists) && !word.ends_with("ed") : text::code_points(word) > 1;
}

std::string safe_type(std::string_view small_text, const std::string& tagged) {
  // "B-PER": where a name begins and goes on.
  const std::string begins = text::lower(tagged.substr(0, 2));
  const std::string type = begins == "b-" || begins == "i-" ? tagged.substr(2) : tagged;
  const auto may = [](char c) { return is_alpha(c) || is_digit(c) || c == '_'; };
  if (type.empty() || type.size() > kLongestType || !std::ranges::all_of(type, may)) return "masked";
  const std::string small = text::lower(type);
  if (is_usual(small)) return type;
  for (std::size_t begin = 0; begin < small.size();) {
    const std::size_t end = std::min(small.find('_', begin), small.size());
    const std::string_view word = std::string_view(small).substr(begin, end - begin);
    if (!word.empty() && !is_usual(word) && small_text.find(word) != std::string_view::npos) return "masked";
    begin = end + 1;
  }
  return type;
}

bool repeats_words(std::string_view phrase, std::string_view words) {
  std::vector<std::string> said, all;
  for (text::ReadToken& token : text::read_tokens(phrase)) said.push_back(known(std::move(token.word)));
  const std::vector<text::ReadToken> tokens = text::read_tokens(words);
  for (const text::ReadToken& token : tokens) all.push_back(known(token.word));
  if (all.empty()) return !words.empty() && phrase.find(words) != std::string_view::npos;
  if (stands_in(said, all)) return true;
  const std::string read = known(text::as_read(phrase));
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const bool number = std::ranges::any_of(all[i], is_digit);
    const bool there = !number && all[i].size() >= kLongName ? read.find(all[i]) != std::string::npos
                                                             : std::ranges::find(said, all[i]) != said.end();
    if (there && is_telling(text::slice(words, tokens[i].span), all[i], i == 0)) return true;
  }
  return false;
}

}  // namespace residue::ingest
