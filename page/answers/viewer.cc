#include "page/answers/viewer.h"

#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <optional>
#include <system_error>

#include "base/error.h"
#include "page/answers/rows.h"

namespace residue::page {

namespace {
constexpr std::uint64_t kMostSeeds = 1'000;
}  // namespace

std::string Wanted::text(std::string_view name) const {
  const auto found = request_.query.find(name);
  return found == request_.query.end() ? std::string() : found->second;
}

std::string Wanted::needed(std::string_view name) const {
  std::string found = text(name);
  if (found.empty()) throw Error(Code::kUsage, fmt::format("{} is missing", name), fmt::format("add {}=...", name));
  return found;
}

std::uint64_t Wanted::number(std::string_view name, std::uint64_t otherwise, std::uint64_t most) const {
  const std::string digits = text(name);
  if (digits.empty()) return otherwise;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value > most) {
    throw Error(Code::kUsage, fmt::format("{} is no number from 0 to {}", name, most), fmt::format("change {}", name));
  }
  return value;
}

std::optional<std::uint64_t> Wanted::sample() const {
  if (text("sample").empty()) return std::nullopt;
  return number("sample", 0, 1U << 31U);
}

std::optional<std::uint32_t> Wanted::seeds() const {
  if (text("seeds").empty()) return std::nullopt;
  const auto seeds = static_cast<std::uint32_t>(number("seeds", 1, kMostSeeds));
  if (seeds == 0) throw Error(Code::kUsage, "seeds is no number from 1", "leave it out: as evaluated last");
  return seeds;
}

std::string AnnotatorNames::shown(const std::string& name) {
  if (named_) return name;
  const auto number = numbers_.try_emplace(name, numbers_.size() + 1).first->second;
  return fmt::format("annotator {}", number);
}

Kept::Bytes kept_or(const Viewer& viewer, const std::string& name, const std::function<std::string()>& make) {
  Kept::Bytes bytes = viewer.kept == nullptr ? nullptr : viewer.kept->find(name);
  if (bytes) return bytes;
  bytes = std::make_shared<const std::string>(make());
  if (viewer.kept != nullptr) viewer.kept->put(name, bytes);
  return bytes;
}

std::unique_ptr<storage::Store> open_to_read(const Viewer& viewer) {
  storage::OpenOptions how;
  how.read_only = true;
  return std::make_unique<storage::Store>(viewer.store, how);
}

query::Lens lens_of(const Viewer& viewer, const Wanted& wanted) {
  const auto store = open_to_read(viewer);
  const std::string judge = wanted.text("judge");
  return query::find_lens(store->db(), wanted.needed("dataset"), wanted.text("protocol"),
                          judge.empty() ? std::nullopt : std::optional(judge), wanted.sample());
}

query::Report report_of(const Viewer& viewer, const query::Lens& lens) {
  query::ReportOptions options;
  options.dataset = lens.dataset_name;
  options.protocols = lens.spec.name();
  options.judge = lens.judge_name;
  options.seeds = 1;
  options.sample = lens.sample;
  options.remarks = false;
  return query::load_report(*open_to_read(viewer), options);
}

Json lens_json(const query::Lens& lens) {
  return {{"protocol", lens.spec.name()}, {"sample", lens.sample}, {"judge", lens.judge_name}};
}

void require_evaluated(const Viewer& viewer, const query::Lens& lens, const std::string& run) {
  const std::string name = sql_string(run);
  const Rows found =
      rows(viewer, fmt::format("SELECT EXISTS (SELECT 1 FROM runs WHERE dataset = {} AND run = {}), EXISTS (SELECT 1 "
                               "FROM metrics WHERE {} AND run = {})",
                               sql_string(lens.dataset_name), name, rows_of(lens, true), name));
  const auto is = [&](std::size_t column) { return found.first(column).get<std::int64_t>() != 0; };
  if (!is(0)) throw Error(Code::kNotFound, "there is no run of this name", "/runs lists them");
  if (!is(1))
    throw Error(Code::kNotFound, "the run was not evaluated under this attacker with this judge", "residue eval");
}

std::string rows_of(const query::Lens& lens, bool judged) {
  std::string rows = fmt::format("dataset = {} AND protocol = {} AND sample = {}", sql_string(lens.dataset_name),
                                 sql_string(lens.spec.name()), lens.sample);
  if (judged) rows += " AND judge = " + sql_string(lens.judge_name);
  return rows;
}

std::string attacked_scores(const query::Lens& lens, const std::string& run, const std::string& where) {
  return fmt::format(
      "(WITH ends AS MATERIALIZED (SELECT record, outcome FROM links WHERE {} AND run = {}) SELECT s.record AS record, "
      "s.state AS state, iif(s.state = 'value', ends.outcome, NULL) AS outcome, s.value AS value, s.weight AS weight "
      "FROM scores s LEFT JOIN ends ON ends.record = s.record WHERE {})",
      rows_of(lens, false), sql_string(run), where);
}

}  // namespace residue::page
