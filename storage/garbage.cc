// Garbage: what nothing names goes, and with it every byte that says what was removed.
//
//   1 alone among writers   rows ─> texts that nothing needs ─> frames rewritten ─> the other texts, dictionaries,
//   answers 2 alone in the store    catalog.db and facts/data.mdb written anew: pages that were freed still hold what
//   they held
//
// What is to go follows from what is stored: killed at any step, the next gc goes on.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <unordered_set>
#include <utility>
#include <vector>

#include "storage/catalog/answers/claim_request.h"
#include "storage/catalog/answers/judgment.h"
#include "storage/catalog/answers/request.h"
#include "storage/catalog/references.h"
#include "storage/catalog/results/auxiliary.h"
#include "storage/catalog/results/index_segment.h"
#include "storage/catalog/sources/erasure.h"
#include "storage/check.h"
#include "storage/disk/fault.h"
#include "storage/disk/files.h"
#include "storage/disk/mutant.h"
#include "storage/erase/backups.h"
#include "storage/erase/derived.h"
#include "storage/erase/paid.h"
#include "storage/facts/forgetting.h"
#include "storage/store.h"
#include "storage/vectors.h"

namespace residue::storage {
namespace fs = std::filesystem;

namespace {

constexpr int kGcWaitMs = 5'000;
constexpr std::size_t kSmallestStep = 8;  // texts of one transaction
constexpr std::chrono::milliseconds kRetryEvery{20};
constexpr std::chrono::milliseconds kNoticeAfter{200};

void drop_orphaned_judgments(Db& db, const std::unordered_set<std::int64_t>& keep) {
  std::vector<std::array<std::int64_t, 3>> gone;
  Statement all = db.prepare(sql::kJudgmentPairsOfAll);
  while (all.step()) {
    if (keep.count(all.integer(1)) == 0 || keep.count(all.integer(2)) == 0) {
      gone.push_back({all.integer(0), all.integer(1), all.integer(2)});
    }
  }
  Statement erase = db.prepare(sql::kDeleteJudgmentsOfPair);
  for (const auto& row : gone) erase.run(row[0], row[1], row[2]);
}

// Requests that led to no judgment are cut anew when they are needed; those of judgments keep their claims.
void drop_unused_requests(Db& db) {
  db.prepare(sql::kDeleteClaimRequestsUnjudged).run();
  db.prepare(sql::kDeleteRequestsUnjudged).run();
}

// Vectors of replaced rows, of texts that went, and of batches that the catalog did not follow.
std::vector<VectorId> unnamed_vectors(Db& db, const Facts::Reader& facts) {
  const std::vector<VectorId> named = named_vectors(db);
  std::vector<VectorId> unnamed;
  facts.each_vector([&](VectorId id) {
    if (!std::binary_search(named.begin(), named.end(), id)) unnamed.push_back(id);
  });
  return unnamed;
}

// All in one transaction; where the disk has no room for that, in steps: small ones need few new pages, and each gives
// its own to the next but one.
template <class Id, class Erase>
void erase_in_steps(Facts& facts, std::span<const Id> ids, std::uint64_t& erased, const Erase& erase) {
  for (std::size_t step = ids.size(); !ids.empty();) {
    try {
      const auto writer = facts.write();
      std::uint64_t done = 0;
      for (const Id id : ids.first(std::min(step, ids.size()))) done += erase(*writer, id) ? 1 : 0;
      writer->commit();
      erased += done;
      ids = ids.subspan(std::min(step, ids.size()));
    } catch (const Error& error) {
      if (error.code() != Code::kTryAgain || step <= kSmallestStep) throw;
      step /= 8;
    }
  }
}

void erase_texts(Facts& facts, const std::vector<TextId>& texts, std::uint64_t& erased) {
  erase_in_steps<TextId>(facts, texts, erased, [](auto& writer, TextId id) { return writer.erase(id); });
}

}  // namespace

Store::GcResult Store::collect_garbage(const GcOptions& options) {
  require_writable();
  GcResult result;
  const std::uint64_t before = directory_bytes(dir_);
  {
    const auto snap = Lock::take(dir_ / "snapshot.lock", LockMode::kExclusive, kGcWaitMs, [&] {
      if (options_.waiting) options_.waiting("readers and writers of the store");
    });
    if (!snap) throw Error(Code::kBusy, "the store is in use", "run 'residue gc' when nothing else is running");
    const auto writer = Lock::take(dir_ / "writer.lock", LockMode::kExclusive, kGcWaitMs);
    if (!writer)
      throw Error(Code::kBusy, "another process is writing", "run 'residue gc' when nothing else is running");
    const auto remove_indexes = [&] {
      result.index_files += remove_unrecorded_indexes();
      sync_path(index_dir());
    };
    remove_indexes();  // First what needs no room on the disk.
    discard_beginning(dir_, {kQuarantinePrefix});
    checkpoint();
    db_->run("PRAGMA secure_delete=ON");
    try {
      drop_garbage(result, options.progress);
    } catch (const Error& error) {
      if (error.code() != Code::kTryAgain) throw;
      checkpoint();
      throw Error(Code::kTryAgain,
                  fmt::format("the disk of the store is full: {} texts and {} index files were removed, not all",
                              result.texts, result.index_files),
                  "free some space on it and repeat the command: deleting needs a little room first");
    }
    remove_indexes();
  }
  // Others may go on with the store while this waits for them to close it.
  if (become_alone(options.wait_ms)) {
    if (!mutant("gc-keeps-pages")) compact(result);
    if (result.lacking_bytes == 0 && result.left.empty()) {
      db_->prepare(sql::kDeleteErasures).run();
      checkpoint();
    }
    recover();
  } else {
    result.left.emplace_back(
        "freed pages of catalog.db, its log and facts/data.mdb: another process has the store open");
  }
  const std::uint64_t after = directory_bytes(dir_);
  result.bytes = before > after ? before - after : 0;
  return result;
}

bool Store::become_alone(int wait_ms) {
  const auto start = std::chrono::steady_clock::now();
  for (bool told = false; !shared_.try_upgrade();) {
    const auto waited = std::chrono::steady_clock::now() - start;
    if (waited >= std::chrono::milliseconds(wait_ms)) return false;
    if (!told && waited >= kNoticeAfter && options_.waiting) {
      options_.waiting("other processes to close the store");
      told = true;
    }
    std::this_thread::sleep_for(kRetryEvery);
  }
  return true;
}

std::uint64_t Store::remove_unrecorded_indexes() {
  std::set<std::string> recorded;
  Statement segments = db_->prepare(sql::kIndexSegmentFiles);
  while (segments.step()) recorded.emplace(segments.text(0));
  std::uint64_t removed = 0;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(index_dir(), ignored)) {
    if (recorded.count(entry.path().filename().string()) != 0) continue;
    discard(entry.path());
    ++removed;
  }
  return removed;
}

