// What an attacker found, and what he should have found, in the forms of trec_eval and its kin.
//
//   run, protocol ── the attack, again ──> "record Q0 found rank score tag"
//   dataset                            ──> "record 0 record 1"
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/progress.h"
#include "query/inputs/protocol.h"
#include "storage/store.h"

namespace residue::query {

using TrecLines = std::function<void(std::string_view lines)>;

// A key as one word: what stands for a space there, and '%', is written %XX. No key is another's word.
std::string trec_word(std::string_view key);

enum class TrecScore {
  kLinkers,  // the linker's own, as it reads back
  kByRank,   // 1 / rank: programs that order equal scores by name keep the linker's order
};

// The best ten texts of each record that the attacker looks for, as `eval` finds them; records of which he knows
// nothing, or whose text is empty, are left out. Brings the index of the run up to date first. The caller holds
// Store::hold_texts(). Returns how many lines. Throws Error{not found}, Error{usage}, Error{busy}.
std::uint64_t trec_run(storage::Store& store, const std::string& dataset, const std::string& run,
                       const ProtocolSpec& protocol, TrecScore score, const ProgressFunction& progress,
                       const TrecLines& take);

// The right answer for each record of the dataset: its own text. Returns how many lines. Throws Error{not found}.
std::uint64_t trec_qrels(storage::Store& store, const std::string& dataset, const TrecLines& take);

}  // namespace residue::query
