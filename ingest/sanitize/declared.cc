#include "ingest/sanitize/declared.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/clock.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/json.h"
#include "ingest/method/large_delta.h"
#include "ingest/sanitize/releases.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/privacy_ledger.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/run.h"

namespace residue::ingest {
namespace {

constexpr std::string_view kExample = "--spent epsilon=1,delta=1e-6,mechanism=gaussian";
constexpr std::array<std::string_view, 4> kNames{"epsilon", "delta", "mechanism", "unit"};
constexpr std::size_t kMostMechanism = 64;

[[noreturn]] void fail(std::string cause, std::string remedy = std::string(kExample)) {
  throw Error(Code::kUsage, std::move(cause), std::move(remedy));
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::map<std::string, std::string> fields_of(std::string_view words) {
  std::map<std::string, std::string> fields;
  while (!words.empty()) {
    const std::string_view one = words.substr(0, words.find(','));
    words.remove_prefix(std::min(one.size() + 1, words.size()));
    const std::size_t at = one.find('=');
    if (at == std::string_view::npos) fail("--spent is not NAME=VALUE,NAME=VALUE");
    const std::string name(one.substr(0, at));
    if (std::ranges::find(kNames, name) == kNames.end()) {
      fail("--spent: a name is none of epsilon, delta, mechanism, unit");
    }
    if (!fields.emplace(name, one.substr(at + 1)).second) fail(fmt::format("--spent: {} is given twice", name));
  }
  return fields;
}

// Persons, and records that are nobody's; or records.
std::uint64_t units_of(storage::Db& db, DatasetId dataset, std::string_view unit) {
  storage::Statement count = db.prepare(storage::sql::kPersonAndNobodysRecordCountOfDataset);
  count.bind(dataset).step();
  const std::int64_t persons = count.integer(0), others = count.integer(1);
  if (unit == "person") {
    if (persons > 0) return static_cast<std::uint64_t>(persons + others);
    fail("--spent: unit=person needs persons, and no record of the dataset names one",
         "leave it out, or bring in \"person\" with residue ingest dataset");
  }
  count.reset();
  storage::Statement all = db.prepare(storage::sql::kRecordAndPersonCountOfDataset);
  all.bind(dataset).step();
  return static_cast<std::uint64_t>(all.integer(0));
}

// `texts`: of the run; empty while they are being brought in.
std::string release_of(std::string_view run, const DeclaredSpending& declared, std::string_view texts) {
  TaggedHash hash("residue.declared-release.v1");
  hash.field("spending", numbers::json_of(declared.spending).dump());
  hash.field("mechanism", declared.mechanism);
  hash.field("unit", declared.unit);
  if (texts.empty()) {
    hash.field("run", run);
  } else {
    hash.field("texts", texts);
  }
  return hash.bytes();
}

}  // namespace

DeclaredSpending parse_declared(std::string_view words) {
  std::map<std::string, std::string> fields = fields_of(words);
  for (const char* name : {"epsilon", "delta"}) {
    if (!fields.contains(name)) {
      fail(fmt::format("--spent: {} is missing", name),
           name == std::string_view("delta") ? "delta=0 says that there is none" : std::string(kExample));
    }
  }
  DeclaredSpending out;
  if (fields["epsilon"] == "inf") {
    out.spending.epsilon = std::numeric_limits<double>::infinity();
  } else {
    const auto epsilon = number(fields["epsilon"]);
    if (!epsilon || !(*epsilon >= numbers::kLeastEpsilon && *epsilon <= numbers::kMostEpsilon)) {
      fail(fmt::format("--spent: epsilon is neither a number from {:g} to {:g} nor inf", numbers::kLeastEpsilon,
                       numbers::kMostEpsilon),
           "a smaller one is rounded up, never down; inf says that nothing is promised");
    }
    out.spending.epsilon = *epsilon;
  }
  const auto delta = number(fields["delta"]);
  if (!delta || !(*delta >= 0 && *delta < 1)) fail("--spent: delta is not a number from 0 to below 1");
  out.spending.delta = out.spending.tail = *delta;
  if (const auto said = fields.find("mechanism"); said != fields.end()) out.mechanism = said->second;
  const auto plain = [](char c) {
    return is_alpha(c) || is_digit(c) || std::string_view(" ._-+/()").find(c) != std::string_view::npos;
  };
  if (fields.contains("mechanism") &&
      (out.mechanism.empty() || out.mechanism.size() > kMostMechanism || !std::ranges::all_of(out.mechanism, plain))) {
    fail(
        fmt::format("--spent: mechanism is not a name of 1 to {} letters, digits, spaces and ._-+/()", kMostMechanism));
  }
  if (fields.contains("unit")) out.unit = fields["unit"];
  if (out.unit != "record" && out.unit != "person") fail("--spent: unit is neither record nor person");
  return out;
}

void begin_declared(storage::Store& store, std::string_view dataset, std::string_view run,
                    const DeclaredSpending& declared) {
  const std::uint64_t units = units_of(store.db(), storage::find_dataset(store.db(), dataset), declared.unit);
  Json spending = numbers::json_of(declared.spending);
  spending["mechanism"] = declared.mechanism;
  const auto batch = store.write();
  storage::keep_privacy_release(batch->db(), dataset,
                                {.run = std::string(run),
                                 .release = release_of(run, declared, {}),
                                 .unit = declared.unit,
                                 .units = static_cast<std::int64_t>(units),
                                 .noise = std::string(kDeclared),
                                 .spending = spending.dump(),
                                 .made_at = now_ms(),
                                 .struck_at = std::nullopt});
  batch->commit();
}

std::vector<std::string> finish_declared(storage::Store& store, std::string_view dataset, std::string_view run,
                                         const DeclaredSpending& declared) {
  const DatasetId id = storage::find_dataset(store.db(), dataset);
  {
    const auto batch = store.write();
    storage::Statement content = batch->db().prepare(storage::sql::kRunContentAndSubstitutions);
    content.bind(storage::find_run(batch->db(), dataset, run)).step();
    const std::string texts(content.text(0));
    content.reset();
    storage::settle_privacy_release(batch->db(), dataset, run, release_of(run, declared, {}),
                                    release_of(run, declared, texts));
    batch->commit();
  }
  std::vector<std::string> notes = {spent_line(store, dataset, declared.unit)};
  const std::uint64_t units = units_of(store.db(), id, declared.unit);
  if (auto note = large_delta_note(declared.spending.delta, units, declared.unit)) notes.push_back(*std::move(note));
  return notes;
}

}  // namespace residue::ingest
