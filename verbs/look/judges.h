// `judge`: which judges there are, what they say of pairs, and where their votes differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "query/agree/spec_difference.h"
#include "query/agree/unstable.h"
#include "query/judge/judge.h"
#include "storage/store.h"

namespace residue::verbs {

// The first 8 hexadecimal digits of its digest.
std::string version_of(const query::Judge& judge);

struct ListedJudge {
  enum class Kind : std::uint8_t {
    kEmbedded,
    kNotInstalled,  // an embedded one that needs what is not here
    kSuperseded,    // an earlier version of an embedded one
    kElsewhere,     // its judgments were made elsewhere
    kModel,
  };
  std::string name, version;  // `version` empty: nobody knows
  Kind kind = Kind::kEmbedded;
  std::uint64_t pairs = 0;               // judgments in the store
  std::optional<std::uint64_t> samples;  // kElsewhere: answers that they are the modes of
  std::string validated;                 // how far people have confirmed it; empty: kNotInstalled
};

// The embedded ones in the order of preference, then those that only the store knows, by name. `store` null: none.
std::vector<ListedJudge> list_judges(storage::Store* store);

// What a judge's ratings depend on.
struct JudgeCard {
  std::string judge, version, validated, digest;
  bool embedded = false;
  Json spec;
};

// Of an embedded judge, or of one that the store knows. `store` null: none. Throws Error{not found}.
JudgeCard show_judge(storage::Store* store, const std::string& name);

struct RatedPair {
  std::uint8_t rating = 3;  // 1 same, 2 similar, 3 unsupported
  double score = 0;
  std::string evidence;  // the part of the passage that decided
  std::string why;
};

// Nothing for a blank claim, which asserts nothing, and where claim and passage have different scripts.
std::optional<RatedPair> rate_pair(const query::Judge& judge, std::string_view claim, std::string_view passage);

// Why a model would be asked again although answers are saved.
struct MissResult {
  std::string judge;                // which one answers: of a cascade its model
  std::optional<query::Miss> miss;  // nothing: no other model has judgments
  std::uint64_t moved = 0;          // judgments of claims that stand together no more
};

// Throws as query::explain_miss.
MissResult explain_miss(storage::Store& store, const std::string& judge, const std::optional<std::string>& against);

struct UnstableOptions {
  std::string what;        // a judge, DATASET or DATASET/RUN; empty: all
  std::string judge;       // empty: all that were asked; of a cascade its model
  std::size_t limit = 50;  // of pairs; 0: all
  bool texts = false;      // reads claims and passages
};

struct UnstableResult {
  query::Unstable found;
  std::vector<std::string> claims, passages;  // of each pair; empty where they were not asked for
};

// A word that names a judge is that judge, unless `judge` names one. Holds the texts meanwhile. Throws as
// query::load_unstable.
UnstableResult unstable(storage::Store& store, const UnstableOptions& options);

}  // namespace residue::verbs
