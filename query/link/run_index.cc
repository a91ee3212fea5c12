// Index segments of a run: which documents lie where, and how appends and edits change it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.h"
#include "index/bm25/bm25_linker.h"
#include "index/bm25/segment.h"
#include "query/inputs/texts.h"
#include "query/link/link_basis.h"
#include "query/link/linking.h"
#include "storage/catalog/results/index_segment.h"
#include "storage/catalog/results/indexed.h"
#include "storage/disk/fault.h"
#include "storage/disk/mutant.h"
#include "text/words/analyzer.h"

namespace residue::query {
namespace {

constexpr std::size_t kMaxSegments = 8;  // beyond it, they are merged into one
constexpr std::size_t kTextsAtOnce = 4'096;

struct Row {
  std::int64_t segment = 0;
  TextId text;
};

struct Plan {
  std::set<std::int64_t> rewrite;      // segments with changed or removed documents
  std::vector<std::size_t> documents;  // positions in the candidates to be indexed anew
  IndexChanges changes;
};

std::unordered_map<CandidateId, Row> load_indexed(storage::Db& db, RunId run, const std::string& analyzer) {
  std::unordered_map<CandidateId, Row> rows;
  storage::Statement all = db.prepare(storage::sql::kIndexedOfRunByAnalyzer);
  all.bind(run, analyzer);
  while (all.step()) rows.emplace(all.id<CandidateId>(0), Row{all.integer(1), all.id<TextId>(2)});
  return rows;
}

std::map<std::int64_t, index::Segment> load_segments(storage::Db& db, RunId run, const std::string& analyzer) {
  std::map<std::int64_t, index::Segment> segments;
  storage::Statement all = db.prepare(storage::sql::kIndexSegmentsOfRunByAnalyzer);
  all.bind(run, analyzer);
  while (all.step()) {
    segments[all.integer(0)] = {std::string(all.text(1)), std::string(all.text(2)),
                                static_cast<std::uint64_t>(all.integer(3)), static_cast<std::uint64_t>(all.integer(4))};
  }
  return segments;
}

bool readable(const storage::Store& store, const index::Segment& segment) {
  try {
    index::verify_segment(store.index_dir() / segment.file, segment.sha256);
    return true;
  } catch (const Error&) {  // An index is derived: a damaged or missing one is built again.
    return false;
  }
}

Plan plan_changes(const RunCandidates& candidates, const std::unordered_map<CandidateId, Row>& indexed,
                  const std::map<std::int64_t, index::Segment>& segments, const std::set<std::int64_t>& damaged) {
  Plan plan;
  plan.rewrite = damaged;
  std::size_t seen = 0;
  for (std::size_t i = 0; i < candidates.ids.size(); ++i) {
    const auto row = indexed.find(candidates.ids[i]);
    if (row == indexed.end()) {
      plan.changes.emplace_back(candidates.ids[i], std::nullopt);
      continue;
    }
    ++seen;
    if (row->second.text == candidates.texts[i]) continue;
    plan.rewrite.insert(row->second.segment);
    plan.changes.emplace_back(candidates.ids[i], row->second.text);
  }
  if (seen != indexed.size()) {  // Some indexed candidate is gone.
    std::set<CandidateId> alive(candidates.ids.begin(), candidates.ids.end());
    for (const auto& [id, row] : indexed) {
      if (alive.count(id) != 0) continue;
      plan.rewrite.insert(row.segment);
      plan.changes.emplace_back(id, row.text);
    }
  }
  if (segments.size() - plan.rewrite.size() + 1 > kMaxSegments) {
    for (const auto& [id, segment] : segments) plan.rewrite.insert(id);
  }
  for (std::size_t i = 0; i < candidates.ids.size(); ++i) {
    const auto row = indexed.find(candidates.ids[i]);
    if (row == indexed.end() || plan.rewrite.count(row->second.segment) != 0) plan.documents.push_back(i);
  }
  return plan;
}

index::Segment build(storage::Store& store, RunId run, const text::Analyzer& analyzer, const RunCandidates& candidates,
                     const std::vector<std::size_t>& documents) {
  index::SegmentBuilder builder(store.index_dir(), run, analyzer);
  for (std::size_t begin = 0; begin < documents.size(); begin += kTextsAtOnce) {
    const std::size_t end = std::min(begin + kTextsAtOnce, documents.size());
    std::vector<TextId> ids;
    for (std::size_t i = begin; i < end; ++i) ids.push_back(candidates.texts[documents[i]]);
    const std::vector<std::string> texts = load_texts(store, ids);
    for (std::size_t i = begin; i < end; ++i) builder.add(candidates.ids[documents[i]], texts[i - begin]);
  }
  return builder.publish();
}

// X6: the catalog learns of the new segment and forgets the replaced ones, whose files can then go (X7).
void record(storage::Store& store, RunId run, const std::string& analyzer, const index::Segment& segment,
            const RunCandidates& candidates, const Plan& plan, const std::map<std::int64_t, index::Segment>& segments) {
  const auto batch = store.write();
  storage::Db& db = batch->db();
  storage::Statement forget = db.prepare(storage::sql::kDeleteIndexSegmentById);  // takes its `indexed` rows along
  for (const std::int64_t id : plan.rewrite) forget.run(id);
  // Under another version of the analyzer nobody would look at them or bring them up to date again.
  const std::size_t version = analyzer.find('/') + 1;
  const std::size_t claims = std::min(analyzer.find('#'), analyzer.size());
  db.prepare(storage::sql::kDeleteIndexSegmentsOfOtherVersions)
      .run(run, analyzer, analyzer.substr(0, version), analyzer.substr(claims));
  // The same content gives the same file name: a leftover row of it would be a duplicate.
  db.prepare(storage::sql::kDeleteIndexSegmentByFile).run(segment.file);
  db.prepare(storage::sql::kInsertIndexSegment)
      .run(run, analyzer, segment.file, storage::Statement::Blob{segment.sha256},
           static_cast<std::int64_t>(segment.bytes), static_cast<std::int64_t>(segment.documents));
  const std::int64_t id = db.last_insert_id();
  storage::Statement put = db.prepare(storage::sql::kInsertIndexed);
  for (const std::size_t i : plan.documents) put.run(run, analyzer, candidates.ids[i], id, candidates.texts[i]);
  note_index_changes(db, run, analyzer, candidates.ids.size(), plan.changes);
  batch->commit();
  storage::fault_point("index.recorded");
  if (storage::mutant("index-recorded-first")) {
    std::filesystem::rename(store.index_dir() / (".late-" + segment.file), store.index_dir() / segment.file);
  }
  std::error_code ignored;
  for (const std::int64_t old : plan.rewrite) {
    const auto found = segments.find(old);
    if (found != segments.end() && found->second.file != segment.file) {
      std::filesystem::remove(store.index_dir() / found->second.file, ignored);
    }
  }
}

using Segments = std::map<std::int64_t, index::Segment>;

// The segments as the catalog has them, and what is to be done to them.
struct Stock {
  Segments segments;
  Plan plan;
  std::size_t damaged = 0;  // segments missing or damaged

