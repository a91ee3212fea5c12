// The methods `ngram` and `dp-ngram`: synthetic texts of an n-gram model with control codes, trained on the records
// themselves; the second with differential privacy.
//
//   records ──> documents under codes ──> counts (dp_ngrams.h) ──> texts, as many for each code as records have it
//
// FSP C.1 puts a control code before each record when it fine-tunes GPT-2 with differential privacy (Yue et al. 2023),
// and asks for texts by code. Here the code is part of every context. It is a baseline: an n-gram model knows no more
// of a language than the few records say.
//
// What `dp-ngram` guarantees, of its texts and their number together: dp_accounting.h, for one person more or less
// where any record says whose it is, else for one record. Noise comes from the store's key and from what was asked of
// which records: repeated, the same command makes the same release again and gives away nothing more; other records or
// settings have other noise. With a seed, noise comes from that instead: whoever knows it can take the noise away. With
// epsilon=inf it is `ngram`, and nothing is guaranteed.
#pragma once

#include <memory>
#include <span>

#include "ingest/method/sanitizer.h"

namespace residue::ingest {

std::span<const SanitizerParam> ngram_params();
std::unique_ptr<Sanitizer> make_ngram(const SanitizerSetting& setting);

std::span<const SanitizerParam> dp_ngram_params();
std::unique_ptr<Sanitizer> make_dp_ngram(const SanitizerSetting& setting);

}  // namespace residue::ingest
