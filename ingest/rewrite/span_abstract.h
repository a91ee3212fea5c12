// Self-disclosures found by a model, each replaced by a more general phrase (FSP C.1 "span sanitization", after Dou et
// al., by prompts instead of their trained models).
//
//   text ─> find ─> passages ─> where they stand ─> abstract (text, passage) ─> the first phrase
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/method/sanitizer.h"
#include "ingest/method/span_masking.h"

namespace residue::ingest {

inline constexpr std::string_view kSpanAbstractAsks[] = {"find", "abstract"};

struct Passage {
  std::string text, type;
};

// What a model found, of an answer to the tasks disclosures and identifiers.
struct FoundPassages {
  std::vector<Passage> passages;
  std::uint64_t lost = 0;  // that are not in the text
};
FoundPassages passages_of(const std::string& answer);

// Where these passages of a text stand, in order and disjoint; `with` is not set. A passage stands wherever it is
// whole words (text/restoration.h). Passages that overlap are one, of the type of the first. Cost: passages times text.
std::vector<MaskedSpan> passages_in(std::string_view text, std::span<const Passage> passages);

// An output's spans are the passages with their phrases. A text in which nothing is found stays as it is. So does a
// passage that the model did not copy from the text, or that there is no usable phrase for: masked, its failure would
// look like privacy. A passage all phrases for which say words of it (method/safe_replacements.h) becomes a tag of its
// type. notes() counts these; a record none of whose passages could be replaced has failed.
std::unique_ptr<Sanitizer> make_span_abstract(const SanitizerSetting& setting);

}  // namespace residue::ingest
