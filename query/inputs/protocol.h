// A protocol is an attacker: LINKER[opt=v,...]/POLICY[@seed]/CLAIMSET, for example bm25/random:3@42/claims.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "query/inputs/linkers.h"

namespace residue::query {

inline constexpr std::uint64_t kDefaultSeed = 42;
inline constexpr std::string_view kDefaultProtocol = "bm25/random:3";
inline constexpr std::string_view kDefaultRunClaims = "sentences";  // what `atomize DATASET/RUN` makes
inline constexpr std::string_view kAbsent = "absent";  // linker option of the absent attack, and of its own one

// Which claims the attacker knows, and in whose words.
struct Policy {
  enum class Kind { kFirst, kLast, kRandom, kAll, kGiven };
  Kind kind = Kind::kRandom;
  std::uint32_t k = 3;                // not for kAll, kGiven
  std::uint64_t seed = kDefaultSeed;  // kRandom only
  std::string given;                  // kGiven: the claim set that holds what the attacker knows of each record
  std::string words;  // the claim set that says the chosen claims in other words, under the same n; empty: their own

  [[nodiscard]] std::string_view place_of_set() const;  // how a protocol names `given` or `words`
  [[nodiscard]] std::string name() const;  // canonical: 'first:3', 'random:3@42~plain', 'all', 'given:interview'
  friend bool operator==(const Policy&, const Policy&) = default;
};

struct ProtocolSpec {
  const Linker* linker = &linkers().front();
  std::map<std::string, std::string> options;  // non-default ones only
  Policy policy;
  std::string claim_set;  // empty: the dataset's default

  [[nodiscard]] std::vector<std::string> runs() const;  // the runs that the attacker holds at once (option runs=A+B)
  [[nodiscard]] std::string run_claims() const;  // whose hits vote: a claim set of the run (option set=NAME); or ""
  // Its links are those of the absent attack (query/absent/absence.h), or of the absent attack's own absent attack.
  [[nodiscard]] bool absent() const;
  [[nodiscard]] std::string linker_name() const;  // canonical with options: 'bm25[analyzer=plain]'
  [[nodiscard]] std::string name() const;         // canonical, whole
  friend bool operator==(const ProtocolSpec&, const ProtocolSpec&) = default;
};

// Parses one protocol; 'paper' is kDefaultProtocol; LINKER/POLICY may leave out policy and claim set.
// Throws Error{usage} that says which part is wrong and what is known.
ProtocolSpec parse_protocol(std::string_view text);

// A comma list of protocols (commas inside [...] belong to the options).
std::vector<ProtocolSpec> parse_protocols(std::string_view text);

// The name of `spec` over several seeds: 'bm25/random:3@42..44/claims'; its own name for one seed or a policy without.
std::string seeds_name(const ProtocolSpec& spec, std::uint32_t seeds);

// The same attacker with seeds seed, seed + 1, ... (policies without a seed give one protocol).
std::vector<ProtocolSpec> with_seeds(const ProtocolSpec& spec, std::uint32_t seeds);

// The same attacker holding several releases: options runs=A+B. Throws Error{usage} for fewer than two runs.
ProtocolSpec combined(const ProtocolSpec& spec, const std::vector<std::string>& runs);

// The same auxiliary knowledge with the linker of another role.
ProtocolSpec control_of(const ProtocolSpec& spec, LinkerRole role);

// Throws Error{usage} for an absent attack: it is nothing that can be asked for by itself.
void require_attack(const ProtocolSpec& spec);

// The names under which the links of the absent attack beside `spec` are kept, and those of that one's own absent
// attack.
ProtocolSpec absent_of(const ProtocolSpec& spec);
ProtocolSpec twice_absent_of(const ProtocolSpec& spec);

// The attacker that lexical_distance is of (FSP 2): the same knowledge, linked by rouge-l.
ProtocolSpec lexical_baseline(const ProtocolSpec& spec);

// The claims that the attacker knows of a record whose claims have the positions `claims` (ascending): a subset of
// them, ascending; all of them if there are no more than k. random:k takes the k of smallest hash of (seed, record key,
// position), ties by position. Not for kGiven, which looks at texts.
std::vector<std::uint32_t> select_auxiliary(const Policy& policy, std::string_view record_key,
                                            std::span<const std::uint32_t> claims);

}  // namespace residue::query
