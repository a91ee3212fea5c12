#include "ingest/ask/restore.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/error.h"
#include "ingest/ask/restoring.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/record.h"
#include "storage/catalog/sources/variant.h"

namespace residue::ingest {
namespace {

constexpr std::size_t kRowsAtOnce = 1024;
constexpr std::size_t kBytesAtOnce = 16U << 20U;

[[noreturn]] void fail(const SourceIdentity& file, const RowError& bad) {
  throw Error(Code::kBadInput, fmt::format("{}:{}: {}", shown(file), bad.line, bad.cause), bad.remedy);
}

// What is known of the text that a row responds to.
struct Prompt {
  std::string original, sanitized, substitutions, spans;
  std::optional<std::string> error;
};

class Prompts {
 public:
  Prompts(storage::Store& store, std::string_view dataset, std::string_view run)
      : store_(store),
        dataset_(storage::find_dataset(store.db(), dataset)),
        run_(storage::find_run(store.db(), dataset, run)),
        name_(dataset),
        find_(store.db().prepare(storage::sql::kRecordByKeyWithVariant)) {
    check_complete(store.db(), fmt::format("run {}/{}", dataset, run));
    storage::Statement any = store.db().prepare(storage::sql::kVariantAnyOfRunWithSubstitutions);
    if (any.bind(run_).step()) return;
    throw Error(Code::kUsage, fmt::format("the run {}/{} does not say which words stand for which", dataset, run),
                "runs with numbered tags (--param replacement=token), substitutes or pseudonyms say it, and rows of "
                "ingest run with \"substitutions\"");
  }

  Prompt of(const VariantRow& row, const SourceIdentity& file) {
    if (!row.key) fail(file, {row.line, "the id is missing", "name its field with --id"});
    if (!find_.bind(dataset_, run_, *row.key).step()) {
      fail(file, {row.line, fmt::format("no record with this id in dataset {}", name_), "check --id"});
    }
    const auto original = find_.id<TextId>(0);
    const auto sanitized = find_.integer_or_null(1);
    const auto table = find_.integer_or_null(2);
    const auto spans = find_.integer_or_null(3);
    find_.reset();
    Prompt prompt;
    if (!sanitized) prompt.error = "the run has no text of this record";
    if (!sanitized || !table) return prompt;
    const auto texts = store_.facts().read();
    prompt.original = texts->text(original);
    prompt.sanitized = texts->text(TextId{*sanitized});
    prompt.substitutions = texts->text(TextId{*table});
    if (spans) prompt.spans = texts->text(TextId{*spans});
    return prompt;
  }

 private:
  storage::Store& store_;
  DatasetId dataset_;
  RunId run_;
  const std::string name_;
  storage::Statement find_;
};

// Some rows and what is known of them.
class Page {
 public:
  bool read(RowSource<VariantRow>& source, const SourceIdentity& file, Prompts& prompts) {
    rows_.clear();
    prompts_.clear();
    RowError bad;
    std::size_t bytes = 0;
    while (rows_.size() < kRowsAtOnce && bytes < kBytesAtOnce) {
      VariantRow& row = rows_.emplace_back();
      const RowResult got = source.next(row, bad);
      if (got == RowResult::kBad) fail(file, bad);
      if (got == RowResult::kEnd) {
        rows_.pop_back();
        return false;
      }
      prompts_.push_back(prompts.of(row, file));
      const Prompt& prompt = prompts_.back();
      bytes += row.text.value_or("").size() + prompt.original.size() + prompt.sanitized.size() + prompt.spans.size();
    }
    return true;
  }

  void write(model::TaskAsker* asker, RestoreCounts& counts, const std::function<void(const RestoredRow&)>& put) const {
    std::vector<ToRestore> responses;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (error_of(i)) continue;
      const Prompt& prompt = prompts_[i];
      responses.push_back({*rows_[i].text, prompt.substitutions, prompt.original, prompt.sanitized, prompt.spans});
    }
    std::vector<RestoredResponse> made = restored(responses, asker);
    for (std::size_t i = 0, next = 0; i < rows_.size(); ++i) {
      RestoredRow row{*rows_[i].key, std::nullopt, error_of(i), std::nullopt, 0, 0, 0};
      if (!row.error) {
        RestoredResponse& one = made[next++];
        row.text = std::move(one.text);
        row.put_back = one.put_back;
        row.ambiguous = one.ambiguous;
        row.left = one.left;
        row.absent = one.absent;
        if (!row.text) row.error = fmt::format("model {} gave no answer that can be used", asker->endpoint().name);
        if (row.text && *row.text != *rows_[i].text) ++counts.changed;
        counts.put_back += one.put_back.value_or(0);
        counts.ambiguous += one.ambiguous;
        counts.left += one.left;
        counts.absent += one.absent;
      }
      ++counts.rows;
      if (row.error) ++counts.failed;
      put(row);
    }
  }

 private:
  [[nodiscard]] std::optional<std::string> error_of(std::size_t i) const {
    if (rows_[i].error) return rows_[i].error;
    if (!rows_[i].text) return "no text";
    return prompts_[i].error;
  }

  std::vector<VariantRow> rows_;
  std::vector<Prompt> prompts_;
};

}  // namespace

RestoreCounts restore_rows(storage::Store& store, std::string_view dataset, std::string_view run,
                           RowSource<VariantRow>& source, const SourceIdentity& file, model::TaskAsker* asker,
                           const IngestOptions& options, const std::function<void(const RestoredRow&)>& put) {
  Prompts prompts(store, dataset, run);
  RestoreCounts counts;
  Page page;
  for (bool more = true; more;) {
    if (options.interrupted && options.interrupted()) {
      throw Error(Code::kInterrupted, fmt::format("interrupted: {} rows are restored", counts.rows),
                  "repeat the command: what a model answered is not asked again");
    }
    more = page.read(source, file, prompts);
    page.write(asker, counts, put);
  }
  return counts;
}

}  // namespace residue::ingest
