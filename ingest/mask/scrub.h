// `scrub`: replaces what text/recognizers.h finds, and names wherever they stand again. Needs no model and no network.
//
//   text ── recognizers, lists of names ──> identifiers ── names followed ──> all of them ── tags, numbers, stars,
//   surrogates ──> text, spans
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/method/draws.h"
#include "ingest/method/sanitizer.h"
#include "ingest/method/span_masking.h"
#include "text/identifiers/recognizers.h"

namespace residue::ingest {

inline constexpr std::string_view kScrubVersion = "scrub/10";

struct ScrubOptions {
  Masking replacement = Masking::kTag;
  text::EntitySet types = text::EntitySet::all();
  std::shared_ptr<const text::NameLists> lists = nullptr;  // null: those that come with the program
  std::shared_ptr<const DrawSource> surrogates =
      nullptr;  // what they are drawn with; `replacement` does not matter then
};

// Always succeeds. With tags, tokens and stars it is idempotent. Linear; the spans refer to the input's text.
SanitizeOutput scrub(const SanitizeInput& input, const ScrubOptions& options);
inline SanitizeOutput scrub(std::string_view text, const ScrubOptions& options) {
  return scrub(SanitizeInput{{}, text}, options);
}

// What scrub replaces by tags with its own lists, united with `also`, which somebody else found (in order): their names
// are followed like its own, and what they cover is gone when it looks for what is left. In order, disjoint; what
// overlaps is one, of the type that begins first, the longer one of two. Linear.
std::vector<text::Entity> scrub_entities(std::string_view text, std::span<const text::Entity> also);

// The parameters of the method, for sanitizer_methods(), and the sanitizer itself.
std::span<const SanitizerParam> scrub_params();
std::unique_ptr<Sanitizer> make_scrub(const SanitizerSetting& setting);

}  // namespace residue::ingest
