#include "storage/check.h"

#include <fmt/format.h>

#include <unordered_set>
#include <utility>

#include "base/digest.h"
#include "storage/catalog/references.h"
#include "storage/catalog/results/index_segment.h"
#include "storage/disk/files.h"
#include "storage/vectors.h"

namespace residue::storage {
namespace {

constexpr std::size_t kMaxProblems = 100;

void note(std::vector<std::string>& problems, std::string line) {
  if (problems.size() < kMaxProblems) problems.push_back(std::move(line));
}

void check_catalog(Db& db, CheckResult& result) {
  Statement integrity = db.prepare("PRAGMA integrity_check(20)");
  while (integrity.step()) {
    if (integrity.text(0) != "ok") note(result.problems, fmt::format("catalog: {}", integrity.text(0)));
  }
  Statement foreign = db.prepare("PRAGMA foreign_key_check");
  while (foreign.step()) {
    note(result.problems,
         fmt::format("catalog: a row of {} refers to a row of {} that is not there", foreign.text(0), foreign.text(2)));
  }
}

void check_texts(Store& store, CheckResult& result) {
  std::unordered_set<std::int64_t> damaged;
  result.texts = store.facts().verify([&](TextId id, const std::string& why) {
    damaged.insert(id.value);
    note(result.problems, fmt::format("facts: text {}: {}", id.value, why));
  });
  std::unordered_set<std::int64_t> stored;
  store.facts().read()->each([&](TextId id, TextId) { stored.insert(id.value); });
  std::uint64_t lost = 0;
  for (const std::int64_t id : referenced_texts(store.db())) lost += stored.count(id) == 0 ? 1 : 0;
  if (lost > 0) note(result.problems, fmt::format("facts: {} texts that the catalog names are not there", lost));
}

void check_answers(Store& store, CheckResult& result) {
  try {
    store.facts().read()->each_answer([&](const SavedAnswer&) { ++result.answers; });
  } catch (const Error& error) {
    if (error.code() != Code::kCorrupt) throw;
    note(result.problems, error.what());
  }
}

void check_indexes(Store& store, bool repair, CheckResult& result) {
  std::vector<std::int64_t> damaged;
  Statement segments = store.db().prepare(sql::kIndexSegmentFilesWithDigest);
  while (segments.step()) {
    const std::string file(segments.text(1));
    std::string found;
    try {
      const std::string digest = sha256_file(store.index_dir() / file);
      found = segments.text(2).size() == digest.size() ? digest : to_hex(digest);
    } catch (const Error&) {  // Reported below as different.
    }
    if (found == segments.text(2)) continue;
    damaged.push_back(segments.integer(0));
    note(result.derived_problems, fmt::format("index: {} is missing or damaged{}", file, repair ? "; forgotten" : ""));
  }
  if (!repair || damaged.empty()) return;
  const auto batch = store.write();
  Statement forget = batch->db().prepare(sql::kDeleteIndexSegmentById);
  for (const std::int64_t id : damaged) forget.run(id);
  batch->commit();
}

}  // namespace

CheckResult check_store(Store& store, bool repair) {
  CheckResult result;
  check_catalog(store.db(), result);
  if (result.problems.empty()) {  // A damaged catalog would only accuse the rest.
    check_texts(store, result);
    result.vectors = check_vectors(store, [&](std::string line) { note(result.problems, std::move(line)); });
    check_answers(store, result);
    check_indexes(store, repair, result);
  }
  return result;
}

}  // namespace residue::storage
