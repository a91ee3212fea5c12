// What a page was asked for, kept in the page: with it a store makes the page again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json.h"
#include "page/release/release_page.h"

namespace residue::page {

struct PageRequest {
  std::string dataset, protocol, judge;
  std::string judge_version;  // as it was
  // What stands on the page and may change without any text: how far people have confirmed the judge, who said what
  // claims are about, every attacker that was evaluated but for control linkers.
  std::string validation, categorizer;
  std::vector<std::string> attackers;
  std::vector<std::string> intruders;  // each intruder test, and how much of it there is
  std::uint32_t seeds = 1;
  std::uint64_t sample = 0;
  bool drop = false;  // --missing drop
  bool less_precise_half = false;
  std::string model;  // whose answers to tasks; empty: not asked for
  bool keys = false, texts = false, proof = true;
  std::vector<std::string> gates;                         // as given
  double min_coverage = 0.9;                              // of all metrics
  std::vector<std::string> coverages;                     // METRIC=SHARE
  std::string content;                                    // digest of the dataset's texts
  std::vector<std::pair<std::string, std::string>> runs;  // name, digest of its texts
  PageOptions options;
};

inline constexpr std::uint32_t kMostSeeds = 1000;
inline constexpr std::size_t kMostGates = 1000;  // each is held against every run: some seconds in all

// A page with proof, without ids and texts: a bundle may hold it.
bool packable(const PageRequest& request);

// Throws Error{code} for so many gates that a page of them could not be checked in reasonable time.
void limit_gates(std::size_t gates, Code code);

// Throws Error{bad input} for a request of a page that nobody would make: it would take too long to answer.
void limit_request(const PageRequest& request);

// That of a page that `release` was made for.
PageRequest request_of(const verbs::Release& release, const verbs::ReleaseOptions& wanted, const PageOptions& options);

// What `verbs::release` is asked for to make the page again. Throws Error{usage} for gates that cannot be read.
verbs::ReleaseOptions release_options(const PageRequest& request);

Json to_json(const PageRequest& request);

// Nothing for what is no such thing.
std::optional<PageRequest> request_from(const Json& json);

// The JSON of the element "data" of a page; nothing where it has none.
std::optional<Json> data_of_page(std::string_view html);

}  // namespace residue::page
