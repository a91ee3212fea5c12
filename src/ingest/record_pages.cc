#include "ingest/record_pages.h"

#include "ingest/progress.h"
#include "storage/lookup.h"

namespace residue::ingest {
namespace {

constexpr std::size_t kPageRecords = 4096;
constexpr std::size_t kPageBytes = 16U << 20U;

}  // namespace

RecordPages::RecordPages(storage::Store& store, std::string_view dataset)
    : store_(store),
      dataset_(storage::find_dataset(store.db(), dataset)),
      page_(store.db().prepare("SELECT id, text_id, key FROM record WHERE dataset_id = ?1 AND id > ?2"
                               " ORDER BY id LIMIT ?3")) {
  check_complete(store.db(), fmt::format("dataset {}", dataset));
  storage::Statement count = store.db().prepare("SELECT count(*) FROM record WHERE dataset_id = ?1");
  if (count.bind(dataset_).step()) total_ = static_cast<std::uint64_t>(count.integer(0));
}

bool RecordPages::next(std::vector<RecordText>& records) {
  records.clear();
  const storage::ReadTransaction snapshot(store_.db());
  const auto texts = store_.facts().read();
  std::size_t bytes = 0;
  page_.bind(dataset_, last_, static_cast<std::int64_t>(kPageRecords));
  while (bytes < kPageBytes && page_.step()) {
    RecordText record{page_.id<RecordId>(0), page_.id<TextId>(1), std::string(page_.text(2)), {}};
    record.text = texts->text(record.text_id);
    bytes += record.text.size();
    records.push_back(std::move(record));
  }
  page_.reset();
  if (!records.empty()) last_ = records.back().id;
  return !records.empty();
}

}  // namespace residue::ingest
