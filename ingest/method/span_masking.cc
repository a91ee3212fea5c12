#include "ingest/method/span_masking.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "text/characters/unicode.h"
#include "text/identifiers/name_lists.h"
#include "text/identifiers/recognizers.h"

namespace residue::ingest {
namespace {

struct MaskingName {
  std::string_view name;
  Masking value;
};
constexpr std::array kMaskings{MaskingName{"tag", Masking::kTag}, MaskingName{"stars", Masking::kStars},
                               MaskingName{"token", Masking::kToken}};

constexpr std::string_view kFirm = "organisation";

// "medical record" is tagged MEDICAL_RECORD.
std::string tag_of(std::string_view type) {
  std::string tag;
  for (const char c : type) {
    tag += c == ' ' ? '_' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return tag;
}

// What stands in brackets in `text`, brackets included: tags that it has already. Cost: one pass.
std::set<std::string_view> bracketed(std::string_view text) {
  std::set<std::string_view> found;
  std::size_t open = std::string_view::npos;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '[') open = i;
    if (text[i] != ']' || open == std::string_view::npos) continue;
    if (text[i - 1] >= '0' && text[i - 1] <= '9') found.insert(text.substr(open, i + 1 - open));
    open = std::string_view::npos;
  }
  return found;
}

// Numbers the words of one record, per type, in order of appearance. Tags that the text has already are left out.
class Numbers {
 public:
  explicit Numbers(std::string_view text) : taken_(bracketed(text)) {}

  // The tag of `words`.
  const std::string& of(const std::string& type, std::string_view words) {
    auto& [tags, last] = by_type_[type];
    const auto [at, fresh] = tags.try_emplace(std::string(words));
    while (fresh && (at->second.empty() || taken_.contains(at->second)))
      at->second = fmt::format("[{}_{}]", tag_of(type), ++last);
    return at->second;
  }

 private:
  struct OfType {
    std::map<std::string, std::string> tags;
    std::size_t last = 0;
  };
  std::map<std::string, OfType> by_type_;
  std::set<std::string_view> taken_;
};

// The bytes of a firm's words that its number stands for. Those of a legal form stay behind it where the form could be
// no name by itself: "AG and Hospital" is one to scrub.
std::size_t numbered_part(std::string_view text, const MaskedSpan& span) {
  constexpr std::size_t kNear = 80;
  const std::size_t size = span.end - span.begin;
  const std::size_t stem = text::without_legal_form(text.substr(span.begin, size));
  if (stem == size || stem == 0) return size;
  const auto found = text::recognize(text.substr(span.begin + stem, size - stem + kNear));
  return found.empty() || found[0].begin >= size - stem ? stem : size;
}

// The firms of the text that have several names, with and without a legal form.
std::set<std::string_view> firms_of_several_names(std::string_view text, const std::vector<MaskedSpan>& spans) {
  std::map<std::string_view, std::string_view> names;
  std::set<std::string_view> several;
  for (const MaskedSpan& span : spans) {
    if (span.type != kFirm) continue;
    const std::string_view words = text.substr(span.begin, span.end - span.begin);
    const std::string_view stem = words.substr(0, numbered_part(text, span));
    const auto [at, fresh] = names.try_emplace(stem, words);
    if (!fresh && at->second != words) several.insert(stem);
  }
  return several;
}

// Sorted and disjoint.
std::vector<MaskedSpan> merged(std::vector<MaskedSpan> spans) {
  std::ranges::stable_sort(spans, [](const MaskedSpan& a, const MaskedSpan& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  std::vector<MaskedSpan> out;
  for (MaskedSpan& span : spans) {
    if (span.begin == span.end && !span.with) continue;
    if (!out.empty() && span.begin < out.back().end) {
      out.back().end = std::max(out.back().end, span.end);
    } else {
      out.push_back(std::move(span));
    }
  }
  return out;
}

}  // namespace

Masking masking_named(std::string_view name, std::string_view method) {
  const auto* row = std::ranges::find(kMaskings, name, &MaskingName::name);
  if (row != kMaskings.end()) return row->value;
  throw Error(Code::kUsage, fmt::format("{}: unknown replacement '{}'", method, name),
              "use replacement=tag, stars or token");
}

std::string_view name_of(Masking masking) { return kMaskings[static_cast<std::size_t>(masking)].name; }

SanitizeOutput mask(std::string_view text, std::vector<MaskedSpan> spans, Masking masking) {
  SanitizeOutput output;
  std::string& clean = output.text.emplace();
  clean.reserve(text.size());
  Numbers numbers(masking == Masking::kToken ? text : std::string_view());
  std::size_t done = 0;
  spans = merged(std::move(spans));
  const auto firms = masking == Masking::kToken ? firms_of_several_names(text, spans) : std::set<std::string_view>();
  for (MaskedSpan& span : spans) {
    const std::string_view words = text.substr(span.begin, span.end - span.begin);
    std::string with;
    const bool stands = span.with.has_value() || masking == Masking::kToken;
    if (span.with) {
      with = *std::move(span.with);
    } else if (masking == Masking::kStars) {
      with.assign(text::code_points(words), '*');
    } else if (masking == Masking::kToken) {
      std::size_t part = words.size();
      if (!firms.empty() && span.type == kFirm) part = numbered_part(text, span);
      if (!firms.contains(words.substr(0, part))) part = words.size();
      with = numbers.of(span.type, words.substr(0, part));
      with += words.substr(part);
    } else {
      with = fmt::format("[{}]", tag_of(span.type));
    }
    clean.append(text.substr(done, span.begin - done)).append(with);
    done = span.end;
    output.spans.push_back({span.begin, span.end, std::move(span.type), std::move(with), stands});
  }
  clean.append(text.substr(done));
  return output;
}

std::optional<std::string> substitutions_of(const SanitizeOutput& output, std::string_view original) {
  std::map<std::string_view, std::string_view> words;  // by replacement; empty: several
  for (const Replacement& one : output.spans) {
    if (!one.stands || one.with.empty()) continue;
    const std::string_view said = original.substr(one.begin, one.end - one.begin);
    const auto [at, fresh] = words.try_emplace(one.with, said);
    if (!fresh && at->second != said) at->second = {};
  }
  Json table = Json::array();
  for (const Replacement& one : output.spans) {
    const auto found = one.stands ? words.find(one.with) : words.end();
    if (found == words.end()) continue;
    if (!found->second.empty()) table.push_back({found->second, found->first});
    words.erase(found);
  }
  return table.empty() ? std::nullopt : std::optional(table.dump());
}

std::optional<std::string> span_table(const SanitizeOutput& output) {
  Json table = Json::array();
  for (const Replacement& one : output.spans) table.push_back({one.begin, one.end, one.type, one.with});
  return table.empty() ? std::nullopt : std::optional(table.dump());
}

}  // namespace residue::ingest
