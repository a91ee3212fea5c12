// `random-mask`: words drawn at random are replaced. A control: what a share of masked words does by itself.
#pragma once

#include <memory>
#include <span>

#include "ingest/method/sanitizer.h"

namespace residue::ingest {

// rate: the probability that a word is masked; replacement: as scrub. A word is drawn by (seed, record key, position).
std::span<const SanitizerParam> random_mask_params();
std::unique_ptr<Sanitizer> make_random_mask(const SanitizerSetting& setting);

}  // namespace residue::ingest
