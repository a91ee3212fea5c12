// Targets that a linker cannot see: that nobody found them is no merit of the sanitizer.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "query/inputs/auxiliary.h"
#include "query/inputs/linkers.h"
#include "query/inputs/protocol.h"
#include "query/inputs/snapshot.h"
#include "storage/store.h"

namespace residue::query {

// Under rouge-l and rouge-l-recall: how many of the run's attacked records did not link and have auxiliary claims in a
// script that ROUGE cannot read (text/measures/rouge_reads.h); under dense, how many have claims whose vectors add up
// to nothing. Nothing if there are none, or for another linker. Cost: a read of the queries that did not link.
std::optional<std::string> blind_note(storage::Store& store, RunId run, ProtocolId protocol, const ProtocolSpec& spec);

// The records on which an attacker who compares words has failed, because texts cannot be compared by words: another
// script, another language.
// By record; empty for a linker that compares no words. A record fails where what the attacker knows and its own
// variant are in two scripts, where the variant is obviously not English and the original is not so, or where ROUGE, if
// the linker is by it, reads less than half of either. Of a synthetic run nobody knows whose text is unreadable: all
// records fail where one is to ROUGE, and a record where most texts are in another script than what is known of it.
// Cost: a read of these texts.
std::vector<bool> unreadable_records(const storage::Store& store, const DatasetView& dataset, const RunView& run,
                                     const AuxiliaryView& auxiliary, const Linker& linker);

}  // namespace residue::query
