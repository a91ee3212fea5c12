#include "text/words/abbreviations.h"

#include <algorithm>
#include <array>

#include "text/words/sentences.h"

namespace residue::text {
namespace {

// Three groups, each sorted.
constexpr std::array<std::string_view, 122> kAbbreviations{
    // kJoins
    "adm.", "approx.", "attn.", "brig.", "c.f.", "ca.", "capt.", "cf.", "cmdr.", "cmdt.", "col.", "cpl.", "dr.", "drs.",
    "e.g.", "eg.", "esp.", "fr.", "gen.", "gov.", "hon.", "i.e.", "ie.", "incl.", "lt.", "maj.", "messrs.", "mlle.",
    "mme.", "mr.", "mrs.", "ms.", "mt.", "mx.", "pres.", "prof.", "pvt.", "r/o.", "rep.", "resp.", "rev.", "sen.",
    "sgt.", "sr.", "supt.", "viz.", "vs.", "w.r.t.",
    // kBeforeNumber
    "apr.", "art.", "aug.", "chap.", "dec.", "eq.", "feb.", "fig.", "figs.", "jan.", "jul.", "jun.", "mar.", "no.",
    "nos.", "nov.", "nr.", "oct.", "op.", "p.", "pp.", "ref.", "refs.", "sec.", "sect.", "sep.", "sept.", "tab.",
    "tel.", "v.", "vol.", "vols.",
    // kMayEnd
    "a.d.", "a.m.", "al.", "ave.", "b.c.", "b.i.d.", "b.sc.", "bid.", "blvd.", "bros.", "co.", "corp.", "d.c.", "d.o.",
    "dept.", "est.", "etc.", "h.s.", "i.m.", "i.v.", "inc.", "jr.", "llc.", "ltd.", "m.d.", "m.sc.", "n.b.", "n.p.o.",
    "p.m.", "p.o.", "p.r.n.", "ph.d.", "q.d.", "q.h.", "q.i.d.", "r.n.", "s.c.", "st.", "t.i.d.", "u.k.", "u.s.",
    "u.s.a."};

constexpr auto kSecond = std::find(kAbbreviations.begin(), kAbbreviations.end(), std::string_view("apr."));
constexpr auto kThird = std::find(kAbbreviations.begin(), kAbbreviations.end(), std::string_view("a.d."));
static_assert(std::is_sorted(kAbbreviations.begin(), kSecond) && std::is_sorted(kSecond, kThird) &&
              std::is_sorted(kThird, kAbbreviations.end()));

constexpr std::array<std::string_view, 62> kStarters{
    "a",    "after", "all",       "also",    "although", "an",        "and",     "as",   "at",    "because", "before",
    "both", "but",   "currently", "despite", "during",   "each",      "finally", "for",  "from",  "he",      "her",
    "here", "his",   "how",       "however", "i",        "if",        "in",      "it",   "its",   "later",   "many",
    "most", "my",    "no",        "now",     "on",       "our",       "overall", "she",  "since", "so",      "some",
    "that", "the",   "their",     "then",    "there",    "these",     "they",    "this", "those", "today",   "we",
    "what", "when",  "where",     "while",   "why",      "yesterday", "you"};
static_assert(std::is_sorted(kStarters.begin(), kStarters.end()));

}  // namespace

std::span<const std::string_view> abbreviations() { return kAbbreviations; }

std::optional<Abbreviation> abbreviation(std::string_view word) {
  if (std::binary_search(kAbbreviations.begin(), kSecond, word)) return Abbreviation::kJoins;
  if (std::binary_search(kSecond, kThird, word)) return Abbreviation::kBeforeNumber;
  if (std::binary_search(kThird, kAbbreviations.end(), word)) return Abbreviation::kMayEnd;
  return std::nullopt;
}

bool begins_sentences(std::string_view word) { return std::binary_search(kStarters.begin(), kStarters.end(), word); }

}  // namespace residue::text
