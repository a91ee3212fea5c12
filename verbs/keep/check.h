// `check`: is everything there and as it was stored, and are the numbers what a fresh store would give?
//
//   store ── check_store ──> problems ── repair_store ──> what is left ── recompute ──> numbers that differ
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/error.h"
#include "query/evaluate/recompute.h"
#include "query/score/sentiment.h"
#include "storage/check.h"
#include "storage/store.h"

namespace residue::verbs {

struct CheckOptions {
  bool repair = false;     // saves what can be read, forgets or removes the rest
  bool recompute = false;  // computes all numbers again in a fresh store, where nothing is damaged
  // For that: makes what sentiment was computed with, null where there is none; empty: none. Called where nothing is
  // damaged.
  std::function<std::shared_ptr<const query::SentimentLexicon>()> lexicon = {};
  std::function<void(const std::string& what)> recomputing = {};  // told what comes next
};

struct CheckResult {
  storage::CheckResult before, now;  // the same where nothing was repaired
  query::Recomputed numbers;
  bool recomputed = false;

  [[nodiscard]] bool damaged() const;  // now
  [[nodiscard]] bool sound() const { return !damaged() && numbers.differences.empty(); }
};

// `store` was opened with losses (OpenOptions). The fresh store lies inside of it, so that nothing leaves it, and goes
// whatever happens. Throws as storage::check_store and repair_store, through fail_beyond_check(). Cost: reads
// everything; recomputing costs what evaluating everything costs.
CheckResult check(storage::Store& store, const CheckOptions& options);

// Throws Error{corrupt} with what to do where the result is not sound.
void require_sound(const CheckResult& result, const CheckOptions& options);

// Throws `error` again. What any other verb says of a damaged catalog leads to check, and must not lead in a circle.
[[noreturn]] void fail_beyond_check(const Error& error);

}  // namespace residue::verbs
