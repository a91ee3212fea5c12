// `p-filter` (ZSTS): words that a language model finds improbable where they stand are taken out, or replaced.
//
//   utterance ──> P(word | neighbours) < p? ──> redacted | digits by digits | a word like it among the most probable
//
// The embedded model (text/word_model.h) is small: it finds improbable what it has rarely seen, where a large one would
// know more. Probabilities are of whole words, so no thresholds of the paper carry over.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/method/draws.h"
#include "ingest/method/sanitizer.h"
#include "ingest/method/span_masking.h"
#include "text/predict/word_model.h"
#include "text/predict/word_vectors.h"

namespace residue::ingest {

struct PFilter {
  double p = 1e-5;  // words less probable than this are taken out or replaced
  bool substitute = false;
  std::size_t n = 50;  // candidates: the most probable words in that place
  std::size_t k = 5;   // of those, the most similar ones to draw from
  double s = 0.5;      // none is farther away (cosine distance)
  Masking redaction = Masking::kTag;
  std::shared_ptr<const DrawSource> draws = nullptr;  // where something is substituted
};

// The lines of a text, empty ones included.
std::vector<std::string_view> utterances(std::string_view text);

// Lines of `text` are its utterances: each is read behind what is left of the one before. A word gets the same
// replacement throughout; never itself. Fewer than k candidates within s, and words that the model does not know, are
// redacted. Substitutes are drawn by record and word.
SanitizeOutput p_filter(const text::WordModel& model, const text::WordVectors* vectors, const PFilter& filter,
                        const SanitizeInput& input);

// A threshold of probabilities.
inline constexpr ParamRange kProbability{ParamRange::Kind::kReal, 1e-300, 1, true};

// train: a dataset of the store, or a file, that the model is trained on: of a .txt each line is a document, others are
// read as `ingest dataset` does. own=yes allows the dataset that is sanitized itself, and texts that are its records.
std::span<const SanitizerParam> p_filter_params();
std::unique_ptr<Sanitizer> make_p_filter(const SanitizerSetting& setting);

}  // namespace residue::ingest
