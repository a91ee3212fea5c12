#include "storage/check.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "storage/catalog/references.h"
#include "storage/catalog/repair/cost.h"
#include "storage/catalog/repair/text_owners.h"
#include "storage/catalog/results/index_segment.h"
#include "storage/check_answers.h"
#include "storage/disk/files.h"
#include "storage/pages/page_image.h"
#include "storage/pages/tree.h"
#include "storage/vectors.h"

namespace residue::storage {
namespace {

constexpr std::size_t kMaxProblems = 1'000;

void note(std::vector<std::string>& problems, std::string line) {
  if (problems.size() < kMaxProblems) problems.push_back(std::move(line));
}

// Runs a part; damage that stops it is a problem like any other.
template <class Part>
void tolerate(CheckResult& result, const Part& part) {
  try {
    part();
  } catch (const Error& error) {
    if (error.code() != Code::kCorrupt) throw;
    // Of damaged pages each was named already.
    if (!result.pages_are_damaged || std::string_view(error.what()).find("catalog") == std::string_view::npos) {
      note(result.problems, error.what());
    }
  }
}

// Every page, each with the table that it is of.
void check_pages(Db& db, CheckResult& result) {
  const PageImage image(db.handle());
  std::set<std::uint32_t> damaged;
  for (std::uint32_t page = 1; page <= image.pages(); ++page) {
    if (!image.read(page)) damaged.insert(page);
  }
  if (damaged.empty()) return;
  result.pages_are_damaged = true;
  const auto tell = [&](std::uint32_t page, const Tree& tree) {
    if (damaged.erase(page) == 0) return;
    if (tree.index) {
      note(result.derived_problems,
           fmt::format("catalog: page {} of an index of table {}: repair builds it again", page, tree.table));
      return;
    }
    const TableCost& cost = cost_of(tree.name);
    note(cost.loss == Loss::kDerived ? result.derived_problems : result.problems,
         fmt::format("catalog: page {} of table {} is not what was written: its rows are lost: {}", page, tree.name,
                     cost.remedy));
  };
  for (const Tree& tree : trees_of(image)) {
    TreeVisitor visitor;
    visitor.damaged = [&](std::uint32_t page) { tell(page, tree); };
    walk_tree(image, tree.root, visitor);
  }
  TreeVisitor unused;
  unused.damaged = [&](std::uint32_t page) {
    if (damaged.erase(page) != 0)
      note(result.derived_problems, fmt::format("catalog: page {}, which is not used", page));
  };
  walk_free_pages(image, unused);
  for (const std::uint32_t page : damaged) {
    note(result.problems,
         fmt::format("catalog: page {} is not what was written; it hangs on another damaged one", page));
  }
}

void check_rows(Db& db, CheckResult& result) {
  Statement integrity = db.prepare("PRAGMA integrity_check(20)");
  while (integrity.step()) {
    if (integrity.text(0) != "ok") note(result.problems, fmt::format("catalog: {}", integrity.text(0)));
  }
  std::map<std::pair<std::string, std::string>, std::int64_t> loose;
  Statement foreign = db.prepare("PRAGMA foreign_key_check");
  while (foreign.step()) ++loose[{std::string(foreign.text(0)), std::string(foreign.text(2))}];
  for (const auto& [tables, rows] : loose) {
    note(result.problems, fmt::format("catalog: {} rows of {} refer to rows of {} that are not there", rows,
                                      tables.first, tables.second));
  }
}

void check_texts(Store& store, CheckResult& result) {
  std::map<std::int64_t, std::string> damaged;
  result.texts = store.facts().verify([&](TextId id, const std::string& why) {
    if (id.value == 0) {
      note(result.problems, fmt::format("facts: {}: restore the last backup", why));
    } else {
      damaged.emplace(id.value, why);
    }
  });
  std::unordered_set<std::int64_t> stored;
  store.facts().read()->each([&](TextId id, TextId) { stored.insert(id.value); });
  const auto named = referenced_texts(store.db());
  for (const std::int64_t id : named) {
    if (!stored.contains(id)) damaged.emplace(id, fmt::format("text {}: it is not there", id));
  }
  for (const auto& [id, why] : damaged) result.damaged_texts.insert(id);
  const auto owners = owners_of_texts(store.db(), result.damaged_texts);
  for (const auto& [id, why] : damaged) {
    const auto found = owners.find(id);
    if (found == owners.end()) {
      note(result.derived_problems, fmt::format("facts: {}; nothing names it", why));
    } else {
      note(result.problems,
           fmt::format("facts: {}: it is {}: bring that in again", why, fmt::join(found->second, ", ")));
    }
  }
}

bool segment_is_sound(Store& store, const std::string& file, std::string_view recorded) {
  try {
    return has_sha256(store.index_dir() / file, recorded);
  } catch (const Error&) {
    return false;
  }
}

struct Segment {
  std::int64_t id;
  std::string file, digest;
};

std::vector<Segment> unsound_segments(Store& store) {
  std::vector<Segment> unsound;
  Statement segments = store.db().prepare(sql::kIndexSegmentFilesWithDigest);
  while (segments.step()) {
    const Segment one{segments.integer(0), std::string(segments.text(1)), std::string(segments.text(2))};
    if (!segment_is_sound(store, one.file, one.digest)) unsound.push_back(one);
  }
  return unsound;
}

// Whoever evaluates replaces segments, and removes a file after its row: only one that is recorded still is missed.
void check_indexes(Store& store, const std::vector<Segment>& suspects, CheckResult& result) {
  for (const Segment& suspect : suspects) {
    bool recorded = false;
    Statement segments = store.db().prepare(sql::kIndexSegmentFilesWithDigest);
    while (segments.step())
      recorded = recorded || (segments.text(1) == suspect.file && segments.text(2) == suspect.digest);
    if (!recorded) continue;
    result.damaged_segments.push_back(suspect.id);
    note(result.derived_problems,
         fmt::format("index: {} is missing or damaged: it is built again when needed", suspect.file));
  }
}

}  // namespace

CheckResult check_store(Store& store) {
  CheckResult result;
  if (!store.lost().empty())
    note(result.problems, fmt::format("{}: what was done then is to be done again", store.lost()));
  const Lock texts = store.hold_texts();
  std::vector<Segment> suspects;
  tolerate(result, [&] {
    // The catalog's snapshot first: every text that its rows name is there by then.
    const ReadTransaction snapshot(store.db());
    check_pages(store.db(), result);
    if (!result.pages_are_damaged) check_rows(store.db(), result);
    tolerate(result, [&] { check_texts(store, result); });
    tolerate(result, [&] { check_answers(store, result, kMaxProblems); });
    if (result.pages_are_damaged) return;  // The rest would only say so again.
    result.vectors = check_vectors(store, [&](std::string line) {
      result.vectors_are_damaged = true;
      note(result.problems, std::move(line));
    });
    suspects = unsound_segments(store);
  });
  tolerate(result, [&] { check_indexes(store, suspects, result); });
  return result;
}

}  // namespace residue::storage
