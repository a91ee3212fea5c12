#include "ingest/ask/relevance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "base/digest.h"
#include "base/error.h"
#include "base/json.h"
#include "ingest/batches/batch.h"
#include "ingest/batches/label_writer.h"
#include "ingest/batches/record_pages.h"
#include "model/replies/replacements.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/label.h"
#include "storage/catalog/sources/variant.h"
#include "text/measures/redaction.h"
#include "text/replacing/restoration.h"

namespace residue::ingest {
namespace {

using storage::Statement;
using Texts = model::TaskAsker::Texts;

constexpr std::size_t kShownDigestBytes = 8;

using Entities = std::map<std::string, std::string>;  // type by words

// The entities of records, wherever they are known from.
class EntityFinder {
 public:
  EntityFinder(storage::Store& store, std::string_view dataset, const std::optional<std::string>& run)
      : store_(store),
        dataset_(storage::find_dataset(store.db(), dataset)),
        spans_(store.db().prepare(storage::sql::kLabelSpanPayloadsOfRecord)),
        table_(store.db().prepare(storage::sql::kVariantSubstitutionsOfRecord)) {
    if (run) run_ = storage::find_run(store.db(), dataset, *run);
    Statement any = store.db().prepare(storage::sql::kVariantSubstitutionsOrLabelSpansExist);
    any.bind(dataset_, std::int64_t{run.has_value()}, run_.value_or(RunId{})).step();
    if (any.integer(0) != 0) return;
    throw Error(Code::kUsage,
                run ? fmt::format("the run {}/{} does not say what it replaced", dataset, *run)
                    : fmt::format("no entity of {} is known: it has no labels of the kind span", dataset),
                run ? "name a run with substitutions: sanitize with replacement=token makes one"
                    : fmt::format("ingest such labels, or name a run that found some: {}/RUN", dataset));
  }

  Entities of(const RecordText& record) {
    Entities entities;
    const auto add = [&](const std::string& words, const std::string& type) {
      if (text::occurrences(record.text, std::string_view(words)).empty()) return;
      if (!text::has_term(record.text, words)) return;  // No metric could find the label.
      const auto [at, fresh] = entities.try_emplace(words, type);
      if (!fresh) at->second = std::min(at->second, type);
    };
    const auto texts = store_.facts().read();
    if (run_) {
      if (table_.bind(*run_, record.id).step()) {
        for (const auto& row : model::substitutions_in(texts->text(table_.id<TextId>(0)))) add(row.first, "");
      }
      table_.reset();
      return entities;
    }
    spans_.bind(dataset_, record.id);
    while (spans_.step()) {
      const Json label = Json::parse(texts->text(spans_.id<TextId>(0))).value_or(Json());
      if (label.is_object() && !label.contains("weight")) add(word(label, "text"), word(label, "type"));
    }
    return entities;
  }

 private:
  static std::string word(const Json& label, const char* name) {
    const Json* found = label.find(name);
    return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
  }

  storage::Store& store_;
  DatasetId dataset_;
  std::optional<RunId> run_;
  Statement spans_, table_;
};

struct Page {
  std::vector<RecordText> records;
  std::vector<Entities> entities;

  // The questions, in the order of the records and of their entities' words.
  [[nodiscard]] std::vector<Texts> questions() const {
    std::vector<Texts> all;
    for (std::size_t i = 0; i < records.size(); ++i) {
      for (const auto& [words, type] : entities[i]) all.push_back({records[i].text, words});
    }
    return all;
  }
};

bool next(RecordPages& pages, EntityFinder& finder, Page& page) {
  const bool more = pages.next(page.records);
  page.entities.clear();
  for (const RecordText& record : page.records) page.entities.push_back(finder.of(record));
  return more;
}

}  // namespace

IngestResult judge_relevance(storage::Store& store, std::string_view dataset, const std::optional<std::string>& run,
                             model::TaskAsker& asker, const std::string& as, const IngestOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const storage::Lock kept = store.hold_targets();
  RecordPages pages(store, dataset);
  EntityFinder finder(store, dataset, run);
  const std::string annotator =
      fmt::format("model {}, relevance/{}.{}", as, to_hex(asker.digest().bytes().substr(0, kShownDigestBytes)),
                  model::task_parser(model::TaskKind::kRelevance));
  LabelWriter writer(store.db(), pages.dataset(), "entity", annotator);
  IngestPosition progress;
  std::uint64_t failed = 0, asked = 0;
  Page page;
  for (bool more = true; more;) {
    if (options.interrupted && options.interrupted()) fail_interrupted(progress, "records");
    more = next(pages, finder, page);
    const std::vector<Texts> questions = page.questions();
    const auto answers = asker.ask(questions);
    const IngestPosition before = progress;
    const auto batch = store.write();
    model::keep_spec(batch->db(), asker.spec());
    std::size_t at = 0;
    for (std::size_t i = 0; i < page.records.size(); ++i) {
      std::vector<Json> payloads;
      for (const auto& [words, type] : page.entities[i]) {
        const auto& answer = answers[at++];
        if (!answer) continue;
        Json& label = payloads.emplace_back(Json{{"annotator", annotator},
                                                 {"entity", words},
                                                 {"record", page.records[i].key},
                                                 {"relevant", *answer == "relevant"}});
        if (!type.empty()) label["type"] = type;
      }
      const Outcome outcome = writer.replace(*batch, page.records[i].id, payloads);
      const std::size_t missing = page.entities[i].size() - payloads.size();
      failed += missing;
      if (missing > 0) {
        ++progress.counts.bad;
      } else if (!payloads.empty()) {
        progress.counts.add(outcome);
      }
    }
    asked += questions.size();
    progress.rows += page.records.size();
    progress.lines = progress.rows;
    commit(store, *batch, before, "records");
    if (options.progress) options.progress(progress.rows, pages.total());
  }
  IngestResult result;
  result.counts = progress.counts;
  result.notes.push_back(fmt::format("{} entities have a label by model {}", asked - failed, asker.endpoint().name));
  if (failed > 0) {
    result.notes.push_back(fmt::format("{} of {} entities of {} have no label: model {} gave no usable answer: {}",
                                       failed, asked, dataset, asker.endpoint().name, asker.failures()));
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

void plan_relevance(storage::Store& store, std::string_view dataset, const std::optional<std::string>& run,
                    const model::TaskAsker& asker, AskPlan& plan) {
  RecordPages pages(store, dataset);
  EntityFinder finder(store, dataset, run);
  Page page;
  for (bool more = true; more;) {
    more = next(pages, finder, page);
    const auto reader = store.facts().read();
    for (const Texts& question : page.questions()) plan.add(*reader, asker, question);
  }
}

}  // namespace residue::ingest