  [[nodiscard]] bool current() const { return plan.documents.empty() && plan.rewrite.empty(); }
};

Stock look(storage::Store& store, RunId run, const std::string& analyzer, const RunCandidates& candidates) {
  Stock state;
  state.segments = load_segments(store.db(), run, analyzer);
  std::set<std::int64_t> damaged;
  for (const auto& [id, segment] : state.segments) {
    if (!readable(store, segment)) damaged.insert(id);
  }
  state.damaged = damaged.size();
  state.plan = plan_changes(candidates, load_indexed(store.db(), run, analyzer), state.segments, damaged);
  return state;
}

std::unique_ptr<index::Bm25Linker> open_segments(const storage::Store& store, const Segments& segments,
                                                 const RunCandidates& candidates, const ProtocolSpec& protocol) {
  std::vector<std::filesystem::path> files;
  for (const auto& [id, segment] : segments) files.push_back(store.index_dir() / segment.file);
  index::Bm25Options options;
  options.lucene_lengths = protocol.options.count("lengths") != 0;
  return std::make_unique<index::Bm25Linker>(std::move(files), table_of(candidates), analyzer_of(protocol), options);
}

// The name of its segments.
std::string indexed_as(const ProtocolSpec& protocol, std::string_view claims) {
  return fmt::format("{}{}{}", analyzer_of(protocol).name(), claims.empty() ? "" : "#", claims);
}

}  // namespace

const text::Analyzer& analyzer_of(const ProtocolSpec& protocol) {
  const auto option = protocol.options.find("analyzer");
  return option != protocol.options.end() && option->second == "plain" ? text::Analyzer::plain()
                                                                       : text::Analyzer::fsp();
}

std::unique_ptr<index::Bm25Linker> open_bm25(storage::Store& store, const RunView& run, const RunCandidates& candidates,
                                             const ProtocolSpec& protocol, std::string_view claims) {
  const text::Analyzer& analyzer = analyzer_of(protocol);
  const std::string name = indexed_as(protocol, claims);
  Stock state = look(store, run.id, name, candidates);
  if (!state.current()) {
    const Plan& plan = state.plan;
    if (state.damaged > 0)
      store.tell(fmt::format("the index of run {} was damaged: built again from its texts", run.name));
    record(store, run.id, name, build(store, run.id, analyzer, candidates, plan.documents), candidates, plan,
           state.segments);
    state.segments = load_segments(store.db(), run.id, name);
  }
  return open_segments(store, state.segments, candidates, protocol);
}

std::unique_ptr<index::Bm25Linker> open_current_bm25(storage::Store& store, const RunView& run,
                                                     const RunCandidates& candidates, const ProtocolSpec& protocol,
                                                     std::string_view claims) {
  const Stock state = look(store, run.id, indexed_as(protocol, claims), candidates);
  if (!state.current()) return nullptr;
  return open_segments(store, state.segments, candidates, protocol);
}

}  // namespace residue::query
