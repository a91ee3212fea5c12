// check --repair: what is derived is forgotten, what is lost is taken out and listed.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/fingerprint.h"
#include "base/ids.h"
#include "storage/catalog/repair/cost.h"
#include "storage/catalog/repair/salvage.h"
#include "storage/catalog/repair/text_owners.h"
#include "storage/catalog/results/index_segment.h"
#include "storage/catalog/sources/embedder.h"
#include "storage/catalog/sources/vector.h"
#include "storage/check.h"
#include "storage/check_answers.h"
#include "storage/disk/files.h"
#include "storage/pages/page_image.h"

namespace residue::storage {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostNamed = 200;

// A directory for what is taken out, made when there is something.
class Quarantine {
 public:
  explicit Quarantine(const fs::path& store) {
    for (int n = 1;; ++n) {
      dir_ = store / fmt::format("{}{}", kQuarantinePrefix, n);
      if (!fs::exists(dir_)) break;
    }
  }
  void keep(const fs::path& file) {
    make();
    if (fs::exists(file)) copy_private_file(file, dir_ / file.filename());
  }
  void list(const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    make();
    write_new_file(dir_ / "report.txt", fmt::format("{}\n", fmt::join(lines, "\n")));
    sync_path(dir_);
  }
  [[nodiscard]] std::string name() const { return dir_.filename().string(); }

 private:
  void make() {
    if (!fs::exists(dir_)) make_private_directory(dir_);
  }
  fs::path dir_;
};

struct Scratch {
  explicit Scratch(const Store& store) : dir(store.dir() / fmt::format("{}salvage-{}", kScratchPrefix, ::getpid())) {
    make_private_directory(dir);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { discard(dir); }
  const fs::path dir;
};

void say_remedies(const std::set<std::string>& tables, std::vector<std::string>& lines) {
  std::set<std::string> remedies;
  for (const std::string& table : tables)
    remedies.insert(fmt::format("rows of table {}: {}", table, cost_of(table).remedy));
  lines.insert(lines.end(), remedies.begin(), remedies.end());
}

void renew_catalog(Store& store, Quarantine& quarantine, std::vector<std::string>& lines) {
  const auto writer = Lock::take(store.dir() / "writer.lock", LockMode::kExclusive, 5'000);
  if (!writer) throw Error(Code::kBusy, "another process is writing to this store", "try again later");
  const Scratch scratch(store);
  const Salvage saved = salvage_catalog(PageImage(store.db().handle()), scratch.dir / "catalog.db", kFormatVersion);
  for (const char* name : {"catalog.db", ""}) sync_path(scratch.dir / name);
  for (const char* name : {"catalog.db", "catalog.db-wal"}) quarantine.keep(store.dir() / name);
  store.replace_catalog(scratch.dir / "catalog.db");
  std::int64_t rows = 0;
  for (const auto& [table, count] : saved.kept) rows += count;
  lines.push_back(
      fmt::format("{} rows were saved into a new catalog; the damaged one is in {}/", rows, quarantine.name()));
  for (const auto& [table, count] : saved.unattached) {
    lines.push_back(fmt::format("{} rows of table {} hung on others that are lost, and were removed", count, table));
  }
  for (std::size_t i = 0; i < saved.named.size() && i < kMostNamed; ++i)
    lines.push_back(fmt::format("lost: {}", saved.named[i]));
  say_remedies(saved.lost_from, lines);
}

void take_out_texts(Store& store, const std::set<std::int64_t>& texts, std::vector<std::string>& lines) {
  std::vector<std::string> named;
  for (const auto& [text, owners] : owners_of_texts(store.db(), texts)) {
    for (const std::string& owner : owners) named.push_back("lost: " + owner);
  }
  const auto batch = store.write();
  std::set<std::string> tables;
  for (const auto& [table, rows] : remove_rows_of_texts(batch->db(), texts)) tables.insert(table);
  forget_what_depends_on(batch->db(), tables);
  for (const std::int64_t text : texts) batch->facts().erase(TextId{text});
  batch->commit();
  lines.insert(lines.end(), named.begin(), named.end());
  say_remedies(tables, lines);
}

// Vectors that cannot be read go; each model's fingerprint becomes that of the vectors it still has.
std::size_t drop_damaged_vectors(Store& store) {
  std::size_t removed = 0;
  const auto batch = store.write();
  const auto facts = store.facts().read();
  Statement rows = batch->db().prepare(sql::kVectorsOfEmbedderWithDigest);
  Statement erase = batch->db().prepare(sql::kDeleteVectorOfText);
  Statement save = batch->db().prepare(sql::kUpdateEmbedderContent);
  Statement embedders = batch->db().prepare(sql::kEmbeddersInNameOrder);
  while (embedders.step()) {
    const auto id = embedders.integer(0);
    std::vector<TextId> damaged;
    std::vector<float> values(static_cast<std::size_t>(embedders.integer(2)));
    Fingerprint content;
    rows.bind(id);
    while (rows.step()) {
      const auto text = rows.id<TextId>(0);
      const std::int64_t digest = rows.integer(2);
      try {
        facts->vector(rows.id<VectorId>(1), text, values);
      } catch (const Error& error) {
        if (error.code() != Code::kCorrupt) throw;
        damaged.push_back(text);
        continue;
      }
      content.add({reinterpret_cast<const char*>(&digest), sizeof digest}, text.value);
    }
    for (const TextId text : damaged) erase.run(id, text);
    if (content.bytes() != embedders.text(3)) save.run(id, Statement::Blob{content.bytes()});
    removed += damaged.size();
  }
  batch->commit();
  return removed;
}

void forget_segments(Store& store, const std::vector<std::int64_t>& segments, std::vector<std::string>& lines) {
  const auto batch = store.write();
  Statement forget = batch->db().prepare(sql::kDeleteIndexSegmentById);
  for (const std::int64_t id : segments) forget.run(id);
  batch->commit();
  lines.push_back(fmt::format("{} index files were forgotten: they are built again when needed", segments.size()));
}

}  // namespace

CheckResult repair_store(Store& store, const CheckResult& found) {
  std::vector<std::string> lines;
  Quarantine quarantine(store.dir());
  const std::string lost = store.lost();
  if (found.pages_are_damaged) renew_catalog(store, quarantine, lines);
  if (!lost.empty()) {
    store.accept_losses();
    lines.push_back(lost + ": the state as it is counts from now on");
  }
  const std::set<std::int64_t> texts = found.pages_are_damaged ? check_store(store).damaged_texts : found.damaged_texts;
  if (!texts.empty()) take_out_texts(store, texts, lines);
  if (const std::size_t vectors = drop_damaged_vectors(store); vectors > 0) {
    lines.push_back(fmt::format("{} vectors were removed: residue embed or residue ingest vectors again", vectors));
  }
  take_out_answers(store, lines);
  if (!found.damaged_segments.empty()) forget_segments(store, found.damaged_segments, lines);
  quarantine.list(lines);
  CheckResult now = check_store(store);
  now.repaired = std::move(lines);
  return now;
}

}  // namespace residue::storage
