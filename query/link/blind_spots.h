// Targets that a linker cannot see, told beside its numbers: that nobody found them is no merit of the sanitizer.
#pragma once

#include <optional>
#include <string>

#include "query/inputs/protocol.h"
#include "storage/store.h"

namespace residue::query {

// Under rouge-l and rouge-l-recall: how many of the run's attacked records did not link and have auxiliary claims in a
// script that ROUGE cannot read (text/measures/rouge_reads.h); under dense, how many have claims whose vectors add up
// to nothing. Nothing if there are none, or for another linker. Cost: a read of the queries that did not link.
std::optional<std::string> blind_note(storage::Store& store, RunId run, ProtocolId protocol, const ProtocolSpec& spec);

}  // namespace residue::query
