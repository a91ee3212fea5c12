// What an attacker learned from one run: the claims that he did not know and the linked text supports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.h"
#include "query/report/report.h"
#include "storage/store.h"

namespace residue::query {

struct Leak {
  std::string record;
  std::uint32_t n = 0;      // of the claim
  std::uint8_t rating = 1;  // 1 same, 2 similar
  std::vector<std::string> categories;
  std::string linked;           // the record, or the synthetic run's key, that the attacker found
  std::optional<bool> right;    // it is the record's own; nothing in synthetic runs
  std::uint32_t of_record = 0;  // leaks of this record in all
  TextId claim_text, linked_text;
};

struct LeakOptions {
  std::string dataset, run;
  std::string protocol;              // empty: the last evaluated
  std::optional<std::string> judge;  // nothing: the last evaluated
  std::string category;              // empty: all
  std::size_t limit = 0;             // 0: all
};

struct Leaks {
  Lens lens;
  std::uint64_t total = 0;    // before the limit
  std::uint64_t records = 0;  // with a leak
  std::uint64_t failed = 0;   // texts of the run that failed, or that an aligned run lacks
  bool stale = false;         // the run or its dataset changed since
  std::vector<Leak> leaks;    // worst first: rating, then leaks of the record, then key and n
};

// As leak_rate counts them: of records whose own variant failed, nothing is listed. Throws Error{not found} if the run
// was not evaluated so, or if no claim has the category.
Leaks load_leaks(storage::Store& store, const LeakOptions& options);

// All of one run under one attacker and judge, in no order, `of_record` not counted.
std::vector<Leak> read_leaks(storage::Db& db, RunId run, ProtocolId protocol, JudgeId judge);

// That of the row that kLinkLeaksOfRun (storage/catalog/results/link.h) is at.
Leak leak_of(const storage::Statement& row);

}  // namespace residue::query