// Rows first here: a judgment must never outlive its texts.
void Store::drop_rows(GcResult& result, std::unordered_set<std::int64_t>& keep, std::vector<VectorId>& old_vectors) {
  std::map<RunId, std::optional<Lock>> runs;
  const auto free = [&](RunId run) {
    const auto [at, fresh] = runs.try_emplace(run);
    if (!fresh) return at->second.has_value();
    try {
      at->second = lock_run(run, false);
    } catch (const Error& error) {
      if (error.code() != Code::kBusy) throw;
    }
    return at->second.has_value();
  };
  db_->run("BEGIN IMMEDIATE");
  try {
    drop_unused_requests(*db_);
    keep = referenced_texts(*db_);
    drop_orphaned_judgments(*db_, keep);
    drop_orphaned_vectors(*db_, keep);
    const DerivedGone derived = drop_derived(*db_, free);
    if (derived.busy > 0) {
      result.left.push_back(
          fmt::format("{} index segments and evaluations of runs that another process is evaluating", derived.busy));
    }
    for (const std::string& file : remove_unfinished_backups(*db_)) {
      result.left.push_back(fmt::format("{}, which a backup that was stopped left: it cannot be removed", file));
    }
    Statement outdated = db_->prepare(sql::kAuxiliaryCountOutdated);
    if (outdated.step()) result.outdated = static_cast<std::uint64_t>(outdated.integer(0));
    outdated.reset();
    const auto reader = facts_->read();
    old_vectors = unnamed_vectors(*db_, *reader);
    const std::unordered_set<std::int64_t> named = named_texts(*db_);
    reader->each([&](TextId id, TextId) {
      result.paid_texts += keep.count(id.value) != 0 && named.count(id.value) == 0 ? 1 : 0;
    });
    commit_rows();
  } catch (...) {
    if (db_->in_transaction()) db_->run("ROLLBACK");
    throw;
  }
}

