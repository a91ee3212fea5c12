#include "ingest/batches/progress.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/hash.h"
#include "base/json.h"
#include "ingest/read/byte_source.h"
#include "ingest/read/folder.h"
#include "storage/catalog/sources/ingest_progress.h"

namespace residue::ingest {
namespace {

// What the flags of a kind of rows say of its fields. All of them are hashed, in this order, whatever the kind: what
// stores have of an interrupted file stands on that.
struct FieldFlags {
  std::optional<std::string> id = {}, text = {}, record = {}, claims = {}, of = {}, run = {};
};

std::uint64_t hash_reading(std::uint64_t hash, const SourceOptions& options, const FieldFlags& flags) {
  const auto add = [&hash](std::string_view text) { hash = hash_of(hash, text); };
  add(options.preset);
  for (const auto* field : {&flags.id, &flags.text, &flags.record, &flags.claims, &flags.of, &flags.run})
    add(field->value_or(""));
  for (const auto& [name, path] : options.map) {
    add(name);
    add(path);
  }
  for (const auto& [path, value] : options.only) hash = hash_of(hash, "only", hash_of(hash_of(0, path), value));
  return hash;
}

// 0 where none is given: such files are those of older programs, too.
std::uint64_t hash_given(std::initializer_list<std::pair<std::string_view, std::optional<std::string>>> words) {
  std::uint64_t hash = 0;
  for (const auto& [name, word] : words) {
    if (word) hash = hash_of(hash, name, hash_of(0, *word));
  }
  return hash;
}

SourceIdentity identity(const std::string& path, std::uint64_t reading) {
  SourceIdentity identity;
  identity.reading = reading;
  if (path == "-") return identity;
  identity.path = std::filesystem::absolute(path).lexically_normal().string();
  if (is_folder(path)) {  // it is what its files are
    for (const TextFile& file : text_files(path)) {
      identity.size += file.size;
      identity.reading = hash_of(identity.reading, file.id, file.size);
      identity.reading = hash_of(identity.reading, "mtime", static_cast<std::uint64_t>(file.mtime_ns));
    }
    return identity;
  }
  struct stat status = {};
  if (::stat(path.c_str(), &status) == 0) {
    identity.size = static_cast<std::uint64_t>(status.st_size);
    identity.mtime_ns = std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
  }
  return identity;
}

std::uint64_t number(const Json& json, const char* key) { return json.value(key, std::uint64_t{0}); }

Json list_of(const FieldCounts& fields) {
  Json list = Json::array();
  for (std::size_t i = 0; i < FieldCounts::kCount; ++i) {
    list.push_back(fields.changed[i]);
    list.push_back(fields.emptied[i]);
  }
  list.push_back(fields.kept_texts);
  return list;
}

FieldCounts fields_in(const Json& counts) {
  FieldCounts fields;
  const Json* const list = counts.find("fields");
  constexpr std::size_t kNumbers = 2 * FieldCounts::kCount + 1;
  if (list == nullptr || !list->is_array() || list->size() != kNumbers) return fields;
  const auto at = [list](std::size_t i) { return list->at(i).is_unsigned() ? list->at(i).get<std::uint64_t>() : 0; };
  for (std::size_t i = 0; i < FieldCounts::kCount; ++i) {
    fields.changed[i] = at(2 * i);
    fields.emptied[i] = at(2 * i + 1);
  }
  fields.kept_texts = at(kNumbers - 1);
  return fields;
}

}  // namespace

SourceIdentity identify(const SourceOptions& options) { return identity(options.path, hash_reading(0, options, {})); }

SourceIdentity identify(const RecordSourceOptions& options) {
  std::uint64_t hash = 0;
  for (const std::string& field : options.clear) hash = hash_of(hash, "clear", hash_of(0, field));
  return identity(options.path, hash_reading(hash, options, {.id = options.id, .text = options.text}));
}

SourceIdentity identify(const VariantSourceOptions& options) {
  std::uint64_t hash = options.synthetic ? 1 : 0;
  if (options.spans) hash = hash_of(hash, "spans", static_cast<std::uint64_t>(options.unit));
  return identity(options.path, hash_reading(hash, options, {.id = options.id, .text = options.text}));
}

SourceIdentity identify(const JudgmentSourceOptions& options) {
  const std::uint64_t hash = hash_given({{"judge", options.judge}, {"run", options.run}, {"scorer", options.scorer}});
  return identity(options.path, hash_reading(hash, options, {}));
}

SourceIdentity identify(const AnswerSourceOptions& options) {
  const std::uint64_t hash =
      hash_given({{"model", options.model}, {"task", options.task}, {"run", options.run}, {"scorer", options.scorer}});
  return identity(options.path, hash_reading(hash, options, {}));
}

SourceIdentity identify(const ClaimSourceOptions& options) {
  return identity(options.path, hash_reading(0, options, {.record = options.record, .claims = options.claims}));
}

SourceIdentity identify(const VectorSourceOptions& options) {
  std::uint64_t hash = hash_reading(0, options, {.of = options.of, .run = options.run});
  if (options.ids) {  // other ids: another file
    struct stat status = {};
    hash = hash_of(hash, *options.ids);
    if (::stat(options.ids->c_str(), &status) == 0) {
      hash = hash_of(hash, "ids", static_cast<std::uint64_t>(status.st_size));
      hash = hash_of(hash, "ids",
                     static_cast<std::uint64_t>(status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec));
    }
  }
  return identity(options.path, hash);
}

std::string shown(const SourceIdentity& file) { return shown_name(file.path); }

IngestPosition load_progress(storage::Db& db, std::string_view target, const SourceIdentity& file) {
  IngestPosition progress;
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
  progress.fields = fields_in(counts);
  return progress;
}

void save_progress(storage::Db& db, std::string_view target, const SourceIdentity& file,
                   const IngestPosition& progress) {
  const Json counts = {{"new", progress.counts.fresh},
                       {"same", progress.counts.same},
                       {"changed", progress.counts.changed},
                       {"bad", progress.counts.bad},
                       {"rows", progress.rows},
                       {"base", progress.base},
                       {"reading", file.reading},
                       {"fields", list_of(progress.fields)}};
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
