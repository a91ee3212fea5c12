#include "cli/flags/ingest_options.h"

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/json.h"
#include "cli/flags/ask_flags.h"
#include "cli/print/interrupt.h"
#include "cli/print/output.h"
#include "cli/print/progress.h"
#include "cli/syntax.h"
#include "storage/catalog/sources/claim_set.h"
#include "storage/catalog/sources/dataset.h"

namespace residue::cli {

void IngestFlags::add_to(Syntax& syntax, ingest::RecordSourceOptions* fields) {
  syntax.add("FILE", files, "JSON Lines or CSV; - is standard input").required();
  if (fields != nullptr) {
    syntax.add("--id", fields->id, "the field that holds the id; auto: the row's number, from 1");
    syntax.add("--text", fields->text, "the field that holds the text");
  }
  syntax.repeated("--map", map, "FIELD=PATH, the place of a field in a line (a dotted path)");
  syntax.add("--on-error", on_error, "at a bad line: stop (default), or skip it and list it").one_of({"stop", "skip"});
  if (fields != nullptr) syntax.flag("--append", append, "only add; refuse lines that would change what is stored");
}

void IngestFlags::add_only(Syntax& syntax) {
  syntax.repeated("--only", only, "PATH=VALUE, of another program's file the items that are meant (epoch=1)");
}

void LabelWordFlags::add_to(Syntax& syntax) {
  syntax.repeated("--map-label", map, "OLD=NEW: the file says OLD where residue says NEW");
  syntax.flag("--any-category", any_category, "accept categories that are in neither list");
}

std::string preset_words(bool ingest::Preset::*verb) {
  std::string names;
  for (const ingest::Preset& preset : ingest::presets()) {
    if (preset.*verb)
      names += fmt::format("{}{}", names.empty() ? "a published layout, or the program that wrote the file: " : ", ",
                           preset.name);
  }
  return names;
}

std::string details_with_presets(bool ingest::Preset::*verb) {
  std::string text = std::string(kIngestDetails) + "\n\nPresets\n";
  for (const ingest::Preset& preset : ingest::presets()) {
    if (preset.*verb) text += fmt::format("  {:<11} {}\n", preset.name, preset.about);
  }
  text.pop_back();
  return text;
}

std::map<std::string, std::string> key_values(const std::vector<std::string>& words, const std::string& flag) {
  std::map<std::string, std::string> result;
  for (const std::string& word : words) {
    const std::size_t at = word.find('=');
    if (at == 0 || at == std::string::npos) {
      throw Error(Code::kUsage, fmt::format("{} {} has {}", flag, word, at == 0 ? "nothing before its '='" : "no '='"),
                  fmt::format("write {} name=value", flag));
    }
    const auto [known, is_new] = result.try_emplace(word.substr(0, at), word.substr(at + 1));
    if (!is_new && known->second != word.substr(at + 1)) {
      throw Error(Code::kUsage, fmt::format("{} {} is given twice, with different values", flag, known->first),
                  "write it once");
    }
  }
  return result;
}

ingest::LabelWordOptions LabelWordFlags::options() const {
  ingest::LabelWordOptions words{key_values(map, "--map-label"), any_category};
  for (const auto& [old, now] : words.map) {
    if (now.empty()) {
      throw Error(Code::kUsage, fmt::format("--map-label {}= has nothing behind its '='", old),
                  "write --map-label OLD=NEW; to leave labels out, delete them from the file");
    }
  }
  return words;
}

verbs::IngestFiles files_of(const IngestFlags& flags) {
  verbs::IngestFiles files;
  files.files = flags.files;
  files.skip_bad = flags.on_error == "skip";
  files.append = flags.append;
  files.interrupted = interrupted;
  return files;
}

void ingest_files(Context& context, verbs::IngestFiles& files, const std::function<verbs::Ingested()>& verb) {
  std::optional<Progress> progress;
  std::string reading;
  files.progress = [&](const std::string& what, std::uint64_t done, std::optional<std::uint64_t> total) {
    if (!progress || what != reading) progress.emplace(context.globals, what);
    reading = what;
    progress->update(done, total.value_or(0));
  };
  files.file_done = [&](const std::string& file, const ingest::IngestResult& result) {
    progress.reset();
    const std::string name = file == "-" ? "standard input" : file;
    for (const auto& error : result.rejected) {
      context.out.note(fmt::format("{}:{}: {} ({})", name, error.line, error.cause, error.remedy));
    }
    for (const std::string& note : result.form) context.out.note(fmt::format("{}: {}", name, note));
  };
  const verbs::Ingested all = verb();
  tell(context, all.result);
  for (const std::string& remark : all.remarks) context.out.note(remark);
}

std::string next_step(storage::Store& store, const std::string& dataset, const std::optional<std::string>& run) {
  storage::Statement count = store.db().prepare(storage::sql::kDatasetCountsOfClaimSetsAndRuns);
  if (!count.bind(dataset).step() || count.integer(0) == 0) {
    return fmt::format("next: residue atomize {0}, or residue ingest claims {0} FILE", dataset);
  }
  if (count.integer(1) == 0) {
    return fmt::format("next: residue sanitize {0} --with scrub --run scrub, or residue ingest run {0}/RUN FILE",
                       dataset);
  }
  return run ? fmt::format("next: residue eval {}/{}", dataset, *run) : fmt::format("next: residue eval {}", dataset);
}

std::string next_eval(storage::Store& store, const std::string& dataset) {
  storage::Statement sets = store.db().prepare(storage::sql::kClaimSetCountWithFirstName);
  sets.bind(dataset).step();
  const std::int64_t count = sets.integer(0);
  if (count == 0) return fmt::format("next: residue atomize {0} && residue eval {0} && residue report {0}", dataset);
  std::string eval = "residue eval " + dataset;
  if (count > 1 && sets.integer(1) == 0) eval += fmt::format(" --protocol bm25/random:3/{}", sets.text(2));
  return fmt::format("next: {}, then residue report {}", eval, dataset);
}

namespace {

// {"person": {"changed": 9, "emptied": 5}}: what has changed at all.
Json fields_json(const ingest::FieldCounts& fields) {
  Json json = Json::object();
  for (std::size_t i = 0; i < ingest::FieldCounts::kCount; ++i) {
    if (fields.changed[i] == 0) continue;
    json[ingest::FieldCounts::kNames[i]] = {{"changed", fields.changed[i]}, {"emptied", fields.emptied[i]}};
  }
  return json;
}

void tell_counts(Context& context, const ingest::IngestResult& result, const model::AskCounts* asked) {
  if (context.out.wants_json()) {
    Json json = {{"new", result.counts.fresh}, {"same", result.counts.same}, {"changed", result.counts.changed},
                 {"bad", result.counts.bad},   {"seconds", result.seconds},  {"notes", result.notes}};
    if (const Json fields = fields_json(result.fields); !fields.empty()) json["changed_fields"] = fields;
    if (asked != nullptr) json["asked"] = asked_json(*asked);
    context.out.json(json);
  } else if (context.globals.format_given) {
    Table table;
    table.columns = {{"new", Type::kInteger, ""},
                     {"same", Type::kInteger, ""},
                     {"changed", Type::kInteger, ""},
                     {"bad", Type::kInteger, ""},
                     {"seconds", Type::kReal, ""}};
    table.rows.push_back({cell(result.counts.fresh), cell(result.counts.same), cell(result.counts.changed),
                          cell(result.counts.bad), result.seconds});
    context.out.fields(table);
  } else {
    context.out.write(fmt::format("{} new, {} same, {} changed, {} bad\n", result.counts.fresh, result.counts.same,
                                  result.counts.changed, result.counts.bad));
  }
  context.out.flush();  // The figures come before what is said about them.
  if (asked != nullptr && asked->requests + asked->too_long > 0) context.out.note(asked_words(*asked));
  for (const std::string& note : result.notes) context.out.note(note);
}

}  // namespace

void tell(Context& context, const ingest::IngestResult& result) { tell_counts(context, result, nullptr); }

void tell(Context& context, const verbs::Asked& all) {
  tell_counts(context, all.result, all.asked ? &*all.asked : nullptr);
}

}  // namespace residue::cli