void Store::drop_garbage(GcResult& result, const ProgressFunction& progress) {
  std::unordered_set<std::int64_t> keep;
  std::vector<VectorId> old_vectors;
  drop_rows(result, keep, old_vectors);
  fault_point("gc.before_facts");
  Forgetting forgetting(*facts_, keep);
  erase_texts(*facts_, forgetting.free(), result.texts);
  erase_in_steps<VectorId>(*facts_, old_vectors, result.vectors,
                           [](auto& facts, VectorId id) { return facts.erase_vector(id); });
  result.rewritten = forgetting.rewrite(progress);
  erase_texts(*facts_, forgetting.held(), result.texts);
  result.dictionaries = forgetting.erase_dictionaries();
  fault_point("gc.after_facts");
  if (forgetting.damaged() > 0) {
    result.left.push_back(fmt::format("what {} damaged texts need: residue check names them", forgetting.damaged()));
  }
  const std::set<VoteKey> votes = votes_to_erase(*db_);
  if (votes.empty()) return;
  result.answers = Forgetting::erase_answers(*facts_, votes);
  db_->run("BEGIN IMMEDIATE");
  try {
    forget_erased(*db_, votes);
    commit_rows();
  } catch (...) {
    if (db_->in_transaction()) db_->run("ROLLBACK");
    throw;
  }
  fault_point("gc.answers_forgotten");
}

void Store::compact(GcResult& result) {
  const bool copied_rows = vacuum();
  const bool copied_texts = compact_facts();
  if ((copied_rows || (copied_texts && vacuum())) && copied_texts) return;
  result.lacking_bytes =
      std::max<std::uint64_t>(1, copied_texts ? fs::file_size(dir_ / "catalog.db") : facts_->info().file_bytes);
}

// False: the disk has no room for it.
bool Store::vacuum() {
  bool done = true;
  try {
    db_->run("VACUUM");
  } catch (const Error& error) {
    if (error.code() != Code::kTryAgain) throw;
    done = false;
  }
  checkpoint();
  return done;
}

bool Store::compact_facts() {
  const fs::path fresh = dir_ / fmt::format("{}{}", kCompactPrefix, ::getpid());
  discard(fresh);
  try {
    make_private_directory(fresh);
    Facts::create(fresh, uuid_);
    Facts target(fresh, key_, uuid_);
    Forgetting::copy(*facts_, target);
  } catch (const Error& failed) {
    discard(fresh);
    if (failed.code() != Code::kTryAgain) throw;
    return false;
  }
  facts_.reset();
  fault_point("gc.before_compact_rename");
  // The engine takes the number of its last commit from here as long as anybody has it open, and a process that was
  // killed may still be closing its files: in the new file that number would choose the older of two commits.
  fs::remove(dir_ / "facts" / "lock.mdb");
  fs::rename(fresh / "data.mdb", dir_ / "facts" / "data.mdb");
  if (!mutant("compacted-name-unsynced")) sync_path(dir_ / "facts");
  fault_point("gc.compacted");
  discard(fresh);
  facts_ = std::make_unique<Facts>(dir_ / "facts", key_, uuid_);
  return true;
}

}  // namespace residue::storage
