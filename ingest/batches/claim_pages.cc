#include "ingest/batches/claim_pages.h"

#include "storage/catalog/sources/claim.h"
#include "storage/catalog/sources/record.h"

namespace residue::ingest {
namespace {

constexpr std::int64_t kPageRecords = 1024;

}  // namespace

std::vector<std::string_view> texts_of(std::span<const RecordClaims> records) {
  std::vector<std::string_view> texts;
  for (const RecordClaims& record : records) {
    for (const RecordClaims::Claim& claim : record.claims) texts.push_back(claim.text);
  }
  return texts;
}

ClaimPages::ClaimPages(storage::Store& store, DatasetId dataset, ClaimSetId set)
    : store_(store),
      dataset_(dataset),
      set_(set),
      page_(store.db().prepare(storage::sql::kRecordPageWithKey)),
      claims_(store.db().prepare(storage::sql::kClaimsOfRecord)) {
  storage::Statement count = store.db().prepare(storage::sql::kClaimCountOfSet);
  if (count.bind(set).step()) total_ = static_cast<std::uint64_t>(count.integer(0));
}

bool ClaimPages::next(std::vector<RecordClaims>& records) {
  records.clear();
  const storage::ReadTransaction snapshot(store_.db());
  const auto texts = store_.facts().read();
  page_.bind(dataset_, last_, kPageRecords);
  while (page_.step()) records.push_back({page_.id<RecordId>(0), std::string(page_.text(1)), {}});
  for (RecordClaims& record : records) {
    claims_.bind(set_, record.id);
    while (claims_.step()) {
      record.claims.push_back({static_cast<std::uint32_t>(claims_.integer(0)), texts->text(claims_.id<TextId>(1))});
    }
  }
  if (!records.empty()) last_ = records.back().id;
  return !records.empty();
}

}  // namespace residue::ingest
