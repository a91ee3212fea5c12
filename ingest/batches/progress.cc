#include "ingest/batches/progress.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "ingest/read/byte_source.h"
#include "storage/catalog/sources/ingest_progress.h"

namespace residue::ingest {
namespace {

std::uint64_t hash_reading(const SourceOptions& options) {
  std::uint64_t hash = options.synthetic ? 1 : 0;
  if (options.spans) hash = hash_of(hash, "spans", static_cast<std::uint64_t>(options.unit));
  const auto add = [&hash](std::string_view text) { hash = hash_of(hash, text); };
  add(options.preset);
  for (const auto& field : {options.id, options.text, options.record, options.claims, options.of, options.run})
    add(field.value_or(""));
  for (const auto& [name, path] : options.map) {
    add(name);
    add(path);
  }
  if (options.ids) {  // other ids: another file
    struct stat status = {};
    add(*options.ids);
    if (::stat(options.ids->c_str(), &status) == 0) {
      hash = hash_of(hash, "ids", static_cast<std::uint64_t>(status.st_size));
      hash = hash_of(hash, "ids",
                     static_cast<std::uint64_t>(status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec));
    }
  }
  return hash;
}

std::uint64_t number(const Json& json, const char* key) { return json.value(key, std::uint64_t{0}); }

}  // namespace

SourceIdentity identify(const SourceOptions& options) {
  SourceIdentity identity;
  identity.reading = hash_reading(options);
  if (options.path == "-") return identity;
  identity.path = std::filesystem::absolute(options.path).lexically_normal().string();
  struct stat status = {};
  if (::stat(options.path.c_str(), &status) == 0) {
    identity.size = static_cast<std::uint64_t>(status.st_size);
    identity.mtime_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  }
  return identity;
}

std::string shown(const SourceIdentity& file) { return shown_name(file.path); }

Progress load_progress(storage::Db& db, std::string_view target, const SourceIdentity& file) {
  Progress progress;
  storage::Statement find = db.prepare(storage::sql::kIngestProgressOfFile);
  if (!find.bind(target, file.path).step()) return progress;
  const auto counts = Json::parse(find.text(3)).value_or(Json());
  if (!counts.is_object()) return progress;
  progress.base = number(counts, "base");
  const bool same = file.path != "-" && find.integer(0) == static_cast<std::int64_t>(file.size) &&
                    find.integer(1) == file.mtime_ns && number(counts, "reading") == file.reading;
  if (!same) return progress;
  progress.lines = static_cast<std::uint64_t>(find.integer(2));
  progress.rows = number(counts, "rows");
  progress.counts = {number(counts, "new"), number(counts, "same"), number(counts, "changed"), number(counts, "bad")};
  return progress;
}

void save_progress(storage::Db& db, std::string_view target, const SourceIdentity& file, const Progress& progress) {
  const Json counts = {
      {"new", progress.counts.fresh}, {"same", progress.counts.same}, {"changed", progress.counts.changed},
      {"bad", progress.counts.bad},   {"rows", progress.rows},        {"base", progress.base},
      {"reading", file.reading}};
  storage::Statement put = db.prepare(storage::sql::kInsertOrUpdateIngestProgress);
  put.run(target, file.path, static_cast<std::int64_t>(file.size), file.mtime_ns,
          static_cast<std::int64_t>(progress.lines), counts.sorted().dump());
}

void erase_progress(storage::Db& db, std::string_view target, std::string_view path) {
  // A file that was moved or copied meanwhile is known by its size: reading it to the end ends the first attempt, too.
  storage::Statement erase = db.prepare(storage::sql::kDeleteIngestProgressOfFile);
  erase.run(target, path);
}

void check_complete(storage::Db& db, std::string_view target) {
  storage::Statement find = db.prepare(storage::sql::kIngestProgressFirstPathOfTarget);
  if (!find.bind(target).step()) return;
  const std::string path(find.text(0));
  throw Error(Code::kBadInput, fmt::format("{} is incomplete: {} was not read to its end", target, path),
              "repeat the interrupted command: it continues where it was");
}

}  // namespace residue::ingest
