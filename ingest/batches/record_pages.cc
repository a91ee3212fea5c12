#include "ingest/batches/record_pages.h"

#include <fmt/format.h>

#include <utility>

#include "ingest/batches/progress.h"
#include "storage/catalog/lookup.h"
#include "storage/catalog/sources/record.h"

namespace residue::ingest {
namespace {

constexpr std::size_t kPageRecords = 4096;
constexpr std::size_t kPageBytes = 16U << 20U;

}  // namespace

RecordPages::RecordPages(storage::Store& store, std::string_view dataset, std::optional<std::string> run)
    : store_(store),
      dataset_(storage::find_dataset(store.db(), dataset)),
      page_(store.db().prepare(storage::sql::kRecordPageWithVariant)) {
  check_complete(store.db(), fmt::format("dataset {}", dataset));
  if (run) {
    run_ = storage::find_run(store.db(), dataset, *run);
    check_complete(store.db(), fmt::format("run {}/{}", dataset, *run));
  }
  storage::Statement count = store.db().prepare(storage::sql::kRecordCountOfDataset);
  if (count.bind(dataset_).step()) total_ = static_cast<std::uint64_t>(count.integer(0));
}

bool RecordPages::next(std::vector<RecordText>& records, const Done& done) {
  records.clear();
  const storage::ReadTransaction snapshot(store_.db());
  const auto texts = store_.facts().read();
  std::size_t bytes = 0;
  const RecordId before = last_;
  page_.bind(dataset_, last_, static_cast<std::int64_t>(kPageRecords), run_);
  while (bytes < kPageBytes && page_.step()) {
    RecordText record{page_.id<RecordId>(0), page_.id<TextId>(1), std::string(page_.text(2))};
    if (!page_.is_null(5)) record.person = page_.text(5);
    last_ = record.id;
    if (done && done(record)) continue;
    if (!run_) {
      record.text = texts->text(record.text_id);
    } else if (!page_.is_null(3)) {
      record.text = texts->text(page_.id<TextId>(3));
    } else {
      record.error = std::string(page_.text(4));
    }
    bytes += record.text.size();
    records.push_back(std::move(record));
  }
  page_.reset();
  return !(last_ == before);
}

}  // namespace residue::ingest
