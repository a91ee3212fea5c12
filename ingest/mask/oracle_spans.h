// `oracle-spans`: the spans that people marked are replaced. What a sanitizer that finds all of them would release.
#pragma once

#include <memory>
#include <span>

#include "ingest/method/sanitizer.h"

namespace residue::ingest {

// annotator: whose marks (all of them: the union); quasi: no leaves indirect identifiers; share: of the spans, drawn by
// (seed, record key, offsets); replacement: as scrub. Marks of what need not be masked are left alone. A record whose
// text was edited since, so that a mark does not fit it, fails.
std::span<const SanitizerParam> oracle_spans_params();
std::unique_ptr<Sanitizer> make_oracle_spans(const SanitizerSetting& setting);

}  // namespace residue::ingest
